/*
 * For tests: people in memory, and the conformance cases for backends of the ports (they need vitest).
 */
export { describePeopleStores } from "./describe-people-stores.js";
export { createIssuer, type TokenDefects } from "./identity-provider-double.js";
export { createMemoryPeopleStores } from "./memory-people-stores.js";
export type { PeopleStoresFixture } from "./people-stage.js";
export { createAuthenticator } from "./software-authenticator.js";
