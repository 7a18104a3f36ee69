import type { Steps } from "@org/provider-kit";
import type { HistoryAnswer } from "./answers.js";
import type { historyArguments } from "./arguments.js";
import { Conversion, DaySums, totalsOf } from "./currency-sums.js";
import { DayList, dateOf, isEndOfMonth, isSunday } from "./days.js";
import type { Rate, WealthFacts } from "./facts.js";
import { type Fold, FoldedAccounts, folded } from "./fold.js";
import { countedValue, periodAsked, type QuestionOf } from "./question.js";
import { RateTable } from "./rates.js";

/** Of `interval` are each day, Sundays, or last days of months, and always `to`. */
export type HistoryArguments = QuestionOf<typeof historyArguments>;

/** What the accounts were worth at the close of each day of a period, in steps. */
export function history(facts: WealthFacts, args: HistoryArguments, today: string): Steps<HistoryAnswer> {
  return folded(historyFold(facts.rates, args, today), facts.connections);
}

/** {@link history} of facts that come piece by piece. What is kept of an account is what it adds to the days' sums. */
export function historyFold(stated: readonly Rate[], args: HistoryArguments, today: string): Fold<HistoryAnswer> {
  const { first, last } = periodAsked(args, today);
  const days = new DayList([...daysOf(first, last, args.interval ?? "day")]);
  const accounts = new FoldedAccounts(args, days, args.include_coverage === true);
  const sums = new DaySums(days.length);
  return {
    *add(connections) {
      for (const connection of connections) {
        for (const [, runs] of yield* accounts.add(connection)) {
          yield;
          for (const [index, { from, to, close }] of runs.entries()) {
            const value = countedValue(close);
            if (!value || value === countedValue(runs[index - 1]?.close)) continue;
            // It may be carried after the day that it is of.
            const next = runs[index + 1];
            const end = next && value === countedValue(next.close) ? next.to : to;
            for (const amount of value.amounts) sums.add(amount, from, end);
          }
        }
      }
    },
    *answer() {
      const { coverages, duplicates } = accounts.result();
      const rates = args.currency === null ? null : new RateTable(stated);
      const items: HistoryAnswer["items"] = [];
      for (const [at, ofDay] of sums.days()) {
        yield;
        const [day, coverage] = [days.days[at], coverages[at]];
        if (day === undefined || !coverage) continue;
        const conversion = rates && args.currency !== null ? new Conversion(rates, args.currency) : null;
        const totals = totalsOf(ofDay, conversion, day);
        const date = dateOf(day);
        items.push(
          conversion && conversion.missing.length > 0
            ? { date, totals: [], complete: false, rates: [], refused: conversion.missing, coverage }
            : { date, totals, complete: coverage.missing === 0, rates: conversion?.usedRates() ?? [], coverage },
        );
      }
      return { items, ...duplicates };
    },
  };
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
