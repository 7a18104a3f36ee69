import { z } from "zod";

/** A date or datetime in a search, as text; {@link parseMoment} reads it. */
export const moment = z
  .string("must be an ISO 8601 date or datetime that exists")
  .refine((text) => parseMoment(text) !== null, "must be an ISO 8601 date or datetime that exists")
  .describe(
    "A date, the whole day in UTC, or a datetime, in any complete form of ISO 8601: 2026-11-22, 20261122, 2026-W47-7, 2026-326, 2026-11-22T10:15:30+01:00, 20261122T101530Z. Without a zone it is UTC.",
  );

const DAY_MS = 86_400_000;

/**
 * A date or datetime of a search, in any complete form of ISO 8601: calendar (`2026-11-22`), ordinal (`2026-326`) and week dates
 * (`2026-W47-7`), extended or basic (`20261122T101500Z`), times down to the hour, fractions of the last part, `24:00`. Without a zone
 * it is UTC. A space may stand for the T, as RFC 3339 allows.
 * @returns `from` its first instant, `before` the instant after it (the next day for a date, UTC); null when it does not exist
 */
export function parseMoment(text: string): { from: Date; before: Date } | null {
  const [, date = "", time] = /^([^Tt ]+)(?:[Tt ](.+))?$/.exec(text) ?? [];
  const day = dayOf(date);
  if (day === null) return null;
  if (time === undefined) return { from: new Date(day), before: new Date(day + DAY_MS) };
  const at = instantOf(day, time);
  return at === null ? null : { from: new Date(at), before: new Date(at + 1) };
}

/** The start of a day in UTC, in milliseconds since the epoch. */
function dayOf(text: string): number | null {
  const calendar = /^(\d{4})(-?)(\d{2})\2(\d{2})$/.exec(text);
  if (calendar) {
    const [year, month, day] = [Number(calendar[1]), Number(calendar[3]), Number(calendar[4])];
    const found = utcDay(year, month - 1, day);
    return found.getUTCMonth() === month - 1 && found.getUTCDate() === day ? found.getTime() : null;
  }
  const ordinal = /^(\d{4})-?(\d{3})$/.exec(text);
  if (ordinal) {
    const [year, day] = [Number(ordinal[1]), Number(ordinal[2])];
    const found = utcDay(year, 0, day);
    return day > 0 && found.getUTCFullYear() === year ? found.getTime() : null;
  }
  const week = /^(\d{4})(-?)W(\d{2})\2([1-7])$/i.exec(text);
  if (!week) return null;
  const [year, number, weekday] = [Number(week[1]), Number(week[3]), Number(week[4])];
  // The first week is the one with 4 January; a week belongs to the year of its Thursday.
  const fourth = utcDay(year, 0, 4);
  const thursday = utcDay(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + (number - 1) * 7 + 3);
  return number > 0 && thursday.getUTCFullYear() === year ? thursday.getTime() + (weekday - 4) * DAY_MS : null;
}

/** Needed because `Date.UTC` maps the years 0 to 99 to 1900 to 1999. */
function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

const TIME = /^(\d{2})(?:(:?)(\d{2})(?:\2(\d{2}))?)?(?:[.,](\d{1,9}))?(?:Z|([+\-\u2212])(\d{2})(?::?(\d{2}))?)?$/i;

/** The instant of a time of day on the day that starts at `day`. */
function instantOf(day: number, text: string): number | null {
  const parts = TIME.exec(text);
  if (!parts) return null;
  const [hour, minute, second, zoneHour, zoneMinute] = [parts[1], parts[3], parts[4], parts[7], parts[8]].map((part) =>
    Number(part ?? 0),
  ) as [number, number, number, number, number];
  const smallest = parts[4] !== undefined ? 1_000 : parts[3] !== undefined ? 60_000 : 3_600_000;
  const fraction = Math.trunc((Number((parts[5] ?? "").padEnd(9, "0")) * smallest) / 1e9);
  if (hour > 24 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return null;
  const ofDay = hour * 3_600_000 + minute * 60_000 + second * 1_000 + fraction;
  if (hour === 24 && ofDay !== DAY_MS) return null;
  const offset = (zoneHour * 60 + zoneMinute) * 60_000 * (parts[6] === "+" ? -1 : 1);
  const at = day + ofDay + offset;
  // A leap second is always the last second of a day in UTC.
  return second === 60 && (at - fraction) % DAY_MS !== 0 ? null : at;
}
