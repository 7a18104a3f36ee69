import type { WealthFacts } from "../../src/facts.js";
import { type Coverage, coverageOf, duplicatesOf, selectAccounts, totalsAt } from "./accounts.js";
import { type Asked, checkPeriod, defaultStaleAfter, type Period } from "./arguments.js";
import { Converter, type MissingRate, showMoney, type UsedRate } from "./currencies.js";
import { everyDay, isLastOfMonth, isSunday } from "./days.js";

export interface HistoryArguments extends Asked, Period {
  readonly interval?: "day" | "week" | "month";
  readonly include_coverage?: boolean;
}

export interface HistoryItem {
  readonly date: string;
  readonly totals: readonly { readonly currency: string; readonly balance: string }[];
  readonly complete: boolean;
  readonly refused?: readonly MissingRate[];
  readonly rates: readonly UsedRate[];
  readonly coverage: Omit<Coverage, "details"> & Partial<Pick<Coverage, "details">>;
}

/** What everything was worth at the close of days. */
export function history(facts: WealthFacts, asked: HistoryArguments, today: string) {
  const to = asked.to ?? today;
  checkPeriod(asked.from, to, today);
  const accounts = selectAccounts(facts, asked.portfolio_ids ?? null);
  const interval = asked.interval ?? "day";
  const days = everyDay(asked.from, to).filter((day) => {
    if (day === to || interval === "day") return true;
    return interval === "week" ? isSunday(day) : isLastOfMonth(day);
  });
  const items = days.map((date): HistoryItem => {
    const staleAfter = asked.stale_after ?? defaultStaleAfter;
    const converter = new Converter(facts.rates, asked.currency ?? null);
    const totals = totalsAt(accounts, date, staleAfter, converter);
    const { details, ...counts } = coverageOf(facts, asked.portfolio_ids ?? null, date, staleAfter);
    const coverage = asked.include_coverage === true ? { ...counts, details } : counts;
    if (converter.missing.size > 0)
      return { date, totals: [], complete: false, refused: converter.missingRates(), rates: [], coverage };
    return {
      date,
      totals: totals.map((total) => ({
        currency: total.currency,
        balance: showMoney(total, asked.currency ?? null),
      })),
      complete: coverage.missing === 0,
      rates: converter.usedRates(),
      coverage,
    };
  });
  const duplicates = duplicatesOf(accounts);
  return duplicates.length > 0 ? { items, duplicates } : { items };
}
