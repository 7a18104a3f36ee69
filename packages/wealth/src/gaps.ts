import type { Steps } from "@org/provider-kit";
import { type AskedAccounts, isNeverValued, isZeroValue, lastValueIndex, type ValuedAccount } from "./accounts.js";
import type { Gap } from "./answers.js";
import { dateOf, dayNumber } from "./days.js";

/** The days of a performance: the close that it opens with, and its last day. */
export interface Period {
  readonly opening: number;
  readonly last: number;
}

/** In which order reasons are named. */
const reasons: readonly Gap["reason"][] = [
  "stale",
  "no_data",
  "value_unknown",
  "no_opening_value",
  "difference",
  "movements_unread",
  "movement_unclear",
  "flow_value_unknown",
];

/** What is not known of a period besides its movements. `needed`: the days at whose close a value of each account is needed, ascending. */
export function* gapsOf(
  { accounts, withoutAccounts }: AskedAccounts,
  period: Period,
  needed: readonly number[],
  staleAfter: number,
): Steps<Gap[]> {
  const gaps: Gap[] = withoutAccounts.map(() => ({ reason: "no_data", portfolio_id: null }));
  for (const account of accounts) {
    yield;
    const { shown_as: portfolio_id } = account.facts;
    for (const gap of staleGaps(account, needed, period.last, staleAfter)) gaps.push(gap);
    if (isNeverValued(account)) gaps.push({ reason: "no_data", portfolio_id });
    else if (lastValueIndex(account.values, period.last) < 0 && (account.firstUnknown ?? Infinity) <= period.last)
      gaps.push({ reason: "value_unknown", portfolio_id });
    gaps.push(...differencesOf(account, period));
  }
  if (!accounts.some(({ values }) => lastValueIndex(values, period.opening) >= 0)) {
    const first = firstValueDay(accounts, { opening: period.opening, last: Infinity });
    const first_valuation = first === null ? null : dateOf(first);
    gaps.push({ reason: "no_opening_value", date: dateOf(period.opening), first_valuation });
  }
  gaps.push(...unreadMovements(accounts, period));
  return gaps;
}

/** The gaps in the order in which answers name them: by reason, then by day, then by what they are of. None is named twice. */
export function inOrder(gaps: readonly Gap[]): Gap[] {
  const keyed = new Map(gaps.map((gap) => [`${dayOf(gap)} ${JSON.stringify(gap)}`, gap]));
  return [...keyed]
    .sort(
      ([keyOfA, a], [keyOfB, b]) => reasons.indexOf(a.reason) - reasons.indexOf(b.reason) || (keyOfA < keyOfB ? -1 : 1),
    )
    .map(([, gap]) => gap);
}

/** The first day after the opening on which any account has a value; null if there is none in the period. */
export function firstValueDay(accounts: readonly ValuedAccount[], { opening, last }: Period): number | null {
  const firsts = accounts.map(({ values }) => values[lastValueIndex(values, opening) + 1]?.day ?? Infinity);
  const first = Math.min(...firsts, Infinity);
  return Number.isFinite(first) && first <= last ? first : null;
}

/** Where the last valuation is too old at the close of a day that is needed. */
function staleGaps(
  { facts, values }: ValuedAccount,
  needed: readonly number[],
  last: number,
  staleAfter: number,
): Gap[] {
  const gaps: Gap[] = [];
  let index = -1;
  let told = -1;
  for (const day of needed) {
    while ((values[index + 1]?.day ?? Infinity) <= day) index += 1;
    const value = values[index];
    if (!value || index === told || day - value.day <= staleAfter || isZeroValue(value)) continue;
    told = index;
    const to = Math.min(values[index + 1]?.day ?? last, last);
    gaps.push({ reason: "stale", portfolio_id: facts.shown_as, from: dateOf(value.day), to: dateOf(to) });
  }
  return gaps;
}

function differencesOf({ facts, connection }: ValuedAccount, { opening, last }: Period): Gap[] {
  return connection.differences
    .filter(({ portfolio_id, to }) => {
      const day = dayNumber(to);
      return portfolio_id === facts.portfolio_id && day > opening && day <= last;
    })
    .map(({ name, isin, from, to, difference }) => ({
      ...{ reason: "difference", portfolio_id: facts.shown_as, name, isin, from, to, difference },
    }));
}

/** Connections with values that are newer than the last movements that were read. */
function unreadMovements(accounts: readonly ValuedAccount[], { opening, last }: Period): Gap[] {
  const newest = new Map<ValuedAccount["connection"], number>();
  for (const { connection, values } of accounts) {
    const day = values[lastValueIndex(values, last)]?.day;
    if (day !== undefined && day > opening) newest.set(connection, Math.max(newest.get(connection) ?? day, day));
  }
  return [...newest]
    .filter(([{ movements_until }, day]) => movements_until === null || dayNumber(movements_until) < day)
    .map(([{ credentials_token, movements_until }, day]) => ({
      ...{ reason: "movements_unread", credentials_token, from: movements_until, to: dateOf(day) },
    }));
}

function dayOf(gap: Gap): string {
  if ("from" in gap) return gap.from ?? "";
  return "date" in gap ? gap.date : "";
}
