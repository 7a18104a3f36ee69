/* For tests: memory stores, the cases that every backend of the ports must pass (they need vitest), and custodians' tools. */
export { describeSourceStores, type SourceStoresFixture } from "./describe-source-stores.js";
export { hasArchivePrograms, openGnuPg } from "./gnupg.js";
export { createMemorySourceStores } from "./memory-source-stores.js";
export { never, type SlowCustodian, startSlowCustodian } from "./slow-custodian.js";
export { type ZipEntry, zipOf } from "./zip-of.js";
