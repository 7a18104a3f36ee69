import type { Steps } from "@org/provider-kit";
import type { MissingReason } from "./answers.js";
import { type DayList, dayNumber } from "./days.js";
import type { AccountFacts, ConnectionFacts, Money, Valuation, WealthFacts } from "./facts.js";
import { WealthError } from "./wealth-error.js";

/** Which portfolios a question is about, and how old a value may be. */
export interface PortfolioChoice {
  /** Portfolios as they are shown; null = all. */
  readonly portfolio_ids: readonly string[] | null;
  /** How many days a value may be carried. */
  readonly stale_after: number;
}

/** An account with the valuations that have a value. One without a value is as if it had not come. */
export interface ValuedAccount {
  readonly facts: AccountFacts;
  readonly connection: ConnectionFacts;
  /** Ascending. */
  readonly values: readonly Value[];
  /** The first day of a valuation without a value. */
  readonly firstUnknown: number | null;
}

/** A valuation with its value. */
export interface Value {
  readonly day: number;
  readonly amounts: readonly Money[];
  readonly valuation: Valuation;
}

/** What an account is worth at the close of a day. */
export type Close =
  | { readonly state: "valued" | "carried"; readonly value: Value }
  | { readonly state: "missing"; readonly reason: MissingReason; readonly since: number | null };

/** A close that is the same on days of a {@link DayList}, those at the indexes from `from` to before `to`. */
export interface CloseRun {
  readonly from: number;
  readonly to: number;
  readonly close: Close;
}

/** The accounts in question and the connections that never delivered any. */
export interface AskedAccounts {
  readonly accounts: readonly ValuedAccount[];
  /** The portfolios that they are shown as, and of each account, in their order, which one of these. */
  readonly portfolios: readonly string[];
  readonly portfolioOf: readonly number[];
  readonly withoutAccounts: readonly ConnectionFacts[];
}

/**
 * The accounts that a question is about; one in a step.
 * @throws WealthError NOT_FOUND if a portfolio is not among the facts
 */
export function* askedAccounts(facts: WealthFacts, scope: PortfolioChoice): Steps<AskedAccounts> {
  const asked = scope.portfolio_ids && new Set(scope.portfolio_ids);
  const accounts: ValuedAccount[] = [];
  for (const connection of facts.connections) {
    for (const account of connection.accounts) {
      yield;
      if (!asked || asked.has(account.shown_as)) accounts.push(valuedAccount(account, connection));
    }
  }
  const found = new Map<string, number>();
  const portfolioOf = accounts.map((account) => {
    const place = found.get(account.facts.shown_as) ?? found.size;
    found.set(account.facts.shown_as, place);
    return place;
  });
  refuseUnknown(scope, found);
  const withoutAccounts = asked ? [] : facts.connections.filter((connection) => connection.accounts.length === 0);
  return { accounts, portfolios: [...found.keys()], portfolioOf, withoutAccounts };
}

/** @throws WealthError NOT_FOUND if a portfolio that is asked for is not among those that were found */
export function refuseUnknown({ portfolio_ids }: PortfolioChoice, found: Pick<ReadonlySet<string>, "has">): void {
  const unknown = portfolio_ids?.find((id) => !found.has(id));
  if (unknown !== undefined)
    throw new WealthError("NOT_FOUND", `there is no portfolio ${unknown}`, { field: "portfolio_id" });
}

/** An account at the close of a day (§2). `index` is that of the last value at or before the day, -1 = none. */
export function closeOf(account: ValuedAccount, index: number, day: number, staleAfter: number): Close {
  const value = account.values[index];
  if (!value) return { state: "missing", reason: reasonWithoutValue(account, day), since: null };
  if (value.day === day) return { state: "valued", value };
  if (day - value.day <= staleAfter || isZeroValue(value)) return { state: "carried", value };
  return { state: "missing", reason: "stale", since: value.day };
}

/** An account at the close of each day of a list (§2), in order. */
export function closeRuns(account: ValuedAccount, days: DayList, staleAfter: number): CloseRun[] {
  const runs: CloseRun[] = [];
  const add = (from: number, to: number, close: Close) => {
    if (from < to) runs.push({ from, to, close });
  };
  const { values, firstUnknown } = account;
  const [firstValue] = values;
  const first = firstValue ? days.indexFrom(firstValue.day) : days.length;
  if (first > 0) {
    const unknown = firstUnknown === null ? first : Math.min(days.indexFrom(firstUnknown), first);
    const reason = isNeverValued(account) ? "no_data" : "before_first_valuation";
    add(0, unknown, { state: "missing", reason, since: null });
    add(unknown, first, { state: "missing", reason: "value_unknown", since: null });
  }
  for (let index = 0, from = first; index < values.length && from < days.length; index += 1) {
    const value = values[index];
    const after = values[index + 1];
    const to = after ? days.indexFrom(after.day) : days.length;
    if (!value || from >= to) continue;
    const carried = days.days[from] === value.day ? from + 1 : from;
    let stale = Math.min(days.indexFrom(value.day + staleAfter + 1), to);
    if (stale < to && isZeroValue(value)) stale = to;
    stale = Math.max(stale, carried);
    add(from, carried, { state: "valued", value });
    add(carried, stale, { state: "carried", value });
    add(stale, to, { state: "missing", reason: "stale", since: value.day });
    from = to;
  }
  return runs;
}

/** Whether a value is zero, which does not grow old. */
export function isZeroValue({ amounts }: Value): boolean {
  return amounts.every(({ amount }) => !/[1-9]/.test(amount));
}

/** The index of the last value at or before a day; -1 = none. */
export function lastValueIndex(values: readonly Value[], day: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle]?.day ?? 0) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Whether an account has no valuation, with or without a value. Its facts are not asked: each look may work them all out anew. */
export function isNeverValued({ values, firstUnknown }: ValuedAccount): boolean {
  return values.length === 0 && firstUnknown === null;
}

function reasonWithoutValue(account: ValuedAccount, day: number): MissingReason {
  if (account.firstUnknown !== null && account.firstUnknown <= day) return "value_unknown";
  return isNeverValued(account) ? "no_data" : "before_first_valuation";
}

/** An account with what its valuations are worth. */
export function valuedAccount(facts: AccountFacts, connection: ConnectionFacts): ValuedAccount {
  const values: Value[] = [];
  let firstUnknown: number | null = null;
  for (const valuation of facts.valuations) {
    const day = dayNumber(valuation.day);
    const amounts = amountsOf(valuation, facts.currency);
    if (amounts) values.push({ day, amounts, valuation });
    else firstUnknown ??= day;
  }
  return { facts, connection, values, firstUnknown };
}

/** The stated balance, else the holdings'; null = unknown. Holdings that are known to be none are zero in the account's currency. */
function amountsOf({ balance, holdings_value, has_holdings }: Valuation, currency: string): readonly Money[] | null {
  if (balance !== null) return [{ amount: balance, currency }];
  if (holdings_value === null || !has_holdings) return null;
  return holdings_value.length === 0 ? [{ amount: "0", currency }] : holdings_value;
}
