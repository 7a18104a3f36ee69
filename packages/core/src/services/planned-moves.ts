import {
  type LetterEvent,
  type LetterState,
  type LetterStatus,
  LetterTransitionError,
  mainLineEvent,
  nextStatus,
} from "@org/letter-lifecycle";
import { CoreError, invalidValue } from "../errors.js";
import type { LetterRecord } from "../ports/letter-store.js";
import { overtaken } from "../seen-versions.js";

/** Moves that need no more than a word, and can be made on many letters at once. */
export const bulkMoves = ["advance", "block", "resolve", "cancel"] as const;

/** What an operator can do to move a letter; each is named as its endpoint is. */
export const operatorMoves = ["details", "sign", ...bulkMoves] as const;

/** A move that a letter allows as it stands. */
export interface PossibleMove {
  readonly move: (typeof operatorMoves)[number];
  /** Where it leads. */
  readonly to: LetterStatus;
}

/** A move of one letter, before it is made. */
export interface PlannedMove {
  readonly event: LetterEvent;
  readonly to: LetterStatus;
}

/**
 * What a move does to a letter as it stands. Moves, their preview and the list of what is possible all ask here.
 * @param to of `advance`: the status that is expected
 * @throws CoreError CONFLICT when the letter does not allow it
 */
export function plannedMove(letter: LetterState, move: (typeof bulkMoves)[number], to?: string): PlannedMove {
  try {
    if (move === "advance") return nextStep(letter, to);
    const event = move === "cancel" ? "discontinue" : move;
    const planned = { event, to: nextStatus(letter, event) } as const;
    if (move === "cancel" && planned.to !== "Cancelled")
      throw new CoreError("CONFLICT", "this letter was Connected: its tenant discontinues it, with its data");
    return planned;
  } catch (error) {
    throw transitionRefused(error);
  }
}

/** What the lifecycle table refuses, as operators are told it; any other error as it is. */
export function transitionRefused(error: unknown): unknown {
  if (!(error instanceof LetterTransitionError)) return error;
  return new CoreError("CONFLICT", `a letter that is ${error.status} cannot be moved by ${error.event}`, {
    cause: error,
  });
}

/** Every move that a letter allows as it stands, the step of the main line first. */
export function possibleMoves(letter: LetterState): readonly PossibleMove[] {
  return operatorMoves.flatMap((move): PossibleMove[] => {
    if (move === "details" || move === "sign")
      return stepsWithInput[letter.status]?.move === move ? [{ move, to: nextOnMainLine(letter) }] : [];
    try {
      return [{ move, to: plannedMove(letter, move).to }];
    } catch (error) {
      if (error instanceof CoreError) return [];
      throw error;
    }
  });
}

/**
 * Refuses a change that somebody makes who has seen the letter as it was before another change.
 * @param expected the version that they saw; without it nothing is checked
 * @throws CoreError CONFLICT on `version`
 */
export function requireVersion({ version }: Pick<LetterRecord, "version">, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw overtaken("letter");
}

/** @throws CoreError CONFLICT when there is no next step, or it leads elsewhere than to `to`, or needs more than a word */
function nextStep(letter: LetterState, to: string | undefined): PlannedMove {
  const event = mainLineEvent(letter.status);
  if (event === null) throw new CoreError("CONFLICT", `a letter that is ${letter.status} has no next step`);
  const next = nextStatus(letter, event);
  if (to !== undefined && to !== next)
    throw new CoreError("CONFLICT", `the next step of a letter that is ${letter.status} is ${next}, not ${to}`, {
      details: [invalidValue("to", `must be ${next}`)],
    });
  const missing = stepsWithInput[letter.status];
  if (missing) throw new CoreError("CONFLICT", `a letter that is ${letter.status} moves on with ${missing.needs}`);
  return { event, to: next };
}

function nextOnMainLine(letter: LetterState): LetterStatus {
  return nextStatus(letter, mainLineEvent(letter.status) as LetterEvent);
}

/** Steps that need more than a word: what brings it. */
const stepsWithInput: Partial<Record<LetterStatus, { move: "details" | "sign"; needs: string }>> = {
  NewRequest: { move: "details", needs: "the client's details (letters details)" },
  SentToUser: { move: "sign", needs: "the signed letter (letters sign)" },
};
