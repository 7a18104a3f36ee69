/**
 * Checks webhooks of Wealth Connect where they are received: who sent them, whole and lately (Standard Webhooks 1.0.0).
 *
 *   create-webhook-verifier.ts  the check, header by header
 *   keys.ts                     `whsec_` and `whpk_` texts, and the installation's key document
 *   verification-error.ts       what can be wrong, by code
 *   event.ts                    the events, as types
 */
export {
  createWebhookVerifier,
  type WebhookMessage,
  type WebhookVerifier,
  type WebhookVerifierOptions,
} from "./create-webhook-verifier.js";
export type { WebhookEvent, WebhookEventData, WebhookEventOf, WebhookEventType } from "./event.js";
export type { PublicKeys, WebhookKeyDocument } from "./keys.js";
export { WebhookVerificationError, type WebhookVerificationErrorCode } from "./verification-error.js";
