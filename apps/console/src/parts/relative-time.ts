const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;

/** How far a time is from now, rounded as people say it and in whole words: "in 23 hours", "yesterday", "vor 3 Tagen". */
export function relativeTime(at: Date, now: Date, language: string): string {
  const ms = at.getTime() - now.getTime();
  const auto = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const counted = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  const countOf = (size: number) => Math.round(ms / size) || 0;
  // Counting seconds would only flicker.
  if (Math.abs(ms) < MINUTE) return auto.format(0, "second");
  if (Math.abs(countOf(MINUTE)) < 60) return counted.format(countOf(MINUTE), "minute");
  const days = calendarDay(at) - calendarDay(now);
  if (Math.abs(countOf(HOUR)) < 24 || days === 0) return counted.format(countOf(HOUR), "hour");
  // By the calendar: at 23:30, what comes in 25 hours comes the day after tomorrow.
  if (Math.abs(days) < 31) return auto.format(days, "day");
  if (Math.abs(countOf(MONTH)) < 12) return counted.format(countOf(MONTH), "month");
  return counted.format(countOf(YEAR), "year");
}

/** The number of the day here. */
function calendarDay(at: Date): number {
  return Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / DAY);
}
