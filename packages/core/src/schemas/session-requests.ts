import { z } from "zod";
import { pageToken } from "./connector-requests.js";
import { opaqueId } from "./identifier.js";
import { labelsSchema } from "./labels.js";
import { sessionErrorCodes, sessionLanguages, sessionStatuses } from "./session.js";

/** `configuration` of a new session (contract §5). Rules between fields are checked by the service. */
export const sessionConfigurationSchema = z.strictObject({
  connector_id: opaqueId.nullish(),
  connection_id: opaqueId.nullish(),
  /** Checked by `@org/connector-filter`. */
  connector_filter: z.unknown().optional(),
  // Its length first: parsing a host of accents takes time by the square of it.
  redirect_url: z.string().max(2_000, { abort: true }).check(z.url("must be a URL")).nullish(),
  labels: labelsSchema.nullish(),
  language: z.enum(sessionLanguages).nullish(),
  privacy_notice: z.string().max(5_000, "must have at most 5000 characters").nullish(),
});

/** Body of create-session. */
export const createSessionSchema = z.strictObject({ configuration: sessionConfigurationSchema.default({}) });

/** Body of list-sessions (contract §5). */
export const sessionListSchema = z.strictObject({
  query: z
    .strictObject({
      session_id_in: z.array(opaqueId).max(1_000).optional(),
      status_in: z.array(z.enum(sessionStatuses)).max(100).optional(),
      connection_id_in: z.array(opaqueId).max(1_000).optional(),
      error_code_in: z.array(z.enum(sessionErrorCodes)).max(100).optional(),
    })
    .nullish(),
  page_token: pageToken,
});
