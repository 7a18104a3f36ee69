/**
 * Tests a provider against recorded answers of its institution.
 *
 *   recording.ts        the format of a recording, and how it is read
 *   recording-cases.ts  the cases: data-rules.ts (good answers), failure-rules.ts (answers that are none)
 *   recording-world.ts  a provider at the institution of a recording, in virtual-time.ts
 *   replay.ts           the institution; paging.ts divides its lists
 *   rewrite.ts          other numbers, texts and customers in a recording
 *   expected-rows.ts    compares a snapshot with what is expected
 *   make-recording.ts   makes a recording of a session with a customer: replace-values.ts replaces all that is the customer's, repeat-pass.ts runs the
 *                       provider again with the rest
 */
export { type MadeRecording, makeRecording, replacerOf, type SeenSession } from "./make-recording.js";
export { type Recording, readRecording } from "./recording.js";
export { recordedSetup, recordingCases } from "./recording-cases.js";
export type { RecordingSetup } from "./recording-world.js";
export type { RecordedPhase } from "./repeat-pass.js";
export type { ValueReplacer } from "./replace-values.js";
