import type { HoldingData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { childOf, childrenOf, requiredChild, requiredText, textOf } from "../markup/values.js";
import { cashHolding, cashKey, type StatedPortfolio } from "../stated-portfolio.js";
import { readBankMovement } from "./bank-movement.js";
import { requiredCurrency } from "./currency.js";
import { applyCorrections } from "./transaction-keys.js";
import { requiredDate, requiredDecimal, requiredInstant, soundStatements } from "./values.js";

/** The portfolio, holdings and movements of a bank statement. */
export interface BankStatement extends ReturnType<typeof applyCorrections> {
  readonly portfolio: StatedPortfolio;
  readonly holdings: readonly HoldingData[];
}

/** The bank statements of a file, in file order. */
export function bankStatements(root: MarkupElement): readonly MarkupElement[] {
  const messageSet = childOf(root, "BANKMSGSRSV1");
  return messageSet ? soundStatements(childrenOf(messageSet, "STMTTRNRS"), "STMTRS") : [];
}

/** The account of a bank statement: its IBAN is its key, or bank and number. */
export function readBankAccount(statement: MarkupElement, institution: string | null) {
  const from = requiredChild(statement, "BANKACCTFROM");
  const currency = requiredCurrency(statement, "CURDEF");
  const bank = requiredText(from, "BANKID");
  const number = requiredText(from, "ACCTID").replaceAll(" ", "");
  // An IBAN is the account's number in every format; any other number is one of many banks.
  const key = `${iban.test(number) ? number : `${bank}:${number}`}:${currency}`;
  return {
    key,
    name: `${institution ?? bank} ${number}`,
    currency,
    ref_account: number,
    type: "L",
    cash_account: true,
    ...(bic.test(bank) && { servicer: bank }),
  } as const;
}

/**
 * Reads a statement of a bank account (OFX 2.2 §11.4): its ledger balance is its cash, its rows are movements. A statement without a ledger
 * balance has movements only.
 */
export function readBankStatement(
  statement: MarkupElement,
  account: ReturnType<typeof readBankAccount>,
  warnings: FeedWarnings,
): BankStatement {
  const { key, currency } = account;
  const lists = childrenOf(statement, "BANKTRANLIST");
  const rows = lists
    .flatMap((list) => childrenOf(list, "STMTTRN"))
    .flatMap((row) => warnings.movement(() => readBankMovement(row, { key, currency }, warnings)) ?? []);
  const booked = rows.map(({ transaction, corrects }) => ({
    transaction: { ...transaction, holding_key: cashKey(transaction.currency), stage: "posted" as const },
    corrects,
  }));
  const told = applyCorrections(booked);
  const ledger = childOf(statement, "LEDGERBAL");
  if (!ledger) {
    const list = lists.at(-1);
    if (!list) throw refuse(statement, "has neither a balance (LEDGERBAL) nor movements (BANKTRANLIST)");
    warnings.at(statement)("has no balance (LEDGERBAL); what the account holds stays as it is known");
    const as_of = requiredInstant(list, textOf(list, "DTEND") === null ? "DTSTART" : "DTEND");
    return { portfolio: { ...account, balance: null, holdings_unknown: true, as_of }, holdings: [], ...told };
  }
  const balance = requiredDecimal(ledger, "BALAMT");
  return {
    portfolio: { ...account, balance, as_of: requiredInstant(ledger, "DTASOF"), place: placeOfRow(ledger) },
    holdings: [cashHolding(key, currency, balance, requiredDate(ledger, "DTASOF"), placeOfRow(ledger))],
    ...told,
  };
}

const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const bic = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;
