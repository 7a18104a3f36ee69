import { z } from "zod";
import { isStorableText, uuidField } from "../schemas/identifier.js";
import { moment } from "../schemas/moment.js";
import { orderField, pageSizeSchema } from "../schemas/paging.js";

const exact = z
  .string()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .refine(isStorableText, "must be text");

/** An operator's search of the audit trail; a line has to meet all conditions. */
export const auditSearchSchema = z.strictObject({
  tenant_id: uuidField
    .nullish()
    .describe("Only lines of this tenant, also of a deleted one; null = the installation's own; without it all."),
  since: moment.optional().describe("From this date (UTC) or datetime on."),
  until: moment.optional().describe("Up to and including this date (UTC) or datetime."),
  action: exact.nullish().describe("Such as grant.issued."),
  actor: exact.nullish().describe("Application id of whoever acted, or customer, system, unknown."),
  object_id: exact.nullish(),
  trace_id: exact
    .nullish()
    .describe("What a request led to: the X-Trace-Id of its answer. Give since too on a large trail."),
  order: orderField("newest"),
  page_size: pageSizeSchema(1_000, 100),
  page_token: z.string().max(1_000).nullish(),
});

export type AuditSearch = z.output<typeof auditSearchSchema>;

/** One line of the audit trail as operators see it; the time is RFC 3339. */
export const auditLineSchema = z.object({
  audit_id: z.guid(),
  at: z.string(),
  tenant_id: z.guid().nullable().describe("Null = the installation's own."),
  actor: z.string(),
  action: z.string(),
  object_type: z.string(),
  object_id: z.string(),
  trace_id: z.string().nullable(),
  address: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export type AuditLine = z.output<typeof auditLineSchema>;
