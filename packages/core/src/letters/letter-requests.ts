import { letterStatuses } from "@org/letter-lifecycle";
import { z } from "zod";
import { connectorId } from "../schemas/connector.js";
import { isStorableText, uuidField } from "../schemas/identifier.js";
import { labelsSchema } from "../schemas/labels.js";
import { contactInfoSchema } from "../schemas/letter.js";
import { moment, parseMoment } from "../schemas/moment.js";
import { defaulted } from "../schemas/optional.js";
import { pageNumber, pageSizeSchema } from "../schemas/paging.js";

/** An `Idempotency-Key` header (contract §7): a retry with the same key and body returns the first letter. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters");

/** Body of create-signed (S2 §4). `data` and `annex` are PDF files in Base64; the service checks their contents. */
export const letterSubmissionSchema = z.strictObject({
  connector_id: connectorId,
  data: z.string(),
  labels: labelsSchema.nullish(),
  annex: z.string().nullish(),
  contact_info: contactInfoSchema.nullish(),
});

const period = z.strictObject({ start: moment.optional(), end: moment.optional() }).superRefine((value, context) => {
  const start = value.start ? parseMoment(value.start) : null;
  const end = value.end ? parseMoment(value.end) : null;
  if (start && end && start.from > end.from)
    context.addIssue({ code: "custom", path: ["start"], message: "must not be after end" });
});

/** Body of search-letters (S2 §4). */
export const letterSearchSchema = z.strictObject({
  query: z.strictObject({
    connector_id_in: z.array(z.string().max(200).refine(isStorableText, "must be text")).max(1_000).optional(),
    status_in: z.array(z.enum(letterStatuses)).max(100).optional(),
    id_in: z.array(uuidField).max(1_000).optional(),
    labels: labelsSchema.optional(),
    creation_date: period.optional(),
    last_update: period.optional(),
  }),
  page: defaulted(pageNumber, 1),
  page_size: defaulted(pageSizeSchema(100), 20),
});

export type LetterSearch = z.output<typeof letterSearchSchema>;

/** Body of discontinue-letter (S2 §4). */
export const discontinueSchema = z.strictObject({ letter_id: uuidField });
