import { z } from "zod";
import { clientRefSchema } from "../schemas/client.js";
import { connectionConditions } from "../schemas/event.js";
import { idField, opaqueId } from "../schemas/identifier.js";
import { labelsSchema } from "../schemas/labels.js";
import { moment } from "../schemas/moment.js";
import { defaulted, optional } from "../schemas/optional.js";
import { pageSizeSchema } from "../schemas/paging.js";
import { refreshStateSchema } from "../schemas/refresh.js";

/** The conditions of a connection that exists. */
export const connectionStates = connectionConditions.filter((condition) => condition !== "removed");
export type ConnectionState = (typeof connectionStates)[number];

const state = z.enum(connectionStates);

/** Search criteria for connections, all ANDed. */
export const connectionConditionsSchema = z.strictObject({
  connection_id: optional(opaqueId.max(100).pipe(idField)),
  client_ref_in: z
    .array(clientRefSchema)
    .max(1_000)
    .optional()
    .describe("Connections of any of these clients; none for an empty list."),
  bank: optional(z.string().max(200)).describe(
    "A part of the bank's name in the catalogue, whatever its case and accents.",
  ),
  state_in: z.array(state).max(10).optional(),
  consent_ends_before: moment.optional().describe("The customer's consent ends before this date (UTC) or datetime."),
  is_failing: optional(z.boolean()).describe("Only those whose last refresh failed, or only those whose did not."),
});

const paging = { page_token: z.string().max(1_000).nullish(), page_size: pageSizeSchema(500, 100) };

/** The orders in which connections can be searched; ids break ties. */
export const connectionOrders = [
  "newest",
  "oldest",
  "consent_ends_first",
  "consent_ends_last",
  "data_newest",
  "data_oldest",
] as const;
export type ConnectionOrder = (typeof connectionOrders)[number];

/** Body of a search for connections of one tenant. */
export const connectionSearchSchema = z.strictObject({
  query: defaulted(connectionConditionsSchema, {}),
  order: defaulted(z.enum(connectionOrders, `must be one of ${connectionOrders.join(", ")}`), "newest").describe(
    "By when they were connected, by the end of the customer's consent, or by `last_update`; those without such a time come last.",
  ),
  ...paging,
});
export type ConnectionSearch = z.output<typeof connectionSearchSchema>;

/** A connection with what its operators need to know, never its data. Times are RFC 3339. */
export const foundConnectionSchema = z.object({
  connection_id: z.guid(),
  connector_id: z.string(),
  bank: z.string(),
  provider: z.string(),
  labels: labelsSchema,
  uses_key: z
    .boolean()
    .describe(
      "Whether its customer connects it with a key made at the bank, instead of a login, and renews it with a new one.",
    ),
  client_ref: z.string().nullable().describe("Whose it is, by the tenant's own reference."),
  client_name: z.string().nullable(),
  state: state.describe("blocked comes before needs_relogin, and that before pending."),
  reasons: z
    .array(z.enum(["blocked", "sca_required", "auth_error", "reset_token"]))
    .describe("Why its customer has to log in again, or to enter a new key, or why it is blocked."),
  last_update: z.string().nullable().describe("As of when its data are; null while there are none."),
  consent_expires_at: z.string().nullable(),
  letter_id: z.guid().nullable().describe("Of the letter whose custodian sends its data."),
  created_at: z.string(),
  refresh: refreshStateSchema,
});
export type FoundConnection = z.infer<typeof foundConnectionSchema>;
