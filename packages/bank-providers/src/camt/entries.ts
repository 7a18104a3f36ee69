import type { TransactionData } from "@org/provider-kit";
import { cashTransaction, isUnrecognisable } from "../cash-booking.js";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { booleanIn, childOf, childrenOf, textAt, textOf } from "../markup/values.js";
import { type BankTransactionCode, kindOfCode } from "./kinds.js";
import { dayOf, isCredit, signedAmount } from "./values.js";

/**
 * Reads the booked entries of a statement, report or notification, one transaction each. A batch is one movement of the account, however many
 * payments it contains. Expected entries are left out: they may change or vanish, while transactions stay.
 * @param isStatement false for a report or notification: a statement follows it, which must be able to match its entries
 */
export function readEntries(
  statement: MarkupElement,
  portfolioKey: string,
  isStatement: boolean,
  warnings: FeedWarnings,
): TransactionData[] {
  const transactions: TransactionData[] = [];
  for (const entry of childrenOf(statement, "Ntry")) {
    const transaction = warnings.movement(() => readEntry(entry, portfolioKey, warnings));
    if (transaction === null) continue;
    if (!isBooked(entry)) warnings.at(entry)("an entry that is not booked yet; it is left out until it is");
    else if (!isStatement && !transaction.references) warnings.at(entry)(isUnrecognisable);
    else transactions.push(transaction);
  }
  return transactions;
}

/** Up to version 7 the status is a value, from version 8 on a choice. */
function isBooked(entry: MarkupElement): boolean {
  const status = childOf(entry, "Sts");
  const code = status && (status.text || textAt(status, "Cd"));
  return code === null || isNotGiven(code) || code === "BOOK";
}

function readEntry(entry: MarkupElement, portfolio_key: string, warnings: FeedWarnings): TransactionData {
  const { value, currency } = signedAmount(entry);
  const [booked, valued] = [givenDate(entry, "BookgDt"), givenDate(entry, "ValDt")];
  const bookedDay = booked && dayOf(booked);
  // Without a booking date the value date is required.
  const valueDay = valued && (bookedDay === null ? dayOf(valued) : warnings.optional(() => dayOf(valued)));
  const day = bookedDay ?? valueDay;
  if (day === null) throw refuse(entry, "has neither a booking date (BookgDt) nor a value date (ValDt)");
  const isReversal = warnings.optional(() => booleanIn(childOf(entry, "RvslInd"))) === true;
  const kind = kindOfCode(codeOf(entry), isCredit(entry) === isReversal);
  return cashTransaction({
    portfolio_key,
    reference: textOf(entry, "AcctSvcrRef"),
    day,
    valueDay,
    value,
    currency,
    description: describe(entry, isReversal),
    place: placeOfRow(entry),
    ...(kind && { kind }),
  });
}

/** The element of a date; null also if it holds none, or a word that stands for none. */
function givenDate(entry: MarkupElement, name: string): MarkupElement | null {
  const date = childOf(entry, name);
  const written = date && (textAt(date, "Dt") ?? textAt(date, "DtTm"));
  return written === null || isNotGiven(written) ? null : date;
}

/** The counterparty and the purpose, as far as the entry states them; otherwise the bank's name for the movement. */
function describe(entry: MarkupElement, isReversal: boolean): string {
  const remark = textOf(entry, "AddtlNtryInf");
  const words = wordsOfDetails(entry, remark) || bankCode(entry) || "Cash movement";
  return isReversal ? `Reversal: ${words}` : words;
}

function wordsOfDetails(entry: MarkupElement, remark: string | null): string | null {
  let only: MarkupElement | null = null;
  let count = 0;
  for (const part of childrenOf(entry, "NtryDtls")) {
    for (const details of childrenOf(part, "TxDtls")) {
      only ??= details;
      count += 1;
    }
  }
  if (!only || count > 1) return remark ?? (only ? `${count} payments` : null);
  const party = counterparty(only, isCredit(entry));
  const purpose = remittance(only) ?? textOf(only, "AddtlTxInf") ?? remark;
  return party === null || purpose === null ? (party ?? purpose) : [party, purpose].join(": ");
}

/** Version 8 wraps a party in `Pty`, or in `Agt` if it is a bank. */
function counterparty(details: MarkupElement, credited: boolean): string | null {
  const parties = childOf(details, "RltdPties");
  if (!parties) return null;
  for (const role of credited ? ["Dbtr", "UltmtDbtr"] : ["Cdtr", "UltmtCdtr"]) {
    const party = childOf(parties, role);
    const name =
      party && (textAt(party, "Nm") ?? textAt(party, "Pty", "Nm") ?? textAt(party, "Agt", "FinInstnId", "Nm"));
    if (name) return name;
  }
  return null;
}

function remittance(details: MarkupElement): string | null {
  const information = childOf(details, "RmtInf");
  if (!information) return null;
  const parts = childrenOf(information, "Ustrd").map(({ text }) => text);
  for (const part of childrenOf(information, "Strd")) parts.push(textAt(part, "CdtrRefInf", "Ref") ?? "");
  return parts.length === 1 ? parts[0] || null : parts.filter((text) => text !== "").join(" ") || null;
}

/** `PMNT RCDT BOOK`, or the bank's own code. */
function bankCode(entry: MarkupElement): string | null {
  const { domain, family, subFamily } = codeOf(entry);
  const path = [domain, family, subFamily].filter((part) => part !== null);
  return path.join(" ") || textAt(entry, "BkTxCd", "Prtry", "Cd");
}

function codeOf(entry: MarkupElement): BankTransactionCode {
  const at = (...names: readonly string[]) => textAt(entry, "BkTxCd", "Domn", ...names);
  return { domain: at("Cd"), family: at("Fmly", "Cd"), subFamily: at("Fmly", "SubFmlyCd") };
}
