/**
 * For tests of and on core's storage.
 *
 *   createMemoryStorage()               memory/, by port
 *   describeStorage(name, makeStorage)  conformance/, one file per subject; needs vitest and fast-check
 */
export type { StorageFixture } from "./conformance/fixture.js";
export * as samples from "./conformance/fixture.js";
export { describeStorage } from "./describe-storage.js";
export { createMemoryStorage, type MemoryStorage } from "./memory-storage.js";
export { createMemoryTenantAccess, createTestRuntime, directoryOf } from "./stand-ins.js";
