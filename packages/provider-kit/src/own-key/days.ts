import { utcDay } from "../values.js";

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The calendar day, `YYYY-MM-DD`, in a time zone of the IANA database: `dayInZone("America/New_York", …)`.
 * @throws RangeError for an unknown zone
 */
export function dayInZone(zone: string, moment: Date): string {
  let format = formats.get(zone);
  if (format === undefined) {
    const digits = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "iso8601",
      numberingSystem: "latn",
      ...digits,
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
}

/** The day that is `days` before a day, both `YYYY-MM-DD`. */
export function dayBefore(day: string, days: number): string {
  return utcDay(new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000));
}
