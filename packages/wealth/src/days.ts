const DAY_MS = 86_400_000;

/** A calendar date as its number of days since 1970-01-01; by hand, since facts have millions of dates. */
export function dayNumber(date: string): number {
  const year = digits(date, 0) * 100 + digits(date, 2);
  const month = digits(date, 5);
  // Months are counted from March, so that a leap day is the last day of a year.
  const years = month > 2 ? year : year - 1;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + digits(date, 8) - 1;
  return years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400) + ofYear - 719_468;
}

/** The number that two digits of a text are. */
function digits(text: string, at: number): number {
  return (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
}

/** The calendar date of a {@link dayNumber}, `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** Days that are asked for. */
export class DayList {
  /** Of each day from the first one to the last one: the index of the first day of the list that is not before it. */
  private readonly indexes: Int32Array;

  /** @param days ascending, at least one */
  constructor(readonly days: readonly number[]) {
    const [first = 0] = days;
    const last = days.at(-1) ?? first;
    this.indexes = new Int32Array(last - first + 1);
    for (let index = 1; index < days.length; index += 1)
      this.indexes.fill(index, (days[index - 1] ?? 0) - first + 1, (days[index] ?? 0) - first + 1);
  }

  get length(): number {
    return this.days.length;
  }

  /** The index of the first day of the list that is not before this one; the list's length if there is none. */
  indexFrom(day: number): number {
    const at = day - (this.days[0] ?? 0);
    return at <= 0 ? 0 : (this.indexes[at] ?? this.days.length);
  }
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
