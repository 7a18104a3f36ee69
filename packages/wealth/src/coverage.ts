import type { AskedAccounts, Close, ValuedAccount } from "./accounts.js";
import { type Coverage, missingReasons } from "./answers.js";
import { dateOf } from "./days.js";

const MAX_DETAILS = 50;
const states = ["valued", "carried", "missing"] as const;

/** The coverage of a day. `closes` are those of `accounts`, in their order. */
export function coverageOf(
  { portfolios, portfolioOf, withoutAccounts }: AskedAccounts,
  closes: readonly Close[],
  withDetails: boolean,
): Coverage {
  const worst: Close[] = [];
  for (const [index, close] of closes.entries()) {
    const place = portfolioOf[index] ?? 0;
    const known = worst[place];
    if (!known || isWorse(close, known)) worst[place] = close;
  }
  const count = { valued: 0, carried: 0, missing: withoutAccounts.length };
  for (const { state } of worst) count[state] += 1;
  const coverage = { portfolios: portfolios.length + withoutAccounts.length, ...count };
  if (!withDetails) return coverage;
  const never: Close = { state: "missing", since: null, reason: "no_data" };
  const all: [string | null, Close][] = [
    ...worst.map((close, place): [string | null, Close] => [portfolios[place] ?? null, close]),
    ...withoutAccounts.map((): [null, Close] => [null, never]),
  ];
  return { ...coverage, details: detailsOf(all) };
}

/** Portfolios that are the same account of a bank, connected more than once: they count as often. */
export function duplicatesOf(accounts: readonly ValuedAccount[]): string[][] {
  const groups = new Map<string, Set<string>>();
  for (const { facts, connection } of accounts) {
    if (facts.ref_account === null || facts.portfolio_id !== facts.shown_as) continue;
    const key = JSON.stringify([connection.connector_id, facts.ref_account, facts.currency]);
    groups.set(key, (groups.get(key) ?? new Set()).add(facts.portfolio_id));
  }
  return [...groups.values()].filter((ids) => ids.size > 1).map((ids) => [...ids]);
}

function sinceOf(close: Close): number | null {
  return close.state === "missing" ? close.since : close.value.day;
}

/** The state of the worst part is the portfolio's; of two alike the older one's. */
function isWorse(a: Close, b: Close): boolean {
  if (a.state !== b.state) return states.indexOf(a.state) > states.indexOf(b.state);
  const [sinceOfA, sinceOfB] = [sinceOf(a), sinceOf(b)];
  if (sinceOfA !== sinceOfB) return compareSince(sinceOfA, sinceOfB) < 0;
  return rankOf(a) > rankOf(b);
}

function rankOf(close: Close): number {
  return close.state === "missing" ? missingReasons.indexOf(close.reason) : -1;
}

function compareSince(a: number | null, b: number | null): number {
  return (a ?? Number.NEGATIVE_INFINITY) < (b ?? Number.NEGATIVE_INFINITY) ? -1 : a === b ? 0 : 1;
}

function detailsOf(portfolios: readonly [string | null, Close][]): Coverage["details"] {
  return portfolios
    .filter(([, { state }]) => state !== "valued")
    .sort(
      ([idOfA, a], [idOfB, b]) =>
        states.indexOf(b.state) - states.indexOf(a.state) ||
        compareSince(sinceOf(a), sinceOf(b)) ||
        compareIds(idOfA, idOfB),
    )
    .slice(0, MAX_DETAILS)
    .map(([portfolio_id, close]) => {
      const since = sinceOf(close);
      return {
        portfolio_id,
        state: close.state === "missing" ? close.state : "carried",
        since: since === null ? null : dateOf(since),
        ...(close.state === "missing" && { reason: close.reason }),
      };
    });
}

function compareIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
