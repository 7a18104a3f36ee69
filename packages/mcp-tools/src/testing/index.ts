/**
 * For backends of {@link EndedSessions}: {@link describeEndedSessions | the rules} to pass, run with vitest, and
 * {@link createMemoryEndedSessions | a version in memory}.
 */
export { describeEndedSessions } from "./describe-ended-sessions.js";
export { createMemoryEndedSessions } from "./memory-ended-sessions.js";
