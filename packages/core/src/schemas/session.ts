import { challengeKinds, type Language, languages } from "@org/provider-kit";
import { z } from "zod";
import { clientRefSchema } from "./client.js";
import { pageToken } from "./connector-requests.js";
import { opaqueId } from "./identifier.js";
import { labelsSchema } from "./labels.js";
import { orderField } from "./paging.js";

/** Every status of a Connect session (contract §5). */
export const sessionStatuses = [
  "Waiting:ProvideCredentials",
  "Processing:ProvideCredentials",
  "Waiting:Challenge",
  "Processing:Challenge",
  "Finished:OK",
  "Finished:Error",
  "Finished:Expired",
  "Finished:Aborted",
] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** Why a session failed, or why the last attempt was refused (contract §5). */
export const sessionErrorCodes = [
  "InvalidCredentials",
  "InvalidChallengeResponse",
  "UnsupportedChallengeMethod",
  "UserInteractionNeeded",
  "AlreadyExists",
  "AbortedByUser",
  "SessionExpired",
  "InternalError",
] as const;
export type SessionErrorCode = (typeof sessionErrorCodes)[number];

/** What a login can ask of the customer before it ends: a challenge, a visit to the bank's own page (`redirect`), or more fields (`ask`). */
const stepKinds = [...challengeKinds, "redirect", "ask"] as const;

/**
 * A Connect session as its creator sees it (S1 §2). Times are RFC 3339. `widget_url` is null once the session has finished;
 * `challenge_kind` is present while it is `Waiting:Challenge`.
 */
export const sessionSchema = z.object({
  session_id: z.string(),
  status: z.enum(sessionStatuses),
  updated_at: z.string(),
  widget_url: z.string().nullable(),
  connection_id: z.string().nullable(),
  connector_id: z.string().nullable(),
  client_ref: z.string().nullable(),
  expires_at: z.string(),
  error_code: z.enum(sessionErrorCodes).nullable(),
  challenge_kind: z.enum(stepKinds).optional(),
});
export type SessionView = z.infer<typeof sessionSchema>;

/** A session in a list: also for what it is, who made it, and when its link was opened first. */
export const listedSessionSchema = sessionSchema.extend({
  relogin: z.boolean().describe("Whether a customer logs in to connection_id again, instead of making a connection."),
  bank: z
    .string()
    .nullable()
    .describe("The connector's name; null while none is chosen, or if the catalogue has it no more."),
  created_by: z.string().describe("The application's id, or person: and the id of the person at the console."),
  created_at: z.string(),
  opened_at: z.string().nullable().describe("When widget_url was opened first; null while nobody has."),
});
export type ListedSessionView = z.infer<typeof listedSessionSchema>;

/**
 * What the customer is told beyond status and error code: the login is valid but is not the connection's (`other_login`), the bank shows no
 * account (`no_accounts`) or is still preparing the data (`data_pending`), or part of the data could not be read (`data_incomplete`).
 */
export type SessionRemark = "other_login" | "no_accounts" | "data_pending" | "data_incomplete";

/** Languages of the widget. */
export const sessionLanguages = languages;
export type SessionLanguage = Language;

/** A language tag in the form of RFC 5646 §2.1; whether the language exists is not checked. */
export const languageTag = z
  .string("must be a language tag (BCP 47) such as de or fr-CH")
  .max(100, "must have at most 100 characters")
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, "must be a language tag (BCP 47) such as de or fr-CH");

/** The widget's language for a tag, ignoring region and script (RFC 4647 §3.4); null if the widget does not speak it. */
export function sessionLanguageOf(tag: string): SessionLanguage | null {
  const [language] = tag.toLowerCase().split("-");
  return sessionLanguages.find((known) => known === language) ?? null;
}

/** `configuration` of a new session (contract §5). Rules between fields are checked by the service. */
export const sessionConfigurationSchema = z.strictObject({
  connector_id: opaqueId.nullish(),
  connection_id: opaqueId.nullish(),
  /** Checked by `@org/connector-filter`. */
  connector_filter: z.unknown().optional(),
  // The length is checked first: parsing a host full of accents takes time quadratic in its length.
  redirect_url: z.string().max(2_000, { abort: true }).check(z.url("must be a URL")).nullish(),
  labels: labelsSchema.nullish(),
  client_ref: clientRefSchema.nullish(),
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
      is_opened: z.boolean().optional().describe("Whether widget_url was ever opened."),
    })
    .nullish(),
  order: orderField("newest"),
  page_token: pageToken,
});
