import { z } from "zod";
import { refreshOutcomes } from "../ports/refresh-store.js";
import { credentialStatusSchema } from "./credential-status.js";
import { opaqueId } from "./identifier.js";

/** When a connection is refreshed. Times are RFC 3339. */
export const refreshStateSchema = z.object({
  state: z
    .enum(["planned", "under_way", "relogin_needed", "none"])
    .describe("relogin_needed: not before the customer has logged in again; none: its data come as files."),
  next_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_outcome: z.enum(refreshOutcomes).nullable().describe("Null while it is under way, or when there was none."),
});
export type RefreshState = z.infer<typeof refreshStateSchema>;

/** Body of a request for a refresh. */
export const refreshRequestSchema = z.strictObject({ connection_id: opaqueId });

/** What became of a refresh that was asked for. */
export const refreshAnswerSchema = z.object({
  connection_id: z.string(),
  outcome: z.enum([...refreshOutcomes, "under_way"]),
  status: credentialStatusSchema,
  refresh: refreshStateSchema,
});
