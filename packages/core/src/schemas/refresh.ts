import { z } from "zod";
import { credentialStatusSchema } from "./credential-status.js";
import { idField } from "./identifier.js";

/** The outcome of a refresh. */
export const refreshOutcomes = [
  /** Everything was read and is published. */
  "refreshed",
  /** Published, but the bank did not deliver every product; the missing ones keep their last good data. */
  "incomplete",
  /** The bank requires its customer to log in: nothing is published, and the connection is not refreshed until a re-login. */
  "relogin_needed",
  /** The bank could not be reached or sent an invalid answer: the last good data stays, and the refresh is retried. */
  "failed",
  /** The institution is still preparing the data and is asked for it again soon. Not counted as a failure. */
  "pending",
  /** The institution asked for fewer requests and is not called for as long as it says. Not counted as a failure. */
  "throttled",
  /** The bank was not called: its connector currently fails too often, or refreshes of this connection were cut off repeatedly. */
  "postponed",
  /** The customer has another connection to this bank: this one has no data and is not refreshed again. */
  "already_exists",
  /** A re-login or a deletion happened in between; nothing is published. */
  "superseded",
] as const;
export type RefreshOutcome = (typeof refreshOutcomes)[number];

/** When a connection is refreshed. Times are RFC 3339. */
export const refreshStateSchema = z.object({
  state: z
    .enum(["planned", "under_way", "relogin_needed", "none"])
    .describe(
      "relogin_needed: not before the customer has logged in again, or entered a new key; none: its data come as files, or another connection has them.",
    ),
  next_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_outcome: z.enum(refreshOutcomes).nullable().describe("Null while it is under way, or when there was none."),
});
export type RefreshState = z.infer<typeof refreshStateSchema>;

/** Body of a request for a refresh. */
export const refreshRequestSchema = z.strictObject({ connection_id: idField });

/** The result of a refresh that was requested. */
export const refreshAnswerSchema = z.object({
  connection_id: z.string(),
  outcome: z.enum([...refreshOutcomes, "under_way"]),
  status: credentialStatusSchema,
  refresh: refreshStateSchema,
});
