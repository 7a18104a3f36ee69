import { z } from "zod";
import { fileCauses } from "../file-steps.js";
import { clientRefSchema } from "./client.js";
import { uuidField } from "./identifier.js";
import { letterStatusSchema } from "./letter.js";
import { mailKinds } from "./mail.js";
import { optional } from "./optional.js";
import { pageSizeSchema } from "./paging.js";

/** The urgency of a line: data is missing now, work is waiting, or it can wait. */
const workSeverities = ["high", "medium", "low"] as const;

/** What a line is about. */
const workSubjects = ["provider", "source", "mail", "letter", "endpoint", "file", "statement", "connection"] as const;

/** The one thing to do next. */
export const workActions = [
  "look_at_provider",
  "set_provider",
  "test_source",
  "correct_address",
  "confirm_mail",
  "resolve_letter",
  "ask_custodian",
  "remind_client",
  "advance_letter",
  "collect_details",
  "tell_custodian",
  "give_address",
  "enable_endpoint",
  "retry_file",
  "map_file",
  "see_keys",
  "replace_file",
  "route_file",
  "find_pages",
  "send_repair_link",
  "compare_statements",
] as const;
export type WorkAction = (typeof workActions)[number];

interface WorkFacts {
  readonly severity: (typeof workSeverities)[number];
  readonly subject: (typeof workSubjects)[number];
  /** Null where it depends on the line: for a letter on its status, for a held file on its cause. */
  readonly action: WorkAction | null;
  readonly meaning: string;
}

/** Every kind of line, the most urgent first: first what affects many, then what causes losses while it waits, then what can wait. */
export const workFacts = {
  provider_failing: {
    severity: "high",
    subject: "provider",
    action: "look_at_provider",
    meaning: "Calls of a provider to an institution fail too often: it is left alone for now.",
  },
  provider_unavailable: {
    severity: "high",
    subject: "provider",
    action: "set_provider",
    meaning: "A provider does not come up under its settings, or is not loaded.",
  },
  source_failing: {
    severity: "high",
    subject: "source",
    action: "test_source",
    meaning: "A source of custodians' files could not be looked into three times or more in a row.",
  },
  mail_failed: {
    severity: "high",
    subject: "mail",
    action: "correct_address",
    meaning: "A mail server refused a mail for good, or too often.",
  },
  mail_in_doubt: {
    severity: "high",
    subject: "mail",
    action: "confirm_mail",
    meaning: "Nobody knows whether a mail arrived.",
  },
  letter_blocked: {
    severity: "high",
    subject: "letter",
    action: "resolve_letter",
    meaning: "Somebody has blocked a letter.",
  },
  feed_silent: {
    severity: "high",
    subject: "letter",
    action: "ask_custodian",
    meaning: "A custodian has fallen silent, and the letter was blocked for it.",
  },
  webhook_disabled: {
    severity: "high",
    subject: "endpoint",
    action: "enable_endpoint",
    meaning: "A webhook endpoint was given up: it is gone, or failed for too long.",
  },
  file_held: {
    severity: "medium",
    subject: "file",
    action: null,
    meaning: "A file of a source or of the drop folder is held: nobody knows whose it is, or it cannot be read.",
  },
  pages_overdue: {
    severity: "medium",
    subject: "statement",
    action: "find_pages",
    meaning: "For a week no further page of a statement has come.",
  },
  letter_unmailed: {
    severity: "medium",
    subject: "letter",
    action: "give_address",
    meaning: "A letter's status calls for a mail, and there is no address for it.",
  },
  letter_overdue: {
    severity: "medium",
    subject: "letter",
    action: null,
    meaning: "A letter has stood too long in its status (LETTER_OVERDUE_DAYS).",
  },
  connection_relogin: {
    severity: "medium",
    subject: "connection",
    action: "send_repair_link",
    meaning: "The bank wants the customer to log in again, or to enter a new key.",
  },
  consent_ending: {
    severity: "low",
    subject: "connection",
    action: "send_repair_link",
    meaning: "The customer's consent ends within seven days.",
  },
  feed_differs: {
    severity: "low",
    subject: "connection",
    action: "compare_statements",
    meaning: "In the last week, statements did not follow from those before and the movements between.",
  },
} as const satisfies Readonly<Record<string, WorkFacts>>;

export type WorkKind = keyof typeof workFacts;

/** Every {@link WorkKind}, the most urgent first. */
export const workKinds = Object.keys(workFacts) as [WorkKind, ...WorkKind[]];

/** The kinds that a tenant's own staff can act on. */
export const tenantWorkKinds = [
  "letter_blocked",
  "feed_silent",
  "webhook_disabled",
  "letter_overdue",
  "connection_relogin",
  "consent_ending",
] as const satisfies readonly WorkKind[];

const time = z.string().describe("RFC 3339.");

