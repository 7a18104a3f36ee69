import { serverNow } from "../../api/server-time.js";
import { useAddress } from "../../parts/address.js";

/** Whose wealth is shown: a client's, or without a reference that of all. */
export interface WealthOf {
  readonly client_ref?: string;
}

/** How long a period a person chooses; `own` has days of their own. */
export const periods = ["quarter", "year-to-date", "year", "three-years", "own"] as const;
export type PeriodName = (typeof periods)[number];

/** What a person asks, as the address has it. */
export interface Asked {
  /** Null: amounts stay in their own currencies. */
  readonly currency: string | null;
  readonly period: PeriodName;
  /** YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Today in UTC, YYYY-MM-DD. */
  readonly today: string;
}

/** What the address asks for. */
export function useAsked(): Asked {
  const { search } = useAddress();
  return askedIn(search, dayOf(serverNow()));
}

/** @param today YYYY-MM-DD */
export function askedIn(search: Readonly<Record<string, string>>, today: string): Asked {
  const currency = search.in ?? null;
  const period = periods.find((name) => name === search.period) ?? "year";
  const own = { from: search.from ?? firstDay("year", today), to: search.to ?? today };
  const { from, to } = period === "own" ? own : { from: firstDay(period, today), to: today };
  return { currency, period, from, to, today };
}

function firstDay(period: Exclude<PeriodName, "own">, today: string): string {
  if (period === "year-to-date") return `${today.slice(0, 4)}-01-01`;
  const months = { quarter: 3, year: 12, "three-years": 36 }[period];
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  // The day after that of the same name, so that a year has 365 days.
  return nextDay(new Date(Date.UTC(year, month - 1 - months, Math.min(day, last))).toISOString().slice(0, 10));
}

/** @param day YYYY-MM-DD */
export function nextDay(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}

/** How many days a period has, both ends counted. */
export function daysIn({ from, to }: Pick<Asked, "from" | "to">): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

const DAY_MS = 86_400_000;

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, "YYYY-MM-DD".length);
}
