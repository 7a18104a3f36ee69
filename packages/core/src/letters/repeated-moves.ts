import { CoreError } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { Uuid } from "../schemas/identifier.js";
import type { OperatorLetter } from "./letter-view.js";
import { type bulkMoves, type MoveOptions, statusAfter } from "./operator-moves.js";

type Move<Options> = (operator: Actor, letterId: Uuid, options: Options) => Promise<OperatorLetter>;

type AdvanceOptions = MoveOptions & { readonly to?: string | undefined };

interface Moves extends Record<Exclude<(typeof bulkMoves)[number], "advance">, Move<MoveOptions | undefined>> {
  readonly advance: Move<AdvanceOptions>;
}

/**
 * The moves, with a letter that a move conflicts with because it has been made already answered as it is: to a retry whose first answer was
 * lost, and to whoever comes a moment after somebody else. Without `to` an advance names no status, and is never a retry.
 */
export function answerRepeats(moves: Moves, show: (letterId: Uuid) => Promise<OperatorLetter>): Moves {
  function unlessMade<Options extends AdvanceOptions | undefined>(
    name: keyof Moves,
    move: Move<Options>,
  ): Move<Options> {
    return async (operator, letterId, options) => {
      try {
        return await move(operator, letterId, options);
      } catch (error) {
        if (!(error instanceof CoreError) || error.code !== "CONFLICT") throw error;
        const letter = await show(letterId);
        if (!isMade(letter, name, options?.to)) throw error;
        return letter;
      }
    };
  }

  return {
    advance: unlessMade("advance", moves.advance),
    block: unlessMade("block", moves.block),
    resolve: unlessMade("resolve", moves.resolve),
    cancel: unlessMade("cancel", moves.cancel),
  };
}

function isMade({ status, history }: OperatorLetter, move: keyof Moves, to: string | undefined): boolean {
  return move === "resolve" ? history.at(-1)?.event === "resolve" : status === statusAfter(move, to);
}
