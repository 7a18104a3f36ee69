import { addDecimals, negateDecimal } from "@org/core";
import type { TransactionData } from "@org/provider-kit";
import { type FeedWarnings, quotedText } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { childrenOf, requiredChild, requiredText, textOf } from "../markup/values.js";
import { readBankMovement } from "./bank-movement.js";
import { rowCurrency } from "./currency.js";
import { factsOfTransaction, ofxIdentifiers } from "./facts.js";
import type { OfxAccount } from "./holdings.js";
import { readSecurityId, type SecurityNames } from "./securities.js";
import { applyCorrections } from "./transaction-keys.js";
import { givenText, ofxDecimal, requiredDate, requiredDecimal } from "./values.js";

/** How one kind of investment transaction is built (OFX 2.2 §13.9.2.4). A field that is left out does not exist in such a row. */
interface Kind {
  /** The inner aggregate with the common fields of buys and sells. */
  readonly inside?: "INVBUY" | "INVSELL";
  readonly security: boolean;
  readonly units?: (row: MarkupElement) => string | null;
  readonly hasPrice?: true;
  readonly cash?: (row: MarkupElement) => string | null;
  /** The description if the bank gives no memo. */
  readonly title: string | ((row: MarkupElement) => string);
}

const units = (row: MarkupElement) => requiredDecimal(row, "UNITS");
const total = (row: MarkupElement) => requiredDecimal(row, "TOTAL");
const buy: Kind = { inside: "INVBUY", security: true, units, hasPrice: true, cash: total, title: "Buy" };
const sell: Kind = { inside: "INVSELL", security: true, units, hasPrice: true, cash: total, title: "Sell" };

const kinds: Readonly<Record<string, Kind>> = {
  BUYDEBT: buy,
  BUYMF: buy,
  BUYOPT: buy,
  BUYOTHER: buy,
  BUYSTOCK: buy,
  SELLDEBT: sell,
  SELLMF: sell,
  SELLOPT: sell,
  SELLOTHER: sell,
  SELLSTOCK: sell,
  INCOME: { security: true, cash: total, title: incomeTitle },
  REINVEST: { security: true, units, hasPrice: true, cash: total, title: (row) => `${incomeTitle(row)} reinvested` },
  RETOFCAP: { security: true, cash: total, title: "Return of capital" },
  INVEXPENSE: { security: true, cash: total, title: "Expense" },
  MARGININTEREST: { security: false, cash: total, title: "Margin interest" },
  JRNLFUND: { security: false, cash: total, title: "Cash moved between sub-accounts" },
  JRNLSEC: { security: true, units, title: "Moved between sub-accounts" },
  TRANSFER: {
    security: true,
    units: transferredUnits,
    hasPrice: true,
    title: (row) => `Transfer ${transferAction(row)}`,
  },
  SPLIT: { security: true, units: splitUnits, cash: (row) => ofxDecimal(row, "FRACCASH"), title: "Split" },
  CLOSUREOPT: { security: true, units, title: (row) => `Option closed: ${textOf(row, "OPTACTION") ?? "closure"}` },
};

/**
 * The transactions of a statement in file order. `amount` and `balance` keep the file's signs, which OFX defines from the customer's side (a buy
 * has positive units and a negative total). Only a transfer out with positive units is turned.
 */
export function readTransactions(
  statement: MarkupElement,
  account: OfxAccount,
  names: SecurityNames,
  warnings: FeedWarnings,
): ReturnType<typeof applyCorrections> {
  const lists = childrenOf(statement, "INVTRANLIST");
  const rows = lists.flatMap(({ children }) => children.filter(({ name }) => name !== "DTSTART" && name !== "DTEND"));
  const read = (row: MarkupElement) =>
    row.name === "INVBANKTRAN"
      ? readBankMovement(requiredChild(row, "STMTTRN"), account, warnings)
      : { transaction: signedByKind(row, readInvestment(row, account, names, warnings), warnings), corrects: null };
  return applyCorrections(rows.flatMap((row) => warnings.movement(() => read(row)) ?? []));
}

