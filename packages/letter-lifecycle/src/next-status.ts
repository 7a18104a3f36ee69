import { LetterTransitionError } from "./letter-transition-error.js";
import { type LetterEvent, type LetterStatus, letterEvents } from "./statuses.js";
import { type Transition, transitions } from "./transitions.js";

/** The part of a letter that its moves depend on. */
export interface LetterState {
  readonly status: LetterStatus;
  /** Status of a Blocked letter before it was blocked; null in every other status. */
  readonly previous_status: LetterStatus | null;
  /** Whether the letter has ever been Connected. */
  readonly ever_connected: boolean;
}

/**
 * Returns the status that `event` leads to.
 * @throws LetterTransitionError when the table refuses the event, or a Blocked letter has no status to resume
 */
export function nextStatus(letter: LetterState, event: LetterEvent): LetterStatus {
  const transition = transitionOf(letter.status, event);
  if (transition === undefined) throw new LetterTransitionError(letter.status, event, "no such status or event");
  if ("to" in transition) return transition.to;
  if ("end" in transition) return letter.ever_connected ? "Discontinued" : "Cancelled";
  if ("refused" in transition) throw new LetterTransitionError(letter.status, event, transition.refused);
  const { previous_status } = letter;
  if (previous_status === null || !transition.resume.includes(previous_status))
    throw new LetterTransitionError(letter.status, event, "nothing to resume");
  return previous_status;
}

/** Whether a letter in `status` can no longer be discontinued: Cancelled, Discontinued and Revoked. */
export function hasEnded(status: LetterStatus): boolean {
  const transition = transitionOf(status, "discontinue");
  return transition !== undefined && "refused" in transition;
}

/** Whether no event can move a letter out of `status`: Cancelled and Revoked. Discontinued still leads to Revoked. */
export function isTerminal(status: LetterStatus): boolean {
  return hasEnded(status) && letterEvents.every((event) => "refused" in transitions[status][event]);
}

/** Returns the one event that moves a letter a step further: along the main line, or from Discontinued to Revoked. Null where there is none. */
export function mainLineEvent(status: LetterStatus): LetterEvent | null {
  return letterEvents.find((event) => !interruptions.includes(event) && "to" in transitions[status][event]) ?? null;
}

/** Undefined for a status that another version of the software stored and this one does not know. */
function transitionOf(status: LetterStatus, event: LetterEvent): Transition | undefined {
  return Object.hasOwn(transitions, status) ? transitions[status][event] : undefined;
}

const interruptions: readonly LetterEvent[] = ["block", "discontinue"];
