import { forget } from "../../api/answers.js";
import { call } from "../../api/call.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { createRuns } from "../../shell/runs.js";
import { addWaiting, secondsUntil } from "../../undo/waiting-moves.js";

export type Move = NonNullable<BodyOf<"/operator/v1/letters/preview-moves">["move"]>;
export type Outcome = AnswerOf<"/operator/v1/letters/move-many">["items"][number];

/** The most letters that one request moves. */
export const CHUNK = 100;

/** A letter to be moved as it was shown. */
interface PlannedLetter {
  readonly letter_id: string;
  readonly version: number;
  readonly to: Outcome["to"];
  readonly name: string;
}

interface Plan {
  readonly move: Move;
  readonly note: string;
}

/** The run that moves letters. */
export const moveRun = createRuns<Plan, PlannedLetter, Outcome>({
  keptAs: "wealth-connect-console-move-run",
  nextOf: nextChunk,
  // No key: a letter is based on its version, and one that an earlier try has moved is answered as it is, also where that try ended halfway.
  send: async (letters, plan) => (await call("/operator/v1/letters/move-many", bodyOf(letters, plan))).items,
  onPause({ items, outcomes }, since) {
    offerUndo(outcomes.slice(since), new Map(items.map(({ letter_id, name }) => [letter_id, name])));
    return forget(["/operator/v1/letters/", "/operator/v1/mails/"]);
  },
});

/** Starts to move letters; those of one target status together, so that a request whose answer was lost can be repeated. */
export function startMoves(person: string, plan: Plan, letters: readonly PlannedLetter[]): void {
  moveRun.start({ person, plan, items: letters.toSorted((a, b) => (a.to ?? "").localeCompare(b.to ?? "")) });
}

/** The letters at the front that one request can move. */
function nextChunk(rest: readonly PlannedLetter[], { move }: Plan): readonly PlannedLetter[] {
  const front = rest.slice(0, CHUNK);
  const others = move === "advance" ? front.findIndex(({ to }) => to !== front[0]?.to) : -1;
  return others === -1 ? front : front.slice(0, others);
}

/** Says where an advance leads, so that a letter that an earlier try has moved is answered as it is. */
function bodyOf(chunk: readonly PlannedLetter[], { move, note }: Plan): BodyOf<"/operator/v1/letters/move-many"> {
  return {
    move,
    ...(move === "advance" && { to: chunk[0]?.to ?? null }),
    ...(note !== "" && { note }),
    letter_ids: chunk.map(({ letter_id }) => letter_id),
    versions: Object.fromEntries(chunk.map(({ letter_id, version }) => [letter_id, version])),
  };
}

/** Tells the notice which letters' mails still wait; of a long run the first have left. */
function offerUndo(outcomes: readonly Outcome[], names: ReadonlyMap<string, string>): void {
  const waiting = outcomes.filter(({ undo_until }) => undo_until !== null && secondsUntil(undo_until) > 0);
  const until = waiting.map(({ undo_until }) => undo_until ?? "").toSorted()[0];
  if (until === undefined) return;
  const letters = waiting.map(({ letter_id, version }) => ({
    letter_id,
    version: version ?? 0,
    name: names.get(letter_id) ?? letter_id,
  }));
  addWaiting({ letters, recipient: null, until });
}
