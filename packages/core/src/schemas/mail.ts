import { z } from "zod";
import { uuidField } from "./identifier.js";
import { pageSizeSchema } from "./paging.js";

/** What a mail is for: the client's signature, the custodian's acceptance, or the end of an authorization. */
export const mailKinds = ["signature_request", "authorization_letter", "revocation_notice"] as const;
export type MailKind = (typeof mailKinds)[number];

/** The state of a mail. */
export const mailStates = [
  /** Waiting until it is due, or being sent. */
  "queued",
  /** A mail server accepted it. */
  "sent",
  /** The whole message was transmitted but no answer came, so it may have arrived. It is not sent again automatically. */
  "in_doubt",
  /** A mail server refused it for good, or too often. */
  "failed",
  /** The letter moved on before it was sent. */
  "withdrawn",
] as const;
export type MailState = (typeof mailStates)[number];

/** A mail about a letter as operators see it; times are RFC 3339. */
export const mailSchema = z.object({
  mail_id: z.guid().brand<"Uuid">(),
  tenant_id: z.guid(),
  letter_id: z.guid(),
  kind: z.enum(mailKinds),
  state: z.enum(mailStates),
  recipient: z.string().nullable().describe("Null once it is withdrawn, or its letter has ended."),
  created_at: z.string(),
  next_attempt_at: z.string().nullable().describe("Of a queued mail; null while it is being sent."),
  attempts: z.int().min(0),
  last_error: z.string().nullable().describe("What the mail server said last, without the address."),
  settled_at: z.string().nullable(),
});
export type MailView = z.output<typeof mailSchema>;

/** An operator's search for mails. */
export const mailSearchSchema = z.strictObject({
  tenant_id: uuidField.nullish(),
  state_in: z.array(z.enum(mailStates)).max(10).optional(),
  page_size: pageSizeSchema(500, 100),
  page_token: z.string().max(1_000).nullish(),
});
export type MailSearch = z.output<typeof mailSearchSchema>;
