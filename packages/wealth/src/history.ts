import { askedAccounts, type Close, closeOf, type Value } from "./accounts.js";
import type { HistoryAnswer } from "./answers.js";
import type { historyArguments } from "./arguments.js";
import { coverageOf } from "./coverage.js";
import { Conversion, CurrencySums, totalsOf } from "./currency-sums.js";
import { dateOf, isEndOfMonth, isSunday } from "./days.js";
import type { WealthFacts } from "./facts.js";
import { countedValue, duplicatesIn, periodAsked, type QuestionOf } from "./question.js";
import { RateTable } from "./rates.js";
import type { Reckoning } from "./reckoning.js";

/** Of `interval` are each day, Sundays, or last days of months, and always `to`. */
export type HistoryArguments = QuestionOf<typeof historyArguments>;

/** What the accounts were worth at the close of each day of a period, a day in a step. */
export function* history(facts: WealthFacts, args: HistoryArguments, today: string): Reckoning<HistoryAnswer> {
  const { first, last } = periodAsked(args, today);
  const accounts = askedAccounts(facts, args);
  const rates = args.currency === null ? null : new RateTable(facts.rates);
  // Sums follow the accounts from day to day: only what changes is added and taken away.
  const sums = new CurrencySums();
  const indexes = accounts.accounts.map(() => -1);
  const counted: (Value | null)[] = accounts.accounts.map(() => null);
  const items: HistoryAnswer["items"] = [];
  for (const day of daysOf(first, last, args.interval ?? "day")) {
    yield;
    const closes = accounts.accounts.map((account, at): Close => {
      let index = indexes[at] ?? -1;
      while ((account.values[index + 1]?.day ?? Number.POSITIVE_INFINITY) <= day) index += 1;
      indexes[at] = index;
      const close = closeOf(account, index, day, args.stale_after);
      const [before, now] = [counted[at] ?? null, countedValue(close)];
      if (before !== now) {
        for (const amount of before?.amounts ?? []) sums.remove(amount);
        for (const amount of now?.amounts ?? []) sums.add(amount);
        counted[at] = now;
      }
      return close;
    });
    const coverage = coverageOf(accounts, closes, args.include_coverage === true);
    const conversion = rates && args.currency !== null ? new Conversion(rates, args.currency) : null;
    const totals = totalsOf(sums, conversion, day);
    const date = dateOf(day);
    items.push(
      conversion && conversion.missing.length > 0
        ? { date, totals: [], complete: false, rates: [], refused: conversion.missing, coverage }
        : { date, totals, complete: coverage.missing === 0, rates: conversion?.usedRates() ?? [], coverage },
    );
  }
  return { items, ...duplicatesIn(accounts) };
}

/**
 * The days that {@link history} answers, ascending.
 * @throws WealthError VALIDATION_ERROR for a period that it refuses
 */
export function historyDays(
  args: Pick<HistoryArguments, "from" | "to" | "interval">,
  today: string,
): readonly string[] {
  const { first, last } = periodAsked(args, today);
  return Array.from(daysOf(first, last, args.interval ?? "day"), dateOf);
}

function* daysOf(first: number, last: number, interval: "day" | "week" | "month"): Generator<number> {
  for (let day = first; day < last; day += 1) {
    if (interval === "day" || (interval === "week" ? isSunday(day) : isEndOfMonth(day))) yield day;
  }
  yield last;
}
