import { addDecimals, compareDecimals, isDecimalString, sumDecimals } from "@org/core";
import type { HoldingData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { childOf, childrenOf, requiredChild, requiredText, textOf } from "../markup/values.js";
import { cashHolding, type StatedPortfolio } from "../stated-portfolio.js";
import { requiredCurrency, rowCurrency } from "./currency.js";
import type { OfxAccount } from "./holdings.js";
import { ofxDecimal, requiredDate, requiredDecimal, requiredInstant } from "./values.js";

/** The account of a statement. Its key is broker, number and currency, because some banks use one number for several currencies. */
export function readAccount(statement: MarkupElement): OfxAccount & { readonly number: string } {
  const from = requiredChild(statement, "INVACCTFROM");
  const currency = requiredCurrency(statement, "CURDEF");
  const number = requiredText(from, "ACCTID");
  return { key: `${requiredText(from, "BROKERID")}:${number}:${currency}`, number, currency };
}

/**
 * Reads the portfolio of a statement and its holdings: the positions, and the cash as one more. OFX has no account names, so the name is the
 * institution and the number. Pension plans (those with 401(k) data) have type PP, all others are securities accounts, S.
 */
export function readPortfolio(
  statement: MarkupElement,
  account: OfxAccount,
  positions: readonly HoldingData[],
  institution: string | null,
  warnings: FeedWarnings,
): { portfolio: StatedPortfolio; holdings: readonly HoldingData[] } {
  const from = requiredChild(statement, "INVACCTFROM");
  const number = requiredText(from, "ACCTID");
  const pension = childOf(statement, "INV401K") ?? childOf(statement, "INV401KBAL");
  const parts = { positions, worth: sumOf(statement, account, positions), cash: statedCash(statement) };
  const total = standingTotal(statement, account, parts, warnings);
  const cash = [
    cashHeld(statement, account, parts, total, warnings),
    marginDebt(statement, account, parts, warnings),
  ].filter((holding) => holding !== null);
  const statesNothing = parts.cash === null && childrenOf(statement, "INVPOSLIST").length === 0;
  const portfolio: StatedPortfolio = {
    key: account.key,
    name: `${institution ?? requiredText(from, "BROKERID")} ${number}`,
    balance: total ?? (statesNothing ? null : sumWith(statement, parts.worth, cash)),
    currency: account.currency,
    ref_account: number,
    type: pension ? "PP" : "S",
    as_of: requiredInstant(statement, "DTASOF"),
    place: placeOfRow(statement),
  };
  return { portfolio, holdings: [...positions, ...cash] };
}

function sumWith(statement: MarkupElement, worth: string | null, cash: readonly HoldingData[]): string | null {
  if (worth === null) return null;
  return keptSum(statement, sumDecimals([worth, ...cash.map(({ balance }) => balance ?? "0")]));
}

/**
 * What the customer has borrowed from the broker (a negative `MARGINBALANCE`) as a holding of its own. Null if there is none, or if it is the
 * cash already: `AVAILCASH` covers all sub-accounts.
 */
function marginDebt(
  statement: MarkupElement,
  account: OfxAccount,
  { cash }: Parts,
  warnings: FeedWarnings,
): HoldingData | null {
  const balances = childOf(statement, "INVBAL");
  const debt = balances && ofxDecimal(balances, "MARGINBALANCE");
  if (!balances || !debt?.startsWith("-")) return null;
  if (isSame(cash, debt)) {
    warnings.at(balances)(`the margin debt of ${debt} is the cash already; it is not counted again`);
    return null;
  }
  const day = requiredDate(statement, "DTASOF");
  const key = `MARGIN:${account.currency}`;
  const held = cashHolding(account.key, account.currency, debt, day, placeOfRow(balances));
  return { ...held, key, name: `Margin debt ${account.currency}` };
}

/** The parts of an account as the statement lists them. */
interface Parts {
  readonly positions: readonly HoldingData[];
  /** The sum of the positions' values; null if one is in another currency. */
  readonly worth: string | null;
  readonly cash: string | null;
}

/**
 * The stated total, unless it is zero or negative although holdings have a positive value: some plans leave all of `INV401KBAL` at zero. The
 * total stands if the statement names a margin debt that may explain it.
 */
function standingTotal(
  statement: MarkupElement,
  account: OfxAccount,
  { positions, worth, cash }: Parts,
  warnings: FeedWarnings,
): string | null {
  const total = statedTotal(statement, account);
  if (total === null || isPositive(total)) return total;
  const balances = childOf(statement, "INVBAL");
  const hasDebt = balances && ofxDecimal(balances, "MARGINBALANCE")?.startsWith("-");
  const values = worth === null ? positions.map(({ balance }) => balance) : [addDecimals(worth, cash ?? "0")];
  if (hasDebt || !values.some(isPositive)) return total;
  warnings.at(childOf(statement, "INV401KBAL") ?? balances ?? statement)(
    `states a total of ${total} over holdings that are worth more; their sum stands for it`,
  );
  return null;
}

function isPositive(value: string | null): boolean {
  return value !== null && compareDecimals(value, "0") > 0;
}

/** Names that banks use for the account's value in the list of balances, letters only, best first. */
const totalNames = ["accountvalue", "totalaccountvalue", "networth", "netaccountvalue", "totalvalue", "accounttotal"];

function statedTotal(statement: MarkupElement, account: OfxAccount): string | null {
  const pension = childOf(statement, "INV401KBAL");
  if (pension) return requiredDecimal(pension, "TOTAL");
  const balances = childOf(statement, "INVBAL");
  const list = balances && childOf(balances, "BALLIST");
  const totals = new Map<string, string>();
  for (const entry of list ? childrenOf(list, "BAL") : []) {
    const name =
      textOf(entry, "NAME")
        ?.toLowerCase()
        .replace(/[^a-z]/g, "") ?? "";
    // Whatever else a bank lists says nothing about the total.
    if (!totalNames.includes(name) || textOf(entry, "BALTYPE")?.toUpperCase() !== "DOLLAR") continue;
    const value = ofxDecimal(entry, "VALUE");
    if (value !== null && rowCurrency(entry, account.currency).amounts === account.currency && !totals.has(name))
      totals.set(name, value);
  }
  return totals.get(totalNames.find((name) => totals.has(name)) ?? "") ?? null;
}

/** Cash of the account, including sub-accounts and sweep; null if the statement does not state it. */
function statedCash(statement: MarkupElement): string | null {
  const balances = childOf(statement, "INVBAL");
  const pension = childOf(statement, "INV401KBAL");
  return (balances && ofxDecimal(balances, "AVAILCASH")) ?? (pension && ofxDecimal(pension, "CASHBAL"));
}

/**
 * The cash as a holding, so that holdings add up to the balance. Null if there is none, or if it is a position already: brokers list a sweep fund
 * among the positions, in `AVAILCASH`, or in both.
 */
function cashHeld(
  statement: MarkupElement,
  account: OfxAccount,
  { positions, worth, cash }: Parts,
  total: string | null,
  warnings: FeedWarnings,
): HoldingData | null {
  if (cash === null || !/[1-9]/.test(cash)) return null;
  const isAdded = worth !== null && isSame(total, addDecimals(worth, cash));
  const isPosition = positions.some(({ amount, balance }) => isSame(amount, cash) && isSame(balance, cash));
  if (isAdded || !(isPosition || (positions.length > 0 && isSame(total, worth)))) {
    const balances = childOf(statement, "INVBAL") ?? childOf(statement, "INV401KBAL") ?? statement;
    return cashHolding(account.key, account.currency, cash, requiredDate(statement, "DTASOF"), placeOfRow(balances));
  }
  warnings.at(statement)(`the cash of ${cash} is among the positions already; it is not counted again`);
  return null;
}

function isSame(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && compareDecimals(a, b) === 0;
}

/** The exact sum of the values; null if one is in another currency. */
function sumOf(statement: MarkupElement, account: OfxAccount, holdings: readonly HoldingData[]): string | null {
  if (holdings.some((holding) => holding.currency !== account.currency)) return null;
  return keptSum(statement, sumDecimals(holdings.map(({ balance }) => balance ?? "0")));
}

function keptSum(statement: MarkupElement, sum: string): string {
  if (!isDecimalString(sum)) throw refuse(statement, "the sum of the holdings has too many digits");
  return sum;
}
