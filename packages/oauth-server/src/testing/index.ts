/*
 * For tests: a store in memory, the conformance cases for backends of the store port, and every state of the pages.
 *
 *   createMemoryOAuthStore()            memory-*.ts, one file per port
 *   describeOAuthStore(name, makeStore) conformance-*.ts, one file per port; needs vitest
 *   samplePages                         for testing custom pages
 */
export type { OAuthStoreFixture } from "./conformance-fixture.js";
export { describeOAuthStore } from "./describe-oauth-store.js";
export { createMemoryOAuthStore } from "./memory-oauth-store.js";
export { samplePages } from "./sample-pages.js";
