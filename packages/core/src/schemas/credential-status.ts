import type { CredentialStatus, ReloginEvaluation } from "@org/relogin-rule";
import { z } from "zod";

const productFlags = z.object({
  auth: z.boolean(),
  account: z.boolean(),
  card: z.boolean(),
  portfolio: z.boolean(),
  investment: z.boolean(),
  liability: z.boolean(),
  holders: z.boolean(),
});
const transactionFlags = z.object({
  account: z.boolean(),
  card: z.boolean(),
  investment: z.boolean(),
  liability: z.boolean(),
});
const flags = z.object({ product: productFlags, transaction: transactionFlags });

/** Health of a bank connection (contract §4). Ready = not `pending` and not `blocked`. Times are RFC 3339. */
export const credentialStatusSchema = z.object({
  pending: z.boolean(),
  blocked: z.boolean(),
  reset_token: z.string().nullable(),
  sca_token: z.string().nullable(),
  transaction_token: z.string().nullable(),
  last_update: z.string().nullable(),
  created_at: z.string(),
  errored: flags,
  created: flags,
  consent_expires_at: z.string().nullable(),
}) satisfies z.ZodType<CredentialStatus>;
export type { CredentialStatus };

/** Whether the customer of a connection has to log in again, why, and what to do next (S1 §3). */
export const reloginSchema = z.object({
  needs_relogin: z.boolean(),
  reasons: z.array(
    z.object({
      code: z.enum(["blocked", "sca_required", "auth_error", "reset_token"]),
      message: z.string(),
      next_action: z.string(),
    }),
  ),
}) satisfies z.ZodType<ReloginEvaluation>;

/**
 * When the customer of a connection is asked to renew the consent, which is done in its last days with a Connect session. Times are RFC
 * 3339.
 */
export const consentRenewalSchema = z.object({ asked_since: z.string(), expires_at: z.string() });
export type ConsentRenewal = z.infer<typeof consentRenewalSchema>;

/** The status of a connection that has no data yet. `createdAt` is RFC 3339. */
export function pendingStatus(createdAt: string): CredentialStatus {
  return {
    pending: true,
    blocked: false,
    reset_token: null,
    sca_token: null,
    transaction_token: null,
    last_update: null,
    created_at: createdAt,
    errored: noFlags(),
    created: noFlags(),
    consent_expires_at: null,
  };
}

function noFlags() {
  return {
    product: {
      auth: false,
      account: false,
      card: false,
      portfolio: false,
      investment: false,
      liability: false,
      holders: false,
    },
    transaction: { account: false, card: false, investment: false, liability: false },
  };
}
