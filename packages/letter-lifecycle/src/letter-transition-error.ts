import type { LetterEvent, LetterStatus } from "./statuses.js";

/** A move that the table refuses. The letter stays as it is. */
export class LetterTransitionError extends Error {
  override readonly name = "LetterTransitionError";
  readonly code = "LETTER_TRANSITION_REFUSED";
  readonly status: LetterStatus;
  readonly event: LetterEvent;
  /** Why, in a few words: `not the next step`, `has ended`. */
  readonly reason: string;

  constructor(status: LetterStatus, event: LetterEvent, reason: string) {
    super(`a letter in ${status} refuses ${event}: ${reason}`);
    this.status = status;
    this.event = event;
    this.reason = reason;
  }
}
