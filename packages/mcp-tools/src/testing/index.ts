/**
 * For backends of {@link EndedSessions}: {@link describeEndedSessions | the rules} to pass, run with vitest, and
 * {@link createMemoryEndedSessions | a memory version}.
 */
export { createMemoryEndedSessions, describeEndedSessions } from "./ended-sessions.js";
