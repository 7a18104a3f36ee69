import { z } from "zod";
import { clientRefSchema } from "../schemas/client.js";
import { connectorId } from "../schemas/connector.js";
import { isStorableText, uuidField } from "../schemas/identifier.js";
import { labelsSchema } from "../schemas/labels.js";
import { contactInfoSchema, letterStatusSchema, signedDocumentFields } from "../schemas/letter.js";
import { moment, parseMoment } from "../schemas/moment.js";
import { pageNumber, pageSizeSchema } from "../schemas/paging.js";

/** An `Idempotency-Key` header (contract §7): a retry with the same key and body returns the first letter. */
export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters");

/** Body of create-signed (S2 §4). */
export const letterSubmissionSchema = z.strictObject({
  connector_id: connectorId.describe("A connector of list-connectors with `takes_letters`."),
  ...signedDocumentFields,
  labels: labelsSchema.nullish(),
  client_ref: clientRefSchema.nullish().describe("Your own reference of the client whose it is."),
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
    connector_id_in: z
      .array(z.string().max(200).refine(isStorableText, "must be text"))
      .max(1_000)
      .optional()
      .describe("Letters for any of these connectors; none for an empty list."),
    status_in: z
      .array(letterStatusSchema)
      .max(100)
      .optional()
      .describe("Letters in any of these statuses; none for an empty list."),
    id_in: z.array(uuidField).max(1_000).optional().describe("Letters with any of these ids; none for an empty list."),
    labels: labelsSchema.optional().describe("Letters that have all of these labels, each with exactly this value."),
    client_ref_in: z
      .array(clientRefSchema)
      .max(1_000)
      .optional()
      .describe("Letters of any of these clients; none for an empty list."),
    creation_date: period.optional().describe("Letters created in this period, both ends included."),
    last_update: period.optional().describe("Letters last changed in this period, both ends included."),
  }),
  page: pageNumber,
  page_size: pageSizeSchema(100, 20),
});

export type LetterSearch = z.output<typeof letterSearchSchema>;

/** Body of discontinue-letter (S2 §4). */
export const discontinueSchema = z.strictObject({ letter_id: uuidField.describe("The letter to end.") });
