/*
 * For tests: stores in memory, and the cases that every backend of the ports passes (they need vitest), and what custodians have.
 */
export { describeSourceStores, type SourceStoresFixture } from "./describe-source-stores.js";
export { hasArchivePrograms, openGnuPg } from "./gnupg.js";
export { createMemorySourceStores } from "./memory-source-stores.js";
export { never, type SlowCustodian, startSlowCustodian } from "./slow-custodian.js";
export { type ZipEntry, zipOf } from "./zip-of.js";
