import {
  defaulted,
  type EventView,
  isStorableText,
  moment,
  opaqueId,
  optional,
  pageSizeSchema,
  parseMoment,
  type TenantActor,
  uuidField,
} from "@org/core";
import { z } from "zod";

/** Maximum number of seconds that a call may wait for new events. */
const MAX_WAIT_SECONDS = 30;

const period = z
  .strictObject({ start: moment.optional(), end: moment.optional() })
  .superRefine((value, context) => {
    const start = value.start ? parseMoment(value.start) : null;
    const end = value.end ? parseMoment(value.end) : null;
    if (start && end && start.from > end.from)
      context.addIssue({ code: "custom", path: ["start"], message: "must not be after end" });
  })
  .describe("When it was written.");

/** Of which types events are. */
export const eventTypesSchema = z
  .array(z.string().max(100))
  .max(100)
  .optional()
  .describe("Types such as letter.moved, and families such as letter.*.");

const conditions = z.strictObject({
  type_in: eventTypesSchema,
  after: optional(opaqueId.max(100)).describe("Id of an event: only those behind it."),
  before: optional(opaqueId.max(100)).describe("Id of an event: only those in front of it."),
  created_at: period.optional(),
  object_id: optional(z.string().min(1).max(200).refine(isStorableText, "must be text")).describe(
    "What it happened to: a session, connection, letter, grant or endpoint.",
  ),
});

const paging = {
  order: defaulted(z.enum(["asc", "desc"]), "desc").describe("asc = oldest first."),
  page_size: pageSizeSchema(500, 100),
  page_token: z.string().max(1_000).nullish(),
  wait_seconds: defaulted(
    z
      .int("must be a whole number")
      .min(0, "must be 0 or more")
      .max(MAX_WAIT_SECONDS, `must be ${MAX_WAIT_SECONDS} or less`),
    0,
  ).describe("For how long the answer may stay out while there is nothing; with order asc only."),
};

/** Body of list-events. */
export const eventSearchSchema = z.strictObject({ query: defaulted(conditions, {}), ...paging });

/** The same for operators, who choose the log. */
export const operatorEventSearchSchema = z.strictObject({
  query: defaulted(
    conditions.extend({ tenant_id: optional(uuidField).describe("Without it the installation's own events.") }),
    {},
  ),
  ...paging,
});

/** The event log of a tenant or, with `INSTALLATION_LOG`, of the installation. */
export interface Events {
  /**
   * @param gone aborted when the caller no longer waits for the answer
   * @throws CoreError VALIDATION_ERROR, RATE_LIMITED
   */
  list(
    log: string,
    search: z.output<typeof eventSearchSchema>,
    gone?: AbortSignal,
    limit?: Pick<TenantActor, "client_refs">,
  ): Promise<{ readonly items: readonly EventView[]; readonly next_page_token: string | null }>;
}
