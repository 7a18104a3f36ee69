/**
 * Test support for core's storage.
 *
 *   createMemoryStorage()               in memory, in files by feature and port
 *   describeStorage(name, makeStorage)  the cases in *-cases.ts, one file per subject; needs vitest and fast-check
 */

export { describeStorage } from "./describe-storage.js";
export { memoryMovements } from "./feeds/movements.js";
export type { StorageFixture } from "./fixture.js";
export * as samples from "./fixture.js";
export { createMemoryKeyedRequests } from "./keyed-requests.js";
export { createMemoryStorage, type MemoryStorage } from "./memory-storage.js";
export { createMemoryTenantAccess, createTestRuntime, directoryOf } from "./stand-ins.js";
export type { TenantState } from "./state.js";
