/** The periods of reports that have names; `own` = two chosen days. */
export const periods = ["last_quarter", "this_year", "last_year", "last_twelve", "own"] as const;
export type PeriodName = (typeof periods)[number];

/** Days, YYYY-MM-DD, both of the period. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The period of a name. @param today YYYY-MM-DD */
export function periodOf(name: Exclude<PeriodName, "own">, today: string): Period {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7));
  if (name === "this_year") return { from: `${year}-01-01`, to: today };
  if (name === "last_year") return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  if (name === "last_twelve") return { from: utcDay(year, month - 13, 1), to: utcDay(year, month - 1, 0) };
  const firstMonth = month - 1 - ((month - 1) % 3);
  return { from: utcDay(year, firstMonth - 3, 1), to: utcDay(year, firstMonth, 0) };
}

/** The day before a day, at whose close a period opens. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 24 * 60 * 60 * 1_000).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** Whether both are days, in order and not later than today. */
export function isPeriod({ from, to }: Period, today: string): boolean {
  return [from, to].every((day) => /^\d{4}-\d\d-\d\d$/.test(day)) && from <= to && to <= today;
}

/** Whether a period is so long that its months are too many for a page. */
export function isLong({ from, to }: Period): boolean {
  return Date.parse(to) - Date.parse(from) > 400 * 24 * 60 * 60 * 1_000;
}

/** Months and days outside their range count on from it. @param month from 0 */
function utcDay(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, "YYYY-MM-DD".length);
}
