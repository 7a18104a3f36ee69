/*
 * For tests: a store in memory, and the cases that every backend of the store port passes.
 *
 *   createMemoryOAuthStore()            memory-*.ts, one file per port
 *   describeOAuthStore(name, makeStore) conformance-*.ts, one file per port; needs vitest
 */
export type { OAuthStoreFixture } from "./conformance-fixture.js";
export { describeOAuthStore } from "./describe-oauth-store.js";
export { createMemoryOAuthStore } from "./memory-oauth-store.js";
