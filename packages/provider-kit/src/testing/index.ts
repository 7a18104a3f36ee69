/**
 * Equipment for tests of providers, for any test runner.
 *
 *   conformance.ts  the rules that every provider keeps; conformance-world.ts is what they need of it
 *   log-in.ts       takes a customer through a login
 *   requests.ts     requests as a server makes them
 */
export { type ConformanceCase, conformanceCases } from "./conformance.js";
export type { ConformanceSetup, InstitutionMode, StandIn } from "./conformance-world.js";
export { type Customer, logIn, type StepTaken } from "./log-in.js";
export { type Requests, requestsFor } from "./requests.js";
