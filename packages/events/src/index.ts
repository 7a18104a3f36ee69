/**
 * What happens to a tenant, as its log and as signed webhooks. Events are written by core, each in the transaction that makes it happen
 * (`EventLog`); here they are read, and sent to endpoints.
 *
 *   event-reading.ts   pages of a log, numbering, what is old
 *   waiting-calls.ts   calls that wait for news, a bounded number of them
 *   endpoint-operations.ts  what a tenant's applications do with endpoints, endpoint-desk.ts what operators do; asks-for.ts says which events one gets, endpoint-url.ts where
 *                      they may be sent
 *   deliveries/        deliveries.ts sends what is due to a leased endpoint: signature.ts and signing-keys.ts sign,
 *                      webhook-client.ts posts (post-webhook.ts is its interface), plan-of-tries.ts says when what failed is tried again,
 *                      tally.ts when an endpoint is left alone; operator-mail.ts tells the operator of one that was disabled
 *   ports/             what is stored; `./testing` has a memory version and the cases that every backend passes
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
