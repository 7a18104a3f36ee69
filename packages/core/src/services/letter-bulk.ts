import { type CoreErrorCode, refusalOf } from "../errors.js";
import type { LetterRecord } from "../ports/letter-store.js";
import type { Uuid } from "../schemas/identifier.js";
import type { LetterView } from "../schemas/letter.js";
import type { OperatorLetter } from "./letter-view.js";
import type { bulkMoves, PlannedMove } from "./planned-moves.js";

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
  readonly from: LetterView["status"] | null;
  /** Where it is now; of a refused one null. */
  readonly to: LetterView["status"] | null;
  /** Why it was refused; the letter is as it was then. */
  readonly error: Refusal | null;
}

interface Refusal {
  readonly code: CoreErrorCode | "INTERNAL_ERROR";
  readonly message: string;
}

/** What a move would do to one letter of many. */
export interface MovePreview {
  readonly letter_id: string;
  readonly outcome: "moves" | "refused";
  /** Where it is now; null of a letter that is not there. */
  readonly from: LetterView["status"] | null;
  /** Where it would be then; of one that would be refused null. */
  readonly to: LetterView["status"] | null;
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
export async function moveEach(
  letterIds: readonly Uuid[],
  move: (letterId: Uuid) => Promise<OperatorLetter>,
  onDefect: (error: unknown, letterId: Uuid) => void,
): Promise<readonly MoveOutcome[]> {
  const outcomes: MoveOutcome[] = [];
  for (const letter_id of new Set(letterIds)) {
    try {
      const { history, status } = await move(letter_id);
      outcomes.push({ letter_id, outcome: "moved", from: history.at(-1)?.from ?? null, to: status, error: null });
    } catch (error) {
      const refused = refusalTold(error, letter_id, onDefect);
      outcomes.push({ letter_id, outcome: "refused", from: null, to: null, error: refused });
    }
  }
  return outcomes;
}

/**
 * What {@link moveEach} would do, each letter read for itself and none changed.
 * @param onDefect told of what is no refusal; the letters after it are looked at all the same
 */
export async function previewEach(
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
      const refused = refusalTold(error, letter_id, onDefect);
      const stands = { from: seen?.status ?? null, version: seen?.version ?? null };
      previews.push({ letter_id, outcome: "refused", ...stands, to: null, error: refused });
    }
  }
  return previews;
}

function refusalTold(error: unknown, letterId: Uuid, onDefect: (error: unknown, letterId: Uuid) => void): Refusal {
  const refusal = refusalOf(error);
  if (refusal === null) onDefect(error, letterId);
  const { code, message } = refusal ?? ({ code: "INTERNAL_ERROR", message: "an unexpected condition" } as const);
  return { code, message };
}
