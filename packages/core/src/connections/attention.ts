import { evaluateRelogin, type ReloginReasonCode } from "@org/relogin-rule";
import { z } from "zod";
import type { CredentialStatus } from "../schemas/credential-status.js";
import { connectionConditionOf } from "./connection-changes.js";
import type { ConnectionRecord } from "./connection-store.js";

/** What a connection needs from somebody, in few words for a person. To log in is a Connect session for the connection. */
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
 * @param usesKey whether its customer connects it with a key that they made at the bank
 */
export function attentionOf(
  { status, provider }: Pick<ConnectionRecord, "status" | "provider">,
  now: Date,
  usesKey = false,
): Attention | null {
  const isFeed = provider === "datafeed";
  const renewal = isFeed ? ASK_OPERATOR : usesKey ? "enter a new key" : "log in";
  const condition = connectionConditionOf(status);
  const failed = failedProducts(status);
  if (condition === "blocked" || condition === "needs_relogin") {
    const code = evaluateRelogin(status).reasons[0]?.code ?? "blocked";
    const message = usesKey && code === "auth_error" ? "key refused" : reloginWords[code];
    return { state: condition, message, next_action: renewal };
  }
  if (condition === "pending")
    return isFeed
      ? { state: "pending", message: "no file yet", next_action: `wait, or ${ASK_OPERATOR}` }
      : { state: "pending", message: "no data yet", next_action: "wait" };
  if (failed.length > 0) {
    const message = `no ${listOf(failed)} came`;
    return { state: "incomplete", message, next_action: isFeed ? ASK_OPERATOR : "wait a day" };
  }
  const end = status.consent_expires_at;
  if (end === null || Date.parse(end) >= consentNoticeEnd(now).getTime()) return null;
  const message = `${Date.parse(end) > now.getTime() ? "ends" : "ended"} on ${end.slice(0, 10)}`;
  return { state: "consent_ends", message, next_action: renewal };
}

const ASK_OPERATOR = "ask the operator";

const reloginWords = {
  blocked: "gets no data",
  sca_required: "second factor needed",
  auth_error: "login refused",
  reset_token: "new login needed",
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
