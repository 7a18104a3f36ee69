/*
 * For tests: people in memory, and the cases that every backend of the ports passes (they need vitest).
 */
export { describePeopleStores, type PeopleStoresFixture } from "./describe-people-stores.js";
export { createMemoryPeopleStores } from "./memory-people-stores.js";
