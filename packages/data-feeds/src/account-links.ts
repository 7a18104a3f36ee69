import type { AccountLink, FeedAccount, PortfolioRow } from "@org/core";
import { addDecimals } from "@org/core";
import { z } from "zod";
import { groupBy } from "./group-by.js";

/** A number of an account as it is compared: letters and digits only. Letters and files group it differently. */
export function accountNumber(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Which accounts are shown within the portfolio of another one: ids of both. */
export type Placement = ReadonlyMap<string, string>;

/**
 * What the links come to among the accounts that are known. A cash account is shown within the one account, no cash account itself, that
 * its link names; while there is none, or more than one, it is a portfolio of its own.
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
 * The portfolios as they are shown: each account that is placed nowhere, with those that are placed in it. The balance is what the
 * account states with what its parts hold, null where its own is null or a part has another currency.
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

/** A part of which movements only are known adds nothing yet. */
function balanceWith({ balance, currency }: Pick<PortfolioRow, "balance" | "currency">, parts: readonly FeedAccount[]) {
  let sum = balance;
  for (const part of parts.filter(({ as_of }) => as_of.getTime() > 0))
    sum = sum === null || part.balance === null || part.currency !== currency ? null : addDecimals(sum, part.balance);
  return sum;
}

/** What may say by itself which accounts belong together. */
export interface LinkSources {
  /** Numbers of accounts that the connection's letter names; empty where it names none. */
  readonly letter: readonly string[];
  /** Of the connector. */
  readonly rules: readonly AccountRule[];
}

/** Links with those that letter and rules give now in the place of those that they gave before. What an operator says stays. */
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
 * The number of the one depot that a letter names beside cash accounts. While one of its numbers is unknown, or stands for two accounts
 * that are not cash, it could be another depot, and nothing is said.
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

/** Whether two lists say the same. */
export function sameLinks(a: readonly AccountLink[], b: readonly AccountLink[]): boolean {
  const told = (links: readonly AccountLink[]) =>
    links.map(({ account, portfolio, origin }) => JSON.stringify([account, portfolio, origin])).sort();
  return told(a).join() === told(b).join();
}

/** Which depot a cash account belongs to, by their numbers as the custodian writes them. */
export interface AccountRule {
  readonly cash: RegExp;
  /** Number of the depot; `$1` to `$9` are the groups of `cash`. */
  readonly depot: string;
}

/**
 * Patterns whose time is bounded by the length of a number: groups are neither repeated nor nested, there are no alternatives, and at
 * most three parts have a length that is not fixed.
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

/** Most characters of a number that a rule is tried on. */
const MAX_NUMBER = 60;

/** The rules that a connector has (`account_rules` of its row), and what is wrong with them; none where there are none. */
export function accountRulesOf(stated: unknown): { rules: readonly AccountRule[]; fault: string | null } {
  if (stated === undefined || stated === null) return { rules: [], fault: null };
  const { data, error } = rulesSchema.safeParse(stated);
  if (data) return { rules: data, fault: null };
  const [issue] = error.issues;
  return { rules: [], fault: `account_rules${issue ? `.${issue.path.join(".")}: ${issue.message}` : ""}` };
}

/** What the first rule that fits says. */
function linkByRule(number: string, rules: readonly AccountRule[]): string | null {
  if (number.length > MAX_NUMBER) return null;
  for (const { cash, depot } of rules) {
    const match = cash.exec(number);
    if (match)
      return accountNumber(depot.replace(/\$([1-9])/g, (_, group: string) => match[Number(group)] ?? "")) || null;
  }
  return null;
}
