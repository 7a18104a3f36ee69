import type { LetterEvent, LetterStatus } from "./statuses.js";

/** The table refuses a move. The letter is unchanged. */
export class LetterTransitionError extends Error {
  override readonly name = "LetterTransitionError";
  readonly code = "LETTER_TRANSITION_REFUSED";
  readonly status: LetterStatus;
  readonly event: LetterEvent;
  /** The reason in a few words: `not the next step`, `has ended`. */
  readonly reason: string;

  constructor(status: LetterStatus, event: LetterEvent, reason: string) {
    super(`a letter in ${status} refuses ${event}: ${reason}`);
    this.status = status;
    this.event = event;
    this.reason = reason;
  }
}
