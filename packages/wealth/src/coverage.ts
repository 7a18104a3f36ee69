import type { AskedAccounts, Close, CloseRun } from "./accounts.js";
import { type Coverage, missingReasons } from "./answers.js";
import { dateOf } from "./days.js";
import type { AccountFacts } from "./facts.js";

const MAX_DETAILS = 50;
/** How many portfolios of a day are kept before all but those that an answer names are dropped. */
const MAX_KEPT = 500;
const states = ["valued", "carried", "missing"] as const;

/** A portfolio that is not valued on a day. */
type Lack = readonly [portfolio_id: string | null, close: Close];

/** Counts how portfolios stand on each day of a list. They may come in any order: no more of them is kept than answers say. */
export class CoverageCounts {
  private portfolios = 0;
  private withoutAccounts = 0;
  /** By state: how much the count of a day differs from that of the day before. */
  private readonly changes: Readonly<Record<Close["state"], Int32Array>>;
  private readonly lacks: Lack[][] | null;

  constructor(
    private readonly days: number,
    withDetails: boolean,
  ) {
    const none = () => new Int32Array(days + 1);
    this.changes = { valued: none(), carried: none(), missing: none() };
    this.lacks = withDetails ? Array.from({ length: days }, () => []) : null;
  }

  /** Counts a portfolio; `parts` are its accounts at the closes of all days. */
  add(id: string, parts: readonly (readonly CloseRun[])[]): void {
    this.portfolios += 1;
    const [only = []] = parts;
    for (const run of parts.length === 1 ? only : this.worstOf(parts)) {
      const change = this.changes[run.close.state];
      change[run.from] = (change[run.from] ?? 0) + 1;
      change[run.to] = (change[run.to] ?? 0) - 1;
      if (this.lacks && run.close.state !== "valued") this.keep([id, run.close], run.from, run.to);
    }
  }

  /** Counts a connection that never delivered an account. */
  addWithoutAccounts(): void {
    this.withoutAccounts += 1;
    if (this.lacks) this.keep([null, { state: "missing", since: null, reason: "no_data" }], 0, this.days);
  }

  /** The coverage of each day. */
  coverages(): Coverage[] {
    const count = { valued: 0, carried: 0, missing: this.withoutAccounts };
    return Array.from({ length: this.days }, (_, at) => {
      for (const state of states) count[state] += this.changes[state][at] ?? 0;
      const coverage = { portfolios: this.portfolios + this.withoutAccounts, ...count };
      return this.lacks ? { ...coverage, details: firstOf(this.lacks[at] ?? []).map(detailOf) } : coverage;
    });
  }

  /** The worst part's state is the portfolio's. */
  private worstOf(parts: readonly (readonly CloseRun[])[]): CloseRun[] {
    const worst: Close[] = [];
    for (const part of parts) {
      for (const { from, to, close } of part) {
        for (let at = from; at < to; at += 1) {
          const known = worst[at];
          if (!known || isWorse(close, known)) worst[at] = close;
        }
      }
    }
    return worst.map((close, at) => ({ from: at, to: at + 1, close }));
  }

  private keep(lack: Lack, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const ofDay = this.lacks?.[at];
      ofDay?.push(lack);
      if (this.lacks && ofDay && ofDay.length >= MAX_KEPT) this.lacks[at] = firstOf(ofDay);
    }
  }
}

/** The coverage of a day. `closes` are those of `accounts`, in their order. */
export function coverageOf(
  { portfolios, portfolioOf, withoutAccounts }: AskedAccounts,
  closes: readonly Close[],
): Coverage {
  const counts = new CoverageCounts(1, true);
  const parts = portfolios.map((): CloseRun[][] => []);
  for (const [index, close] of closes.entries()) parts[portfolioOf[index] ?? 0]?.push([{ from: 0, to: 1, close }]);
  for (const [place, ofPortfolio] of parts.entries()) counts.add(portfolios[place] ?? "", ofPortfolio);
  for (const _ of withoutAccounts) counts.addWithoutAccounts();
  const [coverage] = counts.coverages();
  return coverage as Coverage;
}

/** Finds portfolios that are the same account of a bank, connected more than once: they count as often. */
export class Duplicates {
  private readonly groups = new Map<string, string | Set<string>>();

  add({ ref_account, portfolio_id, shown_as, currency }: AccountFacts, connectorId: string): void {
    if (ref_account === null || portfolio_id !== shown_as) return;
    const key = JSON.stringify([connectorId, ref_account, currency]);
    const known = this.groups.get(key);
    // One string for each: a set is made only for those that are found again.
    if (known === undefined) this.groups.set(key, portfolio_id);
    else if (typeof known !== "string") known.add(portfolio_id);
    else if (known !== portfolio_id) this.groups.set(key, new Set([known, portfolio_id]));
  }

  /** `duplicates`, where there are any. */
  found(): { duplicates?: string[][] } {
    const duplicates = [...this.groups.values()].flatMap((ids) => (typeof ids === "string" ? [] : [[...ids]]));
    return duplicates.length > 0 ? { duplicates } : {};
  }
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

/** Those that answers name: missing ones first, then the oldest. */
function firstOf(lacks: readonly Lack[]): Lack[] {
  return lacks
    .toSorted(
      ([idOfA, a], [idOfB, b]) =>
        states.indexOf(b.state) - states.indexOf(a.state) ||
        compareSince(sinceOf(a), sinceOf(b)) ||
        compareIds(idOfA, idOfB),
    )
    .slice(0, MAX_DETAILS);
}

function detailOf([portfolio_id, close]: Lack): NonNullable<Coverage["details"]>[number] {
  const since = sinceOf(close);
  return {
    portfolio_id,
    state: close.state === "missing" ? close.state : "carried",
    since: since === null ? null : dateOf(since),
    ...(close.state === "missing" && { reason: close.reason }),
  };
}

function compareIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
