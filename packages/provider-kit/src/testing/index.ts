/**
 * Equipment for tests of providers and formats, for any test runner.
 *
 *   conformance.ts  the rules that every provider keeps; conformance-world.ts is what they need of it
 *   feed-conformance.ts  the rules that every format of custodian files keeps
 *   log-in.ts       takes a customer through a login
 *   requests.ts     requests as a server makes them
 */
export { type ConformanceCase, conformanceCases } from "./conformance.js";
export type { ConformanceSetup, InstitutionMode, StandIn } from "./conformance-world.js";
export { type FeedFormatCase, type FeedFormatSetup, feedFormatCases } from "./feed-conformance.js";
export { type Customer, logIn, type StepTaken } from "./log-in.js";
export { type Requests, requestsFor } from "./requests.js";
