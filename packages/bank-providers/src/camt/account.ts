import { type FeedWarnings, quotedText } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { isNotGiven } from "../markup/not-given.js";
import { childrenOf, requiredChild, textAt, textOf } from "../markup/values.js";
import { dayOf, type SignedAmount, signedAmount } from "./values.js";

/** The account that a statement is about. */
export interface CashAccount {
  /** IBAN, or the bank's own account number. */
  readonly number: string;
  readonly name: string;
  /** The account's own currency, if the statement names it. */
  readonly currency: string | null;
  /** BIC of the bank that keeps the account, if the statement names it. */
  readonly servicer: string | null;
}

/** The number of the account that a statement is about. */
export function accountNumberOf(statement: MarkupElement): string {
  const id = requiredChild(requiredChild(statement, "Acct"), "Id");
  const number = textAt(id, "IBAN") ?? textAt(id, "Othr", "Id") ?? textAt(id, "PrtryAcct", "Id");
  if (number === null) throw refuse(id, "holds no account number: neither IBAN nor Othr/Id");
  return number.replaceAll(" ", "");
}

/** Reads `Acct`. The name is the one in the statement, or else the bank's name and the account number. */
export function readAccount(statement: MarkupElement, warnings: FeedWarnings): CashAccount {
  const account = requiredChild(statement, "Acct");
  const number = accountNumberOf(statement);
  const bank = textAt(account, "Svcr", "FinInstnId", "Nm") ?? textAt(account, "Svcr", "FinInstnId", "CmbndId", "Nm");
  return {
    number,
    name: textOf(account, "Nm") ?? (bank === null ? number : `${bank} ${number}`),
    currency: warnings.optional(() => ownCurrency(account)),
    servicer: textAt(account, "Svcr", "FinInstnId", "BICFI") ?? textAt(account, "Svcr", "FinInstnId", "BIC"),
  };
}

function ownCurrency(account: MarkupElement): string | null {
  const currency = textOf(account, "Ccy")?.toUpperCase() ?? null;
  if (currency === null || isNotGiven(currency)) return null;
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw refuse(requiredChild(account, "Ccy"), `${quotedText(currency)} is not a three-letter currency code`);
  }
  return currency;
}

/** A booked balance of an account, and its day. */
export interface BookedBalance extends SignedAmount {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Where the file states it, or what it is computed from. */
  readonly place: string;
}

/** Codes of closing balances, best first: closing booked, or else the interim balance of an unfinished day. */
const closingCodes = ["CLBD", "ITBD"];

/**
 * The closing booked balances of a statement, one per currency, in file order. All other balances (opening, available, expected) are left
 * out. Of several in one currency the latest counts, and of several of one day the last.
 */
export function readClosingBalances(statement: MarkupElement): readonly BookedBalance[] {
  const balances = childrenOf(statement, "Bal");
  const best = closingCodes.find((code) => balances.some((balance) => codeOf(balance) === code));
  const latest = new Map<string, BookedBalance>();
  for (const balance of balances.filter((one) => codeOf(one) === best && best !== undefined)) {
    const read = readBalance(balance);
    const earlier = latest.get(read.currency);
    if (!earlier || earlier.day <= read.day) latest.set(read.currency, read);
  }
  return [...latest.values()];
}

/** The opening booked balance of a statement; null if it has none, or several. */
export function readOpeningBalance(statement: MarkupElement): BookedBalance | null {
  const balances = childrenOf(statement, "Bal").filter((balance) => ["OPBD", "PRCD"].includes(codeOf(balance) ?? ""));
  const [only] = balances;
  return only && balances.length === 1 ? readBalance(only) : null;
}

function readBalance(balance: MarkupElement): BookedBalance {
  return { day: dayOf(requiredChild(balance, "Dt")), ...signedAmount(balance), place: placeOfRow(balance) };
}

function codeOf(balance: MarkupElement): string | null {
  return textAt(balance, "Tp", "CdOrPrtry", "Cd");
}
