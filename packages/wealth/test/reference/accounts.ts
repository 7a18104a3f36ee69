import type { AccountFacts, ConnectionFacts, Valuation, WealthFacts } from "../../src/facts.js";
import { type Amount, type Converter, sumByCurrency } from "./currencies.js";
import { daysBetween } from "./days.js";
import { Fraction, scaleOf } from "./fraction.js";
import { Refusal } from "./refusal.js";

/** An account that a question is about, and the connection it is of. */
export interface SelectedAccount {
  readonly connection: ConnectionFacts;
  readonly account: AccountFacts;
}

export type MissingReason = "stale" | "before_first_valuation" | "value_unknown" | "no_data";

export type State =
  | { readonly state: "valued" | "carried"; readonly valuation: Valuation }
  | { readonly state: "missing"; readonly reason: MissingReason; readonly since: string | null };

/** @throws Refusal where a portfolio that was asked for is unknown */
export function selectAccounts(facts: WealthFacts, portfolioIds: readonly string[] | null): SelectedAccount[] {
  const all = facts.connections.flatMap((connection) =>
    connection.accounts.map((account) => ({ connection, account })),
  );
  if (portfolioIds === null) return all;
  if (portfolioIds.some((id) => !all.some(({ account }) => account.shown_as === id)))
    throw new Refusal("NOT_FOUND", [{ field: "portfolio_id" }]);
  return all.filter(({ account }) => portfolioIds.includes(account.shown_as));
}

/** The stated balance, else the holdings', each in its currency, zero of the account's without any; null where it is unknown. */
export function worthOf(account: AccountFacts, valuation: Valuation): Amount[] | null {
  if (valuation.balance !== null) return [amountOf(valuation.balance, account.currency)];
  if (!valuation.has_holdings || valuation.holdings_value === null) return null;
  if (valuation.holdings_value.length === 0) return [amountOf("0", account.currency)];
  return valuation.holdings_value.map(({ amount, currency }) => amountOf(amount, currency));
}

export function amountOf(decimal: string, currency: string): Amount {
  return { value: Fraction.of(decimal), currency, scale: scaleOf(decimal) };
}

/** Those whose value is known: the others are as if nothing had come. */
export function knownValuations(account: AccountFacts): Valuation[] {
  return account.valuations.filter((valuation) => worthOf(account, valuation) !== null);
}

/** The last valuation with a known value at or before a day. */
export function lastValuation(account: AccountFacts, day: string): Valuation | null {
  return knownValuations(account).findLast((valuation) => valuation.day <= day) ?? null;
}

export function isZero(account: AccountFacts, valuation: Valuation): boolean {
  return (worthOf(account, valuation) ?? []).every((amount) => amount.value.sign === 0);
}

/** Of an account at the close of a day. */
export function stateOf(account: AccountFacts, day: string, staleAfter: number): State {
  const last = lastValuation(account, day);
  if (last !== null) {
    if (last.day === day) return { state: "valued", valuation: last };
    if (isZero(account, last) || daysBetween(last.day, day) <= staleAfter) return { state: "carried", valuation: last };
    return { state: "missing", reason: "stale", since: last.day };
  }
  if (account.valuations.length === 0) return { state: "missing", reason: "no_data", since: null };
  const hasCome = account.valuations.some((valuation) => valuation.day <= day);
  return { state: "missing", reason: hasCome ? "value_unknown" : "before_first_valuation", since: null };
}

/** What the accounts are worth at the close of a day, as far as it is known. */
export function totalsAt(
  accounts: readonly SelectedAccount[],
  day: string,
  staleAfter: number,
  converter: Converter,
): Amount[] {
  const amounts = accounts.flatMap(({ account }) => {
    const state = stateOf(account, day, staleAfter);
    if (state.state === "missing") return [];
    return (worthOf(account, state.valuation) ?? []).map((amount) => converter.convert(amount, day));
  });
  return sumByCurrency(amounts);
}

export interface CoverageDetail {
  readonly portfolio_id: string | null;
  readonly state: "carried" | "missing";
  readonly since: string | null;
  readonly reason?: MissingReason;
}

export interface Coverage {
  readonly portfolios: number;
  readonly valued: number;
  readonly carried: number;
  readonly missing: number;
  readonly details: readonly CoverageDetail[];
}

/** The states of all portfolios at the close of a day. */
export function coverageOf(
  facts: WealthFacts,
  portfolioIds: readonly string[] | null,
  day: string,
  staleAfter: number,
): Coverage {
  const details: CoverageDetail[] = [];
  let valued = 0;
  for (const connection of facts.connections) {
    if (connection.accounts.length === 0 && portfolioIds === null)
      details.push({ portfolio_id: null, state: "missing", since: null, reason: "no_data" });
    const shown = new Set(connection.accounts.map((account) => account.shown_as));
    for (const portfolioId of shown) {
      if (portfolioIds !== null && !portfolioIds.includes(portfolioId)) continue;
      const parts = connection.accounts.filter((account) => account.shown_as === portfolioId);
      const faults = parts.flatMap((account) => detailOf(portfolioId, stateOf(account, day, staleAfter)));
      const [worst] = faults.toSorted(worstFirst);
      if (worst === undefined) valued += 1;
      else details.push(worst);
    }
  }
  const missing = details.filter((detail) => detail.state === "missing").length;
  return {
    portfolios: valued + details.length,
    valued,
    carried: details.length - missing,
    missing,
    details: details.toSorted(asTold).slice(0, 50),
  };
}

function detailOf(portfolioId: string, state: State): CoverageDetail[] {
  if (state.state === "missing")
    return [{ portfolio_id: portfolioId, state: "missing", since: state.since, reason: state.reason }];
  if (state.state === "valued") return [];
  return [{ portfolio_id: portfolioId, state: "carried", since: state.valuation.day }];
}

/** The worst first. */
const reasons = ["no_data", "value_unknown", "before_first_valuation", "stale"];

/** Missing first, then the oldest, where what has no day is older than any. */
function oldestFirst(one: CoverageDetail, other: CoverageDetail): number {
  if (one.state !== other.state) return one.state === "missing" ? -1 : 1;
  if (one.since === other.since) return 0;
  return (one.since ?? "") < (other.since ?? "") ? -1 : 1;
}

/** As they are told: of one day by portfolio, null last. */
function asTold(one: CoverageDetail, other: CoverageDetail): number {
  const order = oldestFirst(one, other);
  if (order !== 0 || one.portfolio_id === other.portfolio_id) return order;
  if (one.portfolio_id === null || other.portfolio_id === null) return one.portfolio_id === null ? 1 : -1;
  return one.portfolio_id < other.portfolio_id ? -1 : 1;
}

/** Of the parts of one portfolio. */
function worstFirst(one: CoverageDetail, other: CoverageDetail): number {
  const order = oldestFirst(one, other);
  if (order !== 0) return order;
  return reasons.indexOf(one.reason ?? "") - reasons.indexOf(other.reason ?? "");
}

/** Portfolios that are the same account at the same bank: they count twice. */
export function duplicatesOf(accounts: readonly SelectedAccount[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { connection, account } of accounts) {
    if (account.ref_account === null || account.shown_as !== account.portfolio_id) continue;
    const key = JSON.stringify([connection.connector_id, account.ref_account, account.currency]);
    groups.set(key, [...(groups.get(key) ?? []), account.portfolio_id]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
