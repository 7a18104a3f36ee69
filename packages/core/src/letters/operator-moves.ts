import {
  type LetterEvent,
  type LetterState,
  type LetterStatus,
  LetterTransitionError,
  mainLineEvent,
  nextStatus,
} from "@org/letter-lifecycle";
import { versionConflict } from "../content-version.js";
import { CoreError, type CoreErrorCode, invalidValue, toCoreError } from "../errors.js";
import type { Uuid } from "../schemas/identifier.js";
import type { LetterRecord } from "./letter-store.js";

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

/** What may be said with a move. */
export interface MoveOptions {
  readonly note?: string | undefined;
  /** The version of the letter that whoever moves it has seen; CONFLICT when it is another by now. */
  readonly version?: number | undefined;
}

/** A move of one letter, before it is made. */
export interface PlannedMove {
  /** Null: the letter is there already, and stays as it is. */
  readonly event: LetterEvent | null;
  readonly to: LetterStatus;
}

/**
 * What a move does to a letter as it stands. Moves, their preview and the list of what is possible all ask here.
 * @param to of `advance`: the status that is expected
 * @throws CoreError CONFLICT when the letter does not allow it
 */
export function plannedMove(letter: LetterState, move: (typeof bulkMoves)[number], to?: string): PlannedMove {
  if (letter.status === (move === "advance" ? to : ends[move])) return { event: null, to: letter.status };
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

/** Moves that always lead to one status: on a letter that has it they are a retry, whose first answer was lost perhaps. */
const ends: Partial<Record<(typeof bulkMoves)[number], LetterStatus>> = { block: "Blocked", cancel: "Cancelled" };

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
      const { event, to } = plannedMove(letter, move);
      return event === null ? [] : [{ move, to }];
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
  if (expected !== undefined && expected !== version) throw versionConflict("letter");
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

/** Letters that one request moves at most: so many take some seconds. */
export const MAX_BULK_LETTERS = 100;

/** One move of many letters. */
export interface BulkMove {
  readonly letter_ids: readonly Uuid[];
  readonly move: (typeof bulkMoves)[number];
  /** Where the letters are to be then: for `advance` only. */
  readonly to?: string | undefined;
  readonly note?: string | undefined;
  /** By letter, the version that whoever moves it has seen: one that is another by now is refused. */
  readonly versions?: Readonly<Record<string, number>> | undefined;
}

/** What became of one letter of many. */
export interface MoveOutcome {
  readonly letter_id: string;
  readonly outcome: "moved" | "refused";
  readonly from: LetterStatus | null;
  /** Where it is now; of a refused one null. */
  readonly to: LetterStatus | null;
  /** Why it was refused; the letter is as it was then. */
  readonly error: Refusal | null;
}

/** A letter after its move, as far as an outcome tells of it: `history` oldest first. */
interface MovedLetter {
  readonly status: LetterStatus;
  readonly history: readonly { readonly from: LetterStatus | null }[];
}

interface Refusal {
  readonly code: CoreErrorCode | "INTERNAL_ERROR";
  readonly message: string;
  /** The move may have been made all the same. */
  readonly outcome?: "unknown";
}

/** What a move would do to one letter of many. */
export interface MovePreview {
  readonly letter_id: string;
  readonly outcome: "moves" | "refused";
  /** Where it is now; null of a letter that is not there. */
  readonly from: LetterStatus | null;
  /** Where it would be then; of one that would be refused null. */
  readonly to: LetterStatus | null;
  /** Given back with the move, it is refused where somebody changed the letter meanwhile; null of a letter that is not there. */
  readonly version: number | null;
  /** Why it would be refused. */
  readonly error: Refusal | null;
}

/**
 * Moves letters one after the other, each in a transaction of its own: a refused one leaves the others alone. An id that is given twice
 * is moved once.
 * @param onDefect told of what is no refusal; the letters after it are moved all the same
 */
export async function moveLetters(
  letterIds: readonly Uuid[],
  move: (letterId: Uuid) => Promise<MovedLetter>,
  onDefect: (error: unknown, letterId: Uuid) => void,
): Promise<readonly MoveOutcome[]> {
  const outcomes: MoveOutcome[] = [];
  for (const letter_id of new Set(letterIds)) {
    try {
      const { history, status } = await move(letter_id);
      outcomes.push({ letter_id, outcome: "moved", from: history.at(-1)?.from ?? null, to: status, error: null });
    } catch (error) {
      const refused = moveOutcomeOfError(error, letter_id, onDefect);
      outcomes.push({ letter_id, outcome: "refused", from: null, to: null, error: refused });
    }
  }
  return outcomes;
}

/**
 * What {@link moveLetters} would do, each letter read for itself and none changed.
 * @param onDefect told of what is no refusal; the letters after it are looked at all the same
 */
export async function previewMoves(
  letterIds: readonly Uuid[],
  find: (letterId: Uuid) => Promise<LetterRecord>,
  plan: (letter: LetterRecord) => PlannedMove,
  onDefect: (error: unknown, letterId: Uuid) => void,
): Promise<readonly MovePreview[]> {
  const previews: MovePreview[] = [];
  for (const letter_id of new Set(letterIds)) {
    let seen: LetterRecord | null = null;
    try {
      seen = await find(letter_id);
      const { status: from, version } = seen;
      previews.push({ letter_id, outcome: "moves", from, to: plan(seen).to, version, error: null });
    } catch (error) {
      const refused = moveOutcomeOfError(error, letter_id, onDefect);
      const stands = { from: seen?.status ?? null, version: seen?.version ?? null };
      previews.push({ letter_id, outcome: "refused", ...stands, to: null, error: refused });
    }
  }
  return previews;
}

function moveOutcomeOfError(
  error: unknown,
  letterId: Uuid,
  onDefect: (error: unknown, letterId: Uuid) => void,
): Refusal {
  const refusal = toCoreError(error);
  if (refusal === null) onDefect(error, letterId);
  if (refusal === null) return { code: "INTERNAL_ERROR", message: "an unexpected condition" };
  const { code, message, outcome } = refusal;
  return { code, message, ...(outcome && { outcome }) };
}
