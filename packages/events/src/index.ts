/**
 * The events of a tenant, as a log and as signed webhooks. Core writes each event in the transaction that causes it (`EventLog`);
 * this package reads events and sends them to endpoints.
 *
 *   event-reading.ts        reads pages of a log, numbers events, deletes old ones
 *   waiting-calls.ts        a bounded number of calls that wait for new events
 *   endpoint-operations.ts  endpoint management for a tenant's applications, endpoint-admin.ts for operators; asks-for.ts selects
 *                           the events of an endpoint, endpoint-url.ts checks where they may be sent
 *   deliveries/             deliveries.ts sends due deliveries to a leased endpoint: signature.ts and signing-keys.ts sign,
 *                           webhook-client.ts posts (post-webhook.ts is its interface), retry-schedule.ts schedules retries,
 *                           delivery-stats.ts decides when an endpoint is paused or disabled; operator-mail.ts reports disabled ones
 *   ports/                  what a storage backend implements; `./testing` has a memory version and the conformance cases
 */
export {
  createDeliveries,
  type Deliveries,
  type DisabledEndpoint,
  type SliceReport,
} from "./deliveries/deliveries.js";
export { createNoticeLimit, createOperatorMail } from "./deliveries/operator-mail.js";
export type { PostWebhook, WebhookAnswer, WebhookError, WebhookRequest } from "./deliveries/post-webhook.js";
export { createWebhookSigningKeys, type PublishedKey, type WebhookSigningKeys } from "./deliveries/signing-keys.js";
export { createWebhookClient, type WebhookClient } from "./deliveries/webhook-client.js";
export { createEndpointAdmin, type EndpointAdmin, type EndpointSearch } from "./endpoint-admin.js";
export {
  createEndpointOperations,
  type DeliverySearch,
  type EndpointInput,
  type EndpointOperations,
  type ReplayInput,
} from "./endpoint-operations.js";
export { endpointUrlFault, endpointUrlRule } from "./endpoint-url.js";
export {
  createEventReading,
  EVENT_DAYS,
  type EventReading,
  type EventSearch,
  eventView,
  typesOf,
} from "./event-reading.js";
export type {
  DeliveryBacklog,
  DeliveryOutcome,
  DeliveryQueue,
  DueDelivery,
  EndpointLease,
} from "./ports/delivery-queue.js";
export {
  type DeliveryRecord,
  type DeliveryState,
  type DisabledReason,
  deliveryStates,
  type EndpointChange,
  type EndpointRecord,
  type EndpointSettings,
  type EndpointState,
  type EndpointStore,
  type NewEndpoint,
  type OwnedEndpoint,
  type Replay,
  type Replayed,
  secretContext,
} from "./ports/endpoint-store.js";
export type { EventPage, EventQuery, EventStore, NumberedEvents, StoredEvent } from "./ports/event-store.js";
