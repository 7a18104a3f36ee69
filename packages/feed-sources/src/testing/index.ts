/*
 * For tests: stores in memory, and the cases that every backend of the ports passes (they need vitest).
 */
export { describeSourceStores, type SourceStoresFixture } from "./describe-source-stores.js";
export { createMemorySourceStores } from "./memory-source-stores.js";
export { type ZipEntry, zipOf } from "./zip-of.js";
