/**
 * What decides whether and when work begins: a semaphore that is fair between keys, places for which nobody waits, budgets of bytes and of
 * tokens, a single flight, a batcher, and for requests the loop scheduler and the overload guard. Everything is in memory and belongs to this
 * process alone; a key is a tenant, a network, or whatever else is to get no more than its share.
 *
 * @packageDocumentation
 */
export { batcher } from "./batcher.js";
export { type ByteBudget, type ByteHolder, createByteBudget } from "./byte-budget.js";
export { createLoopScheduler, type LoopScheduler } from "./loop-scheduler.js";
export { type Admission, createOverloadGuard, type OverloadGuard, type OverloadOptions } from "./overload-guard.js";
export { createPlaces, type NamedLimit, type Places, type PlacesOptions } from "./places.js";
export type { ReachedLimit } from "./reached-limit.js";
export {
  createSemaphore,
  type Semaphore,
  type SemaphoreLoad,
  type SemaphoreOptions,
  type SharedRoom,
} from "./semaphore.js";
export type { Share } from "./share.js";
export { singleFlight } from "./single-flight.js";
export { createTokenBuckets, type TokenBuckets } from "./token-buckets.js";
