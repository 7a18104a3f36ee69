/*
 * For tests: an event log and webhooks in memory, and the conformance cases for backends of the ports (they need vitest).
 */
export { describeEventStore, type EventStoreFixture } from "./describe-event-store.js";
export { describeWebhookStores } from "./describe-webhook-stores.js";
export { createMemoryEventStore, type MemoryEventStore } from "./memory-event-store.js";
export { createMemoryWebhookStores, type MemoryWebhookStores } from "./memory-webhook-stores.js";
export type { WebhookStoresFixture } from "./webhook-steps.js";
