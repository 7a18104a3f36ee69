/**
 * Wealth Connect's domain. `schemas/` are the shapes on the wire, `ports/` what the services need from outside (storage,
 * banks, encryption, time), `services/` what the product does. Adapters (REST, MCP, widget) call services and map
 * {@link CoreError} to their own envelope. Nothing here knows HTTP, SQL or the environment.
 */
export { auditEntry } from "./audit-entry.js";
export { addDecimals, compareDecimals, decimalOf, multiplyDecimals, normaliseDecimal } from "./decimal.js";
export * from "./errors.js";
export { faultsOf, parseOrRefuse } from "./faults.js";
export { createPageTokens, type PageTokens } from "./page-token.js";
export * from "./ports/actor.js";
export * from "./ports/audit-log.js";
export * from "./ports/bank-provider.js";
export * from "./ports/catalogue-store.js";
export * from "./ports/connection-store.js";
export * from "./ports/data-reader.js";
export * from "./ports/directory.js";
export * from "./ports/letter-store.js";
export * from "./ports/mail-store.js";
export * from "./ports/mail-transport.js";
export * from "./ports/refresh-store.js";
export * from "./ports/runtime.js";
export * from "./ports/session-store.js";
export * from "./ports/snapshot-store.js";
export * from "./ports/storage.js";
export * from "./ports/tenant-access.js";
export * from "./ports/tenant-store.js";
export * from "./ports/upkeep.js";
export * from "./ports/vault.js";
export type { BreakerState } from "./provider-guard/circuit-breaker.js";
export * from "./provider-guard/provider-guard.js";
export * from "./schemas/audit.js";
export * from "./schemas/connector.js";
export * from "./schemas/connector-requests.js";
export * from "./schemas/credential-status.js";
export * from "./schemas/data.js";
export * from "./schemas/decimal.js";
export * from "./schemas/identifier.js";
export * from "./schemas/labels.js";
export * from "./schemas/letter.js";
export * from "./schemas/letter-details.js";
export * from "./schemas/letter-requests.js";
export * from "./schemas/mail.js";
export * from "./schemas/paging.js";
export { type AccessRefusal, accessRefusals } from "./schemas/provider-answers.js";
export * from "./schemas/refresh.js";
export * from "./schemas/session.js";
export * from "./schemas/session-requests.js";
export * from "./services/audit-reading.js";
export * from "./services/connectors.js";
export * from "./services/credentials.js";
export * from "./services/customer-sessions.js";
export type { CustomerView } from "./services/customer-view.js";
export * from "./services/data-feeds.js";
export { createFeedSilence, type FeedSilence } from "./services/feed-silence.js";
export * from "./services/investment-data.js";
export {
  type DocumentChecks,
  type DocumentScanner,
  decodeDocument,
  type LetterTemplate,
  type LetterText,
  type PdfInspector,
  type ReceivedDocument,
  type ReceivedDocuments,
} from "./services/letter-documents.js";
export * from "./services/letter-operations.js";
export * from "./services/letters.js";
export { createMailDelivery, type MailDelivery, type MailReport } from "./services/mail-delivery.js";
export { createMails, type Mails } from "./services/mails.js";
export { nextDaily } from "./services/refresh-plan.js";
export * from "./services/refreshes.js";
export { nextSessionStatus, type SessionEvent, sessionTransitions } from "./services/session-machine.js";
export * from "./services/sessions.js";
export * from "./services/tenants.js";
export * from "./services/upkeep.js";
