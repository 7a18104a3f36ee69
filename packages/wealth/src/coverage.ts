import type { AskedAccounts, Close, ValuedAccount } from "./accounts.js";
import { type Coverage, type MissingReason, missingReasons } from "./answers.js";
import { dateOf } from "./days.js";

const MAX_DETAILS = 50;
const states = ["valued", "carried", "missing"] as const;

interface PortfolioState {
  readonly state: (typeof states)[number];
  readonly since: number | null;
  readonly reason: MissingReason | null;
}

/** The coverage of a day. `closes` are those of `accounts`, in their order. */
export function coverageOf(
  { accounts, withoutAccounts }: AskedAccounts,
  closes: readonly Close[],
  withDetails: boolean,
): Coverage {
  const portfolios = new Map<string, PortfolioState>();
  for (const [index, account] of accounts.entries()) {
    const close = closes[index];
    if (!close) continue;
    const known = portfolios.get(account.facts.shown_as);
    const own = stateOf(close);
    if (!known || isWorse(own, known)) portfolios.set(account.facts.shown_as, own);
  }
  const count = { valued: 0, carried: 0, missing: withoutAccounts.length };
  for (const { state } of portfolios.values()) count[state] += 1;
  const coverage = { portfolios: portfolios.size + withoutAccounts.length, ...count };
  if (!withDetails) return coverage;
  const never: PortfolioState = { state: "missing", since: null, reason: "no_data" };
  const all: [string | null, PortfolioState][] = [
    ...portfolios,
    ...withoutAccounts.map(() => [null, never] as const),
  ].map(([id, state]) => [id, state]);
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

function stateOf(close: Close): PortfolioState {
  if (close.state === "missing") return close;
  return { state: close.state, since: close.value.day, reason: null };
}

/** The state of the worst part is the portfolio's; of two alike the older one's. */
function isWorse(a: PortfolioState, b: PortfolioState): boolean {
  if (a.state !== b.state) return states.indexOf(a.state) > states.indexOf(b.state);
  if (a.since !== b.since) return compareSince(a.since, b.since) < 0;
  return rankOf(a.reason) > rankOf(b.reason);
}

function rankOf(reason: MissingReason | null): number {
  return reason === null ? -1 : missingReasons.indexOf(reason);
}

function compareSince(a: number | null, b: number | null): number {
  return (a ?? Number.NEGATIVE_INFINITY) < (b ?? Number.NEGATIVE_INFINITY) ? -1 : a === b ? 0 : 1;
}

function detailsOf(portfolios: readonly [string | null, PortfolioState][]): Coverage["details"] {
  return portfolios
    .filter(([, { state }]) => state !== "valued")
    .sort(
      ([idOfA, a], [idOfB, b]) =>
        states.indexOf(b.state) - states.indexOf(a.state) || compareSince(a.since, b.since) || compareIds(idOfA, idOfB),
    )
    .slice(0, MAX_DETAILS)
    .map(([portfolio_id, { state, since, reason }]) => ({
      portfolio_id,
      state: state === "missing" ? state : "carried",
      since: since === null ? null : dateOf(since),
      ...(reason && { reason }),
    }));
}

function compareIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
