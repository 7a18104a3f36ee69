import { letterStatuses } from "@org/letter-lifecycle";
import { z } from "zod";
import { connectorId } from "./connector.js";
import { isStorableText, uuidField } from "./identifier.js";
import { labelsSchema } from "./labels.js";
import { contactInfoSchema } from "./letter.js";

/** Body of create-signed (S2 §4). `data` and `annex` are Base64 of PDF files; what is in them is checked by the service. */
export const letterSubmissionSchema = z.strictObject({
  connector_id: connectorId,
  data: z.string(),
  labels: labelsSchema.nullish(),
  annex: z.string().nullish(),
  contact_info: contactInfoSchema.nullish(),
});

const moment = z
  .string()
  .refine((text) => parseMoment(text) !== null, "must be an ISO 8601 date or datetime that exists");
const period = z.strictObject({ start: moment.nullish(), end: moment.nullish() }).superRefine((value, context) => {
  const start = value.start ? parseMoment(value.start) : null;
  const end = value.end ? parseMoment(value.end) : null;
  if (start && end && start.from > end.from)
    context.addIssue({ code: "custom", path: ["start"], message: "must not be after end" });
});

/** Body of search-letters (S2 §4). */
export const letterSearchSchema = z.strictObject({
  query: z.strictObject({
    connector_id_in: z.array(z.string().max(200).refine(isStorableText, "must be text")).max(1_000).nullish(),
    status_in: z.array(z.enum(letterStatuses)).max(100).nullish(),
    id_in: z.array(uuidField).max(1_000).nullish(),
    labels: labelsSchema.nullish(),
    creation_date: period.nullish(),
    last_update: period.nullish(),
  }),
  page: z
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(1_000_000, "must be 1000000 or less")
    .default(1),
  page_size: z
    .int("must be a whole number")
    .min(1, "must be between 1 and 100")
    .max(100, "must be between 1 and 100")
    .default(20),
});

/** Body of discontinue-letter (S2 §4). */
export const discontinueSchema = z.strictObject({ letter_id: uuidField });

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
