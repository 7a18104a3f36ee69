import { z } from "zod";

/** A date or datetime in a search, as text; {@link parseMoment} reads it. */
export const moment = z
  .string()
  .refine((text) => parseMoment(text) !== null, "must be an ISO 8601 date or datetime that exists");

/** A date or datetime of a search: `from` its first instant, `before` the instant after it (the next day for a date, UTC). Null when it does not exist. */
export function parseMoment(text: string): { from: Date; before: Date } | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|z|[+-]\d{2}:?\d{2})?)?$/.exec(
    text,
  );
  if (!match?.[1]) return null;
  const day = new Date(`${match[1]}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(match[1])) return null;
  if (!match[2]) return { from: day, before: new Date(day.getTime() + 86_400_000) };
  const zone = (match[3] ?? "Z").toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  const at = new Date(`${match[1]}T${match[2].replace(",", ".")}${zone}`);
  return Number.isNaN(at.getTime()) ? null : { from: at, before: new Date(at.getTime() + 1) };
}
