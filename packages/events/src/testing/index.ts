/*
 * For tests: a log in memory, and the cases that every backend of the port passes (they need vitest).
 */
export { describeEventStore, type EventStoreFixture } from "./describe-event-store.js";
export { createMemoryEventStore, type MemoryEventStore } from "./memory-event-store.js";
