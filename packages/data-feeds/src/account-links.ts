import type { AccountLink, FeedAccount, PortfolioRow } from "@org/core";
import { addDecimals } from "@org/core";
import { z } from "zod";
import { groupBy } from "./group-by.js";

/** An account number in the form used for comparison: letters and digits only. Letters and files group the digits differently. */
export function accountNumber(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Maps an account's portfolio id to that of the portfolio in which it is shown. */
export type Placement = ReadonlyMap<string, string>;

/**
 * Resolves links among the known accounts. A cash account is shown within the one account, itself not a cash account, that its link names. If no
 * account has that number, or several have it, the cash account remains a portfolio of its own.
 */
export function placementOf(accounts: readonly FeedAccount[], links: readonly AccountLink[]): Placement {
  if (links.length === 0) return new Map();
  const linked = new Map(links.map(({ account, portfolio }) => [account, portfolio]));
  const depots = groupBy(
    accounts.filter(({ is_cash }) => !is_cash),
    ({ number }) => accountNumber(number),
  );
  return new Map(
    accounts.flatMap(({ portfolio_id, number, is_cash }) => {
      const portfolio = is_cash ? linked.get(accountNumber(number)) : null;
      const [depot, ...others] = (portfolio && depots.get(portfolio)) || [];
      return depot === undefined || others.length > 0 ? [] : [[portfolio_id, depot.portfolio_id] as const];
    }),
  );
}

/**
 * The portfolios to show: each account that is not placed in another one, together with those placed in it. The balance adds those of the parts
 * to the account's own; it is null where its own is null or a part has another currency.
 */
export function shownPortfolios(accounts: readonly FeedAccount[], placement: Placement): readonly PortfolioRow[] {
  const parts = groupBy(accounts, ({ portfolio_id }) => placement.get(portfolio_id));
  return accounts
    .filter(({ portfolio_id }) => !placement.has(portfolio_id))
    .map(({ number: _, is_cash: __, as_of: ___, ...row }) => {
      const within = parts.get(row.portfolio_id);
      if (!within) return row;
      return {
        ...row,
        balance: balanceWith(row, within),
        parts: within.map(({ portfolio_id }) => portfolio_id),
      };
    });
}

/** A part without a stated balance, known only from movements, adds nothing. */
function balanceWith({ balance, currency }: Pick<PortfolioRow, "balance" | "currency">, parts: readonly FeedAccount[]) {
  let sum = balance;
  for (const part of parts.filter(({ as_of }) => as_of.getTime() > 0))
    sum = sum === null || part.balance === null || part.currency !== currency ? null : addDecimals(sum, part.balance);
  return sum;
}

/** Where links between accounts come from, besides operators. */
export interface LinkSources {
  /** Account numbers that the connection's letter names; empty if it names none. */
  readonly letter: readonly string[];
  /** Rules of the connector. */
  readonly rules: readonly AccountRule[];
}

/** Replaces the links from letter and rules by the current ones. Links set by an operator stay. */
export function currentLinks(
  accounts: readonly FeedAccount[],
  known: readonly AccountLink[],
  { letter, rules }: LinkSources,
): readonly AccountLink[] {
  const links = new Map<string, AccountLink>();
  for (const link of known) if (link.origin === "operator") links.set(link.account, link);
  const cash = accounts.filter(({ is_cash }) => is_cash);
  const depot = depotOfLetter(accounts, letter);
  const named = new Set(letter.map(accountNumber));
  for (const { number } of cash) {
    const account = accountNumber(number);
    if (account === "" || links.has(account)) continue;
    const ruled = linkByRule(number, rules);
    if (depot !== null && named.has(account)) links.set(account, { account, portfolio: depot, origin: "letter" });
    else if (ruled !== null) links.set(account, { account, portfolio: ruled, origin: "rule" });
  }
  return [...links.values()].sort((a, b) => (a.account < b.account ? -1 : 1));
}

/**
 * The number of the one depot that a letter names beside cash accounts. Null while one of the letter's numbers is unknown or stands for two
 * accounts that are not cash, because the depot could then be another one.
 */
function depotOfLetter(accounts: readonly FeedAccount[], letter: readonly string[]): string | null {
  const known = new Map<string, { cash: number; depots: number }>();
  for (const { number, is_cash } of accounts) {
    const found = known.get(accountNumber(number)) ?? { cash: 0, depots: 0 };
    if (is_cash) found.cash += 1;
    else found.depots += 1;
    known.set(accountNumber(number), found);
  }
  const named = [...new Set(letter.map(accountNumber))];
  if (named.some((number) => !known.has(number))) return null;
  const [depot, ...others] = named.filter((number) => (known.get(number)?.depots ?? 0) > 0);
  return depot === undefined || others.length > 0 || known.get(depot)?.depots !== 1 ? null : depot;
}

export function sameLinks(a: readonly AccountLink[], b: readonly AccountLink[]): boolean {
  const told = (links: readonly AccountLink[]) =>
    links.map(({ account, portfolio, origin }) => JSON.stringify([account, portfolio, origin])).sort();
  return told(a).join() === told(b).join();
}

/** Derives a cash account's depot from the account numbers as the custodian writes them. */
export interface AccountRule {
  readonly cash: RegExp;
  /** Number of the depot; `$1` to `$9` stand for the groups of `cash`. */
  readonly depot: string;
}

/**
 * Patterns that match in time bounded by the length of a number: no alternatives, no repeated or nested groups, and at most three parts of open
 * length.
 */
const atom = String.raw`(?:\\[dDwWsS]|\\[.\-/$^()\[\]{}*+?|\\]|[\p{L}\p{N} ./:_,\-]|\[\^?(?:\\[dDwWsS.\-/\]\[^\\]|[\p{L}\p{N} ./:_,\-])+\])(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?`;
const boundedPattern = new RegExp(String.raw`^\^?(?:\((?:\?:)?(?:${atom})*\)|${atom})*\$?$`, "u");
const openEnded = /(?<!\\)(?:[*+?]|\{\d+,\d*\})/g;

function isBounded(pattern: string): boolean {
  if (!boundedPattern.test(pattern)) return false;
  if ([...pattern.replaceAll("(?:", "(").matchAll(openEnded)].length > 3) return false;
  try {
    return new RegExp(pattern, "u").exec("") !== undefined;
  } catch {
    return false;
  }
}

const ruleSchema = z.strictObject({
  cash: z
    .string()
    .min(1)
    .max(200)
    .refine(isBounded, {
      message:
        "must be a pattern of characters, classes and plain groups, without alternatives or repeated groups, and with at most 3 parts of open length",
      abort: true,
    })
    .transform((pattern) => new RegExp(pattern, "u")),
  depot: z.string().min(1).max(100),
});
const rulesSchema = z.array(ruleSchema).max(20);

/** Maximum length of a number to which rules are applied. */
const MAX_NUMBER = 60;

/** Parses a connector's `account_rules`. Returns no rules if there are none, or if they have a fault. */
export function accountRulesOf(stated: unknown): { rules: readonly AccountRule[]; fault: string | null } {
  if (stated === undefined || stated === null) return { rules: [], fault: null };
  const { data, error } = rulesSchema.safeParse(stated);
  if (data) return { rules: data, fault: null };
  const [issue] = error.issues;
  return { rules: [], fault: `account_rules${issue ? `.${issue.path.join(".")}: ${issue.message}` : ""}` };
}

/** The depot according to the first rule that matches. */
function linkByRule(number: string, rules: readonly AccountRule[]): string | null {
  if (number.length > MAX_NUMBER) return null;
  for (const { cash, depot } of rules) {
    const match = cash.exec(number);
    if (match)
      return accountNumber(depot.replace(/\$([1-9])/g, (_, group: string) => match[Number(group)] ?? "")) || null;
  }
  return null;
}
