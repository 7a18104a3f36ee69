/*
 * For tests: a store in memory, the cases that every backend of the store port passes, and every state of the pages.
 *
 *   createMemoryOAuthStore()            memory-*.ts, one file per port
 *   describeOAuthStore(name, makeStore) conformance-*.ts, one file per port; needs vitest
 *   samplePages                         to try pages of one's own on
 */
export type { OAuthStoreFixture } from "./conformance-fixture.js";
export { describeOAuthStore } from "./describe-oauth-store.js";
export { createMemoryOAuthStore } from "./memory-oauth-store.js";
export { samplePages } from "./sample-pages.js";
