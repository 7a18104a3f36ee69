/**
 * The lifecycle of an authorization letter (S2 §3) as one table.
 *
 *   statuses.ts     all statuses and events
 *   transitions.ts  the table: every status × event pair, allowed or refused
 *   next-status.ts  looks up a move; mainLineEvent() is an operator's next step, hasEnded() and isTerminal() test for the end
 */
export { LetterTransitionError } from "./letter-transition-error.js";
export { hasEnded, isTerminal, type LetterState, mainLineEvent, nextStatus } from "./next-status.js";
export { type LetterEvent, type LetterStatus, letterEvents, letterStatuses } from "./statuses.js";
export { type Transition, transitions } from "./transitions.js";
