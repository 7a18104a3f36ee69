const DAY_MS = 86_400_000;

/** A calendar date as its number of days since 1970-01-01. */
export function dayNumber(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / DAY_MS;
}

/** The calendar date of a {@link dayNumber}, `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** Whether a day is a Sunday. */
export function isSunday(day: number): boolean {
  // 1970-01-01 was a Thursday.
  return modulo(day, 7) === 3;
}

/** Whether a day is the last one of its month. */
export function isEndOfMonth(day: number): boolean {
  return new Date((day + 1) * DAY_MS).getUTCDate() === 1;
}

/** How many Mondays to Fridays the days from `first` to `last` have, both included; 0 if `first` is after `last`. */
export function weekdaysBetween(first: number, last: number): number {
  return first > last ? 0 : weekdaysBefore(last + 1) - weekdaysBefore(first);
}

/** Mondays to Fridays of all days before this one, counted from a Monday long ago. */
function weekdaysBefore(day: number): number {
  const sinceMonday = day + 3;
  return Math.floor(sinceMonday / 7) * 5 + Math.min(modulo(sinceMonday, 7), 5);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
