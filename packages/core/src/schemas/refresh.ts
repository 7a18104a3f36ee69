import { z } from "zod";
import { credentialStatusSchema } from "./credential-status.js";
import { idField } from "./identifier.js";

/** What became of a refresh. */
export const refreshOutcomes = [
  /** Everything was read and is published. */
  "refreshed",
  /** Published, but the bank gave not every product; those keep their last good data. */
  "incomplete",
  /** The bank wants its customer: nothing is published and nobody asks again until a re-login. */
  "relogin_needed",
  /** The bank could not be asked, or answered nonsense: the last good data stay, and it is tried again. */
  "failed",
  /** The institution prepares the data, and is asked for the same again soon. Held against nobody. */
  "pending",
  /** The institution wants fewer requests, and is left alone for as long as it says. Held against nobody. */
  "throttled",
  /** The bank was not asked, for its connector fails too often at the moment. */
  "postponed",
  /** The customer has another connection to this bank: this one has no data and is not asked for again. */
  "already_exists",
  /** A re-login or a deletion came in between; nothing is published. */
  "superseded",
] as const;
export type RefreshOutcome = (typeof refreshOutcomes)[number];

/** When a connection is refreshed. Times are RFC 3339. */
export const refreshStateSchema = z.object({
  state: z
    .enum(["planned", "under_way", "relogin_needed", "none"])
    .describe(
      "relogin_needed: not before the customer has logged in again; none: its data come as files, or another connection has them.",
    ),
  next_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_outcome: z.enum(refreshOutcomes).nullable().describe("Null while it is under way, or when there was none."),
});
export type RefreshState = z.infer<typeof refreshStateSchema>;

/** Body of a request for a refresh. */
export const refreshRequestSchema = z.strictObject({ connection_id: idField });

/** What became of a refresh that was asked for. */
export const refreshAnswerSchema = z.object({
  connection_id: z.string(),
  outcome: z.enum([...refreshOutcomes, "under_way"]),
  status: credentialStatusSchema,
  refresh: refreshStateSchema,
});
