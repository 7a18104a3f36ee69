import { addDecimals, compareDecimals, isDecimalString, sumDecimals } from "@org/core";
import type { HoldingData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import { type MarkupElement, refuse } from "../markup/element.js";
import { childOf, childrenOf, requiredChild, requiredText } from "../markup/values.js";
import { cashHolding, type StatedPortfolio } from "../stated-portfolio.js";
import { requiredCurrency, rowCurrency } from "./currency.js";
import type { OfxAccount } from "./holdings.js";
import { ofxDecimal, requiredDate, requiredDecimal, requiredInstant } from "./values.js";

/** The account that a statement is about. Its key is broker, number and currency: some banks keep one number per currency. */
export function readAccount(statement: MarkupElement): OfxAccount {
  const from = requiredChild(statement, "INVACCTFROM");
  const currency = requiredCurrency(statement, "CURDEF");
  return { key: `${requiredText(from, "BROKERID")}:${requiredText(from, "ACCTID")}:${currency}`, currency };
}

/**
 * The portfolio of a statement and all it holds: its positions, and its cash as one more. OFX gives accounts no name, so it is the
 * institution and the number. Pension plans (those with 401(k) data) are PP, all others securities accounts, S.
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
  const cash = cashHeld(statement, account, parts, total, warnings);
  const statesNothing = parts.cash === null && !childOf(statement, "INVPOSLIST");
  const portfolio: StatedPortfolio = {
    key: account.key,
    name: `${institution ?? requiredText(from, "BROKERID")} ${number}`,
    balance: total ?? (statesNothing ? null : sumWith(statement, parts.worth, cash)),
    currency: account.currency,
    ref_account: number,
    type: pension ? "PP" : "S",
    as_of: requiredInstant(statement, "DTASOF"),
  };
  return { portfolio, holdings: cash ? [...positions, cash] : positions };
}

function sumWith(statement: MarkupElement, worth: string | null, cash: HoldingData | null): string | null {
  return worth === null || !cash?.balance ? worth : keptSum(statement, addDecimals(worth, cash.balance));
}

/** What an account holds, as the statement lists it. */
interface Parts {
  readonly positions: readonly HoldingData[];
  /** The sum of the positions' values; null where one is in another currency. */
  readonly worth: string | null;
  readonly cash: string | null;
}

/**
 * The total that the statement states, unless it is zero or less over holdings that are worth something: some plans leave all of
 * `INV401KBAL` at zero. A margin debt that the statement names may explain it.
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

/** Names under which banks put the value of the whole account into the list of balances, letters only, best first. */
const totalNames = ["accountvalue", "totalaccountvalue", "networth", "netaccountvalue", "totalvalue", "accounttotal"];

function statedTotal(statement: MarkupElement, account: OfxAccount): string | null {
  const pension = childOf(statement, "INV401KBAL");
  if (pension) return requiredDecimal(pension, "TOTAL");
  const balances = childOf(statement, "INVBAL");
  const list = balances && childOf(balances, "BALLIST");
  const totals = new Map<string, string>();
  for (const entry of list ? childrenOf(list, "BAL") : []) {
    if (requiredText(entry, "BALTYPE").toUpperCase() !== "DOLLAR") continue;
    const value = requiredDecimal(entry, "VALUE");
    const name = requiredText(entry, "NAME")
      .toLowerCase()
      .replace(/[^a-z]/g, "");
    if (rowCurrency(entry, account.currency).amounts === account.currency && !totals.has(name)) totals.set(name, value);
  }
  return totals.get(totalNames.find((name) => totals.has(name)) ?? "") ?? null;
}

/** Cash of the account, sub-accounts and sweep included; null where the statement does not say. */
function statedCash(statement: MarkupElement): string | null {
  const balances = childOf(statement, "INVBAL");
  const pension = childOf(statement, "INV401KBAL");
  return (balances && ofxDecimal(balances, "AVAILCASH")) ?? (pension && ofxDecimal(pension, "CASHBAL"));
}

/**
 * The cash as a holding, so that holdings add up to the balance. None where there is none, or where it is a position already: a
 * sweep fund is in the list of positions at one broker and in `AVAILCASH` at another, and at some in both.
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
    return cashHolding(account.key, account.currency, cash, requiredDate(statement, "DTASOF"));
  }
  warnings.at(statement)(`the cash of ${cash} is among the positions already; it is not counted again`);
  return null;
}

function isSame(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && compareDecimals(a, b) === 0;
}

/** The exact sum of values; null where one is in another currency. */
function sumOf(statement: MarkupElement, account: OfxAccount, holdings: readonly HoldingData[]): string | null {
  if (holdings.some((holding) => holding.currency !== account.currency)) return null;
  return keptSum(statement, sumDecimals(holdings.map(({ balance }) => balance ?? "0")));
}

function keptSum(statement: MarkupElement, sum: string): string {
  if (!isDecimalString(sum)) throw refuse(statement, "the sum of the holdings has too many digits");
  return sum;
}
