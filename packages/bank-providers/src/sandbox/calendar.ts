import { utcDay } from "@org/provider-kit";
/** The last business day (Monday to Friday) before `now` (UTC), as `YYYY-MM-DD`. */
export function lastBusinessDay(now: Date): string {
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 1));
  while (isWeekend(day)) day.setUTCDate(day.getUTCDate() - 1);
  return utcDay(day);
}

/** A day (1 to 28) of the `month`-th month since January 2020, or the Monday after it if it is on a weekend, as `YYYY-MM-DD`. */
export function businessDay(month: number, dayOfMonth: number): string {
  const place = month * 32 + dayOfMonth;
  const day = businessDays[place] ?? businessDayIn(month, dayOfMonth);
  businessDays[place] = day;
  return day;
}

/** Cached, because all customers have movements on the same few days. */
const businessDays: string[] = [];

function businessDayIn(month: number, dayOfMonth: number): string {
  const day = new Date(Date.UTC(2020, month, dayOfMonth));
  while (isWeekend(day)) day.setUTCDate(day.getUTCDate() + 1);
  return utcDay(day);
}

/** The day on which a trade of a date settles, two business days later, as `YYYY-MM-DD`. */
export function settlementDay(date: string): string {
  const known = settlementDays.get(date);
  if (known !== undefined) return known;
  const day = new Date(`${date}T00:00:00Z`);
  for (let left = 2; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (!isWeekend(day)) left -= 1;
  }
  settlementDays.set(date, utcDay(day));
  return utcDay(day);
}

/** Cached like {@link businessDays}. */
const settlementDays = new Map<string, string>();

/** Months from January 2020 to the month of a `YYYY-MM-DD`; negative before it. */
export function monthOf(date: string): number {
  return (Number(date.slice(0, 4)) - 2020) * 12 + Number(date.slice(5, 7)) - 1;
}

/** The same day years before, as `YYYY-MM-DD`; February 29 becomes March 1. */
export function yearsBefore(date: string, years: number): string {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return utcDay(new Date(Date.UTC(year - years, month - 1, day)));
}

/** The Fridays, and the last business days of months, from a day to another (`YYYY-MM-DD`, both inclusive), ascending. */
export function closingDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (const day = new Date(`${from}T00:00:00Z`); ; day.setUTCDate(day.getUTCDate() + 1)) {
    const date = utcDay(day);
    if (date > to) return days;
    if (!isWeekend(day) && (day.getUTCDay() === 5 || endsMonth(day))) days.push(date);
  }
}

/** Whether the month has no later business day. On a Friday the next one is three days later. */
function endsMonth(day: Date): boolean {
  const next = new Date(day);
  next.setUTCDate(day.getUTCDate() + (day.getUTCDay() === 5 ? 3 : 1));
  return next.getUTCMonth() !== day.getUTCMonth();
}

function isWeekend(day: Date): boolean {
  return day.getUTCDay() === 0 || day.getUTCDay() === 6;
}
