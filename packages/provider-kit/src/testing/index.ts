/**
 * Tools for testing providers and formats with any test runner.
 *
 *   conformance.ts  the rules for every provider, run in conformance-world.ts
 *   feed-conformance.ts  the rules for every format of custodian files
 *   recording/      the rules about data and failures, with recorded answers
 *   log-in.ts       takes a customer through a login
 *   requests.ts     creates requests as a server would
 */
export { type ConformanceCase, conformanceCases } from "./conformance.js";
export type { ConformanceSetup, InstitutionMode, StandIn } from "./conformance-world.js";
export { type FeedFormatCase, type FeedFormatSetup, feedFormatCases } from "./feed-conformance.js";
export { type Customer, logIn, type StepTaken } from "./log-in.js";
export {
  type Recording,
  type RecordingSetup,
  readRecording,
  recordedSetup,
  recordingCases,
} from "./recording/index.js";
export { type Requests, requestsFor } from "./requests.js";