/**
 * A purchase adds units and costs cash, a sale the reverse (OFX 2.2 §13.9.2.4.3). If both have the same sign, the one that contradicts the kind
 * is turned; if both contradict it, the row reverses a trade.
 */
function signedByKind(row: MarkupElement, transaction: TransactionData, warnings: FeedWarnings): TransactionData {
  const { amount, balance } = transaction;
  const kind = Object.hasOwn(kinds, row.name) ? kinds[row.name] : undefined;
  const isBuy = kind === buy || row.name === "REINVEST";
  const isZero = (value: string | null) => value === null || !/[1-9]/.test(value);
  if (!(isBuy || kind === sell) || amount === null || balance === null || isZero(amount) || isZero(balance))
    return transaction;
  const isNegative = balance.startsWith("-");
  if (amount.startsWith("-") !== isNegative) return transaction;
  // The costs of a sale may exceed its proceeds.
  if (!isBuy && isNegative) return transaction;
  const name = isNegative === isBuy ? "UNITS" : "TOTAL";
  warnings.at(row)(`${name} contradicts ${row.name}; its sign is turned`);
  return name === "UNITS"
    ? { ...transaction, amount: negateDecimal(amount) }
    : { ...transaction, balance: negateDecimal(balance) };
}

function readInvestment(
  row: MarkupElement,
  account: OfxAccount,
  names: SecurityNames,
  warnings: FeedWarnings,
): TransactionData {
  const kind = Object.hasOwn(kinds, row.name) ? kinds[row.name] : undefined;
  if (!kind) throw refuse(row, `${quotedText(row.name)} is no kind of investment transaction`);
  const body = kind.inside ? requiredChild(row, kind.inside) : row;
  const header = requiredChild(body, "INVTRAN");
  const security = kind.security ? readSecurityId(body) : null;
  const amount = kind.units?.(body) ?? null;
  const title = textOf(header, "MEMO") ?? (typeof kind.title === "string" ? kind.title : kind.title(row));
  return {
    key: givenText(header, "FITID"),
    portfolio_key: account.key,
    holding_key: security?.key ?? null,
    operation_date: requiredDate(header, "DTTRADE"),
    description: security ? `${title}: ${names.of(security)}` : title,
    amount,
    balance: kind.cash?.(body) ?? null,
    currency: rowCurrency(body, account.currency).amounts,
    unit_price: kind.hasPrice ? warnings.optional(() => ofxDecimal(body, "UNITPRICE")) : null,
    place: placeOfRow(row),
    ...factsOfTransaction(row, body, header, amount, warnings),
    ...(security && ofxIdentifiers(security)),
  };
}

function transferAction(row: MarkupElement): "in" | "out" {
  const action = requiredText(row, "TFERACTION").toUpperCase();
  if (action !== "IN" && action !== "OUT") throw refuse(row, `TFERACTION ${quotedText(action)} is neither IN nor OUT`);
  return action === "IN" ? "in" : "out";
}

/** Some banks sign outgoing units, others rely on TFERACTION. A short position that leaves adds units. */
function transferredUnits(row: MarkupElement): string {
  const moved = requiredDecimal(row, "UNITS");
  const turn =
    transferAction(row) === "out" && textOf(row, "POSTYPE")?.toUpperCase() !== "SHORT" && /[1-9]/.test(moved);
  return turn && !moved.startsWith("-") ? `-${moved}` : moved;
}

function splitUnits(row: MarkupElement): string {
  return addDecimals(requiredDecimal(row, "NEWUNITS"), negateDecimal(requiredDecimal(row, "OLDUNITS")));
}

function incomeTitle(row: MarkupElement): string {
  const titles: Readonly<Record<string, string>> = {
    DIV: "Dividend",
    INTEREST: "Interest",
    CGLONG: "Long-term capital gain",
    CGSHORT: "Short-term capital gain",
  };
  return titles[textOf(row, "INCOMETYPE")?.toUpperCase() ?? ""] ?? "Income";
}
