import { evaluateRelogin, type ReloginReasonCode } from "@org/relogin-rule";
import { z } from "zod";
import type { CredentialStatus } from "../schemas/credential-status.js";
import { connectionConditionOf } from "./connection-changes.js";
import type { ConnectionRecord } from "./connection-store.js";

/** What a connection needs from somebody, in words for a person. To log in again is a Connect session for the connection. */
export const attentionSchema = z.object({
  state: z.enum(["blocked", "needs_relogin", "pending", "incomplete", "consent_ends"]),
  message: z.string(),
  next_action: z.string(),
});
export type Attention = z.infer<typeof attentionSchema>;

const CONSENT_NOTICE_DAYS = 14;

/** Returns the time before which a consent that ends needs attention. */
export function consentNoticeEnd(now: Date): Date {
  return new Date(now.getTime() + CONSENT_NOTICE_DAYS * 24 * 3_600_000);
}

/**
 * Returns what a connection needs, the most urgent first; null if nothing. Old data alone need nothing. A data feed has no login, so its
 * operator is asked.
 */
export function attentionOf(
  { status, provider }: Pick<ConnectionRecord, "status" | "provider">,
  now: Date,
): Attention | null {
  const isFeed = provider === "datafeed";
  const condition = connectionConditionOf(status);
  const failed = failedProducts(status);
  if (condition === "blocked" || condition === "needs_relogin") {
    const code = evaluateRelogin(status).reasons[0]?.code ?? "blocked";
    return { state: condition, message: reloginWords[code], next_action: isFeed ? ASK_OPERATOR : LOG_IN };
  }
  if (condition === "pending")
    return isFeed
      ? { state: "pending", message: "No file has arrived yet.", next_action: `Wait. ${ASK_OPERATOR}` }
      : { state: "pending", message: "The first data are being fetched.", next_action: "Wait a few minutes." };
  if (failed.length > 0) {
    const message = `The last ${isFeed ? "delivery" : "refresh"} brought no ${listOf(failed)}.`;
    return { state: "incomplete", message, next_action: isFeed ? ASK_OPERATOR : "Wait: it is retried daily." };
  }
  const end = status.consent_expires_at;
  if (end === null || Date.parse(end) >= consentNoticeEnd(now).getTime()) return null;
  const message = `The consent ${Date.parse(end) > now.getTime() ? "ends" : "ended"} on ${end.slice(0, 10)}.`;
  return { state: "consent_ends", message, next_action: isFeed ? ASK_OPERATOR : LOG_IN };
}

const LOG_IN = "Log in again.";
const ASK_OPERATOR = "Ask the operator of the service.";

const reloginWords = {
  blocked: "It is blocked and gets no data.",
  sca_required: "The bank wants a second factor.",
  auth_error: "The bank refused the login.",
  reset_token: "The bank wants a new login.",
} as const satisfies Record<ReloginReasonCode, string>;

function failedProducts({ errored }: CredentialStatus): readonly string[] {
  return [
    ...(errored.product.portfolio ? ["accounts"] : []),
    ...(errored.product.investment ? ["holdings"] : []),
    ...(errored.transaction.investment ? ["transactions"] : []),
  ];
}

function listOf(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join();
}

/** An account as a list of connections names it; `last_four` tells two of one name apart. */
export const namedAccountSchema = z.object({ name: z.string(), last_four: z.string().nullable() });
export type NamedAccount = z.infer<typeof namedAccountSchema>;

/** Returns an account with the last four letters and digits of its number, and nothing else of it. */
export function namedAccount({ name, ref_account }: { name: string; ref_account: string | null }): NamedAccount {
  const characters = ref_account?.match(/[\p{L}\p{N}]/gu) ?? [];
  return { name, last_four: characters.length < 4 ? null : characters.slice(-4).join("") };
}
