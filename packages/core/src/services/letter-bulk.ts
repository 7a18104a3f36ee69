import { type CoreErrorCode, refusalOf } from "../errors.js";
import type { Uuid } from "../schemas/identifier.js";
import type { LetterView } from "../schemas/letter.js";
import type { OperatorLetter } from "./letter-view.js";

/** Moves that can be made on many letters at once. */
export const bulkMoves = ["advance", "block", "resolve", "cancel"] as const;

/** Letters that one request moves at most: so many take some seconds. */
export const MAX_BULK_LETTERS = 100;

/** One move of many letters. */
export interface BulkMove {
  readonly letter_ids: readonly Uuid[];
  readonly move: (typeof bulkMoves)[number];
  /** Where the letters are to be then: for `advance` only. */
  readonly to?: string | undefined;
  readonly note?: string | undefined;
}

/** What became of one letter of many. */
export interface MoveOutcome {
  readonly letter_id: string;
  readonly outcome: "moved" | "refused";
  readonly from: LetterView["status"] | null;
  /** Where it is now; of a refused one null. */
  readonly to: LetterView["status"] | null;
  /** Why it was refused; the letter is as it was then. */
  readonly error: { readonly code: CoreErrorCode | "INTERNAL_ERROR"; readonly message: string } | null;
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
      const refusal = refusalOf(error);
      if (refusal === null) onDefect(error, letter_id);
      const { code, message } = refusal ?? ({ code: "INTERNAL_ERROR", message: "an unexpected condition" } as const);
      outcomes.push({ letter_id, outcome: "refused", from: null, to: null, error: { code, message } });
    }
  }
  return outcomes;
}