/** Details from which a client composes the text of a line; those that do not apply to its kind are absent. */
export const workDetailsSchema = z
  .object({
    letter_id: z.guid(),
    connection_id: z.guid(),
    mail_id: z.guid(),
    client_ref: z.string().describe("The tenant's own reference of the client."),
    client_name: z.string(),
    connector_id: z.string(),
    institution: z.string().describe("Name of the bank or custodian, as the catalogue has it."),
    status: letterStatusSchema.describe("Of the letter."),
    previous_status: letterStatusSchema.describe("Where a blocked letter resumes."),
    limit_days: z.int().min(0).describe("So many days the letter may stand in its status."),
    labels: z.record(z.string(), z.string()),
    observations: z.string().describe("What was noted on the letter for its tenant."),
    note: z.string().describe("Why the letter was blocked."),
    mail_kind: z.enum(mailKinds),
    recipient: z.string(),
    attempts: z.int().min(0).describe("How often it was tried in vain."),
    reason: z.string().describe("What went wrong, as a code or in words."),
    provider: z.string(),
    source: z.string(),
    name: z.string().describe("Of the file, or of the statement."),
    statement: z.string(),
    host: z.string().describe("Of the endpoint's address."),
    until: time.describe("RFC 3339. When the consent ends, or the file is let go."),
    differences: z.int().min(0),
    cause: z.enum(fileCauses).describe("Why a file is held."),
    is_part: z.boolean().describe("What is wrong is a part of the held file."),
  })
  .partial();
export type WorkDetails = z.output<typeof workDetailsSchema>;

/** A line of the work queue. */
export const workLineSchema = z.object({
  kind: z.enum(workKinds),
  subject: z.object({ type: z.enum(workSubjects), id: z.string() }),
  tenant_id: z.guid().nullable().describe("Null = nobody's, or not known yet."),
  tenant: z.string().nullable().describe("The tenant's name."),
  since: time.nullable().describe("RFC 3339. Null = not known."),
  action: z.enum(workActions).describe("The one thing to do next."),
  severity: z.enum(workSeverities),
  details: workDetailsSchema,
  owner: z
    .object({ id: z.string().describe("As the audit trail names them."), name: z.string() })
    .nullable()
    .describe("Who looks after it; null = nobody."),
  snoozed: z
    .object({ until: time, reason: z.string() })
    .nullable()
    .describe("Until when it is put aside, and why; null = it is not."),
  version: z
    .int()
    .min(0)
    .describe("Another one, and greater, after each change of owner and snooze; 0 while there is neither."),
});
export type WorkLine = z.output<typeof workLineSchema>;

const kindsDescription = "Only lines of these kinds; all when left out.";
const paging = { page_token: optional(z.string()), page_size: pageSizeSchema(200, 50) };
const filters = {
  connector_ids: z.array(z.string().min(1).max(200)).max(50).optional().describe("Only of these custodians and banks."),
  custodian: optional(z.string().trim().max(200)).describe(
    "Only where this text is in the custodian's or bank's name.",
  ),
  client_refs: z
    .array(clientRefSchema)
    .max(50)
    .optional()
    .describe("Only of these clients, by the tenant's own reference."),
  owner: optional(z.union([z.enum(["me", "nobody"]), uuidField])).describe(
    "Only of this person: me, nobody, or a person's id.",
  ),
  snoozed: optional(z.boolean()).describe("true: only those that are snoozed; otherwise only those that are not."),
  search: optional(z.string().trim().max(200)).describe(
    "Text in the institution's name, in labels, notes for the tenant, addressee, reason, or the name of a file; or a whole id.",
  ),
};

/** An operator's search of the work queue. */
export const workSearchSchema = z.strictObject({
  tenant_id: uuidField.nullish().describe("Of this tenant; of all, and of the installation, without it."),
  kinds: z.array(z.enum(workKinds)).max(50).optional().describe(kindsDescription),
  ...filters,
  ...paging,
});

/** A tenant's search of the work queue. */
export const tenantWorkSearchSchema = z.strictObject({
  kinds: z.array(z.enum(tenantWorkKinds)).max(50).optional().describe(kindsDescription),
  ...filters,
  ...paging,
});
export type WorkSearch = z.output<typeof workSearchSchema>;

const lines = z
  .array(
    z.strictObject({
      kind: z.enum(workKinds),
      id: z.string().min(1).max(500).describe("Of the line's subject."),
      version: optional(z.int().min(0)).describe("As the line was seen; refused when somebody changed it meanwhile."),
    }),
  )
  .min(1)
  .max(200);

/** Bodies and answer of what people do with lines. */
export const workMarkingSchemas = {
  lines: z.strictObject({ lines }),
  handOver: z.strictObject({
    lines,
    person_id: uuidField.nullable().describe("Who looks after them from now on; null = nobody."),
  }),
  snooze: z.strictObject({
    lines,
    until: z.iso.datetime({ offset: true }).describe("RFC 3339; within a year."),
    reason: z.string().trim().min(1).max(500).describe("For colleagues."),
  }),
  outcomes: z.object({
    items: z.array(
      z.object({
        kind: z.enum(workKinds),
        id: z.string(),
        outcome: z.enum(["done", "refused"]),
        owner: workLineSchema.shape.owner,
        version: z.int().min(0),
        error: z.object({ code: z.enum(["NOT_FOUND", "CONFLICT"]), message: z.string() }).nullable(),
      }),
    ),
    done: z.int().min(0),
    refused: z.int().min(0),
  }),
};
export type WorkLineRef = z.output<typeof lines>[number];
export type WorkOutcomes = z.output<typeof workMarkingSchemas.outcomes>;

/** Lines of a kind are counted up to this number; beyond it the exact number is of no use. */
export const MAX_COUNTED = 10_000;

/** The answer to a search of the work queue. */
export function workPageSchema(kinds: readonly [WorkKind, ...WorkKind[]]) {
  return z.object({
    items: z.array(workLineSchema),
    counts: z
      .record(z.enum(kinds), z.int().min(0))
      .describe(
        `How many lines there are of each kind, under the other filters, whatever kinds are asked for; counted up to ${MAX_COUNTED}.`,
      ),
    next_page_token: z.string().nullable(),
  });
}
