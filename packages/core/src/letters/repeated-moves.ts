import { CoreError } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { Uuid } from "../schemas/identifier.js";
import type { OperatorLetter } from "./letter-view.js";
import type { bulkMoves, MoveOptions } from "./operator-moves.js";

type Move<Options> = (operator: Actor, letterId: Uuid, options: Options) => Promise<OperatorLetter>;

interface Moves extends Record<Exclude<(typeof bulkMoves)[number], "advance">, Move<MoveOptions | undefined>> {
  readonly advance: Move<MoveOptions & { readonly to?: string | undefined }>;
}

/**
 * The moves, with a letter that a move conflicts with because it has been made already answered as it is: to a retry whose first answer was
 * lost, and to whoever comes a moment after somebody else. Without `to` an advance names no status, and is never a retry.
 */
export function answerRepeats(moves: Moves, show: (letterId: Uuid) => Promise<OperatorLetter>): Moves {
  async function unlessMade(
    letterId: Uuid,
    isMade: (letter: OperatorLetter) => boolean,
    move: () => Promise<OperatorLetter>,
  ): Promise<OperatorLetter> {
    try {
      return await move();
    } catch (error) {
      if (!(error instanceof CoreError) || error.code !== "CONFLICT") throw error;
      const letter = await show(letterId);
      if (!isMade(letter)) throw error;
      return letter;
    }
  }

  return {
    advance: (operator, id, options) =>
      unlessMade(
        id,
        ({ status }) => status === options.to,
        () => moves.advance(operator, id, options),
      ),
    block: (operator, id, options) =>
      unlessMade(
        id,
        ({ status }) => status === "Blocked",
        () => moves.block(operator, id, options),
      ),
    resolve: (operator, id, options) =>
      unlessMade(
        id,
        ({ history }) => history.at(-1)?.event === "resolve",
        () => moves.resolve(operator, id, options),
      ),
    cancel: (operator, id, options) =>
      unlessMade(
        id,
        ({ status }) => status === "Cancelled",
        () => moves.cancel(operator, id, options),
      ),
  };
}
