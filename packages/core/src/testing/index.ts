/**
 * For tests of and on core's storage.
 *
 *   createMemoryStorage()               memory/, one file per port
 *   describeStorage(name, makeStorage)  conformance/, one file per subject; needs vitest and fast-check
 */
export type { StorageFixture } from "./conformance/fixture.js";
export * as samples from "./conformance/fixture.js";
export { describeStorage } from "./describe-storage.js";
export { createMemoryStorage, type MemoryStorage } from "./memory-storage.js";
export { directoryOf } from "./provider-directory.js";
export { createTestRuntime } from "./runtime.js";
export { createMemoryTenantAccess } from "./tenant-access.js";
