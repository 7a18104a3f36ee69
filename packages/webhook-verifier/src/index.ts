/**
 * Verifies webhooks of Wealth Connect in a receiver: their sender, integrity and age (Standard Webhooks 1.0.0).
 *
 *   create-webhook-verifier.ts  the check, header by header
 *   keys.ts                     parses `whsec_` and `whpk_` texts, and the installation's key document
 *   verification-error.ts       the error class and its codes
 *   event.ts                    the types of events
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
