import { forget } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";
import { createStored } from "../../shell/stored.js";
import { addWaiting, secondsUntil } from "../../undo/waiting-moves.js";

export type Move = NonNullable<BodyOf<"/operator/v1/letters/preview-moves">["move"]>;
export type Outcome = AnswerOf<"/operator/v1/letters/move-many">["items"][number];

/** The most letters that one request moves. */
export const CHUNK = 100;

/** A letter to be moved as it was shown. */
export interface PlannedLetter {
  readonly letter_id: string;
  readonly version: number;
  readonly to: Outcome["to"];
  readonly name: string;
}

/** What a run still has to do, and what it has done. */
export interface MoveRun {
  /** Whose run it is. */
  readonly person: string;
  readonly move: Move;
  readonly note: string;
  readonly total: number;
  readonly rest: readonly PlannedLetter[];
  readonly moved: number;
  readonly refused: number;
}

/** A run at this page. After a reload the outcomes from before are only counted. */
interface RunHere {
  readonly run: MoveRun;
  readonly names: ReadonlyMap<string, string>;
  readonly outcomes: readonly Outcome[];
  readonly isRunning: boolean;
  readonly problem: ApiProblem | null;
}

/** Kept for this tab, so that a reload does not lose the rest of a run. */
const KEPT_AS = "wealth-connect-console-move-run";

export const moveRun = createStored<RunHere | null>(kept());
let isStopping = false;

/** Starts to move letters; those of one target status together, so that a request whose answer was lost can be repeated. */
export function startRun(run: Pick<MoveRun, "person" | "move" | "note" | "rest">): void {
  const rest = run.rest.toSorted((a, b) => (a.to ?? "").localeCompare(b.to ?? ""));
  moveRun.set(fresh({ ...run, rest, total: rest.length, moved: 0, refused: 0 }));
  continueRun();
}

/** Moves what is left, chunk by chunk, until it is stopped or a request fails. */
export function continueRun(): void {
  const before = moveRun.get();
  if (before === null || before.isRunning) return;
  isStopping = false;
  moveRun.set({ ...before, isRunning: true, problem: null });
  void moveRest(before.outcomes.length);
}

/** Stops behind the chunk that is on its way. */
export function stopRun(): void {
  isStopping = true;
}

/** Forgets the run; letters that are left stay as they are. */
export function endRun(): void {
  isStopping = true;
  moveRun.set(null);
  keep(null);
}

async function moveRest(outcomesBefore: number): Promise<void> {
  let problem: ApiProblem | null = null;
  for (let here = moveRun.get(); here !== null && here.run.rest.length > 0 && !isStopping; here = moveRun.get()) {
    keep(here.run);
    const chunk = nextChunk(here.run);
    try {
      const { items, moved, refused } = await withFreshProof(() =>
        call("/operator/v1/letters/move-many", bodyOf(chunk, here.run)),
      );
      if (moveRun.get() === null) return;
      const run = {
        ...here.run,
        rest: here.run.rest.slice(chunk.length),
        moved: here.run.moved + moved,
        refused: here.run.refused + refused,
      };
      keep(run.rest.length > 0 ? run : null);
      moveRun.set({ ...here, run, outcomes: [...here.outcomes, ...items] });
    } catch (error) {
      problem = error as ApiProblem;
      break;
    }
  }
  const after = moveRun.get();
  if (after !== null) {
    moveRun.set({ ...after, isRunning: false, problem });
    offerUndo(after.outcomes.slice(outcomesBefore), after.names);
  }
  await forget(["/operator/v1/letters/", "/operator/v1/mails/"]);
}

/** The letters at the front that one request can move. */
function nextChunk({ rest, move }: MoveRun): readonly PlannedLetter[] {
  const front = rest.slice(0, CHUNK);
  const others = move === "advance" ? front.findIndex(({ to }) => to !== front[0]?.to) : -1;
  return others === -1 ? front : front.slice(0, others);
}

/** Says where an advance leads, so that a letter that an earlier try has moved is answered as it is. */
function bodyOf(chunk: readonly PlannedLetter[], { move, note }: MoveRun): BodyOf<"/operator/v1/letters/move-many"> {
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

function fresh(run: MoveRun): RunHere {
  const names = new Map(run.rest.map(({ letter_id, name }) => [letter_id, name]));
  return { run, names, outcomes: [], isRunning: false, problem: null };
}

function keep(run: MoveRun | null): void {
  try {
    if (run === null) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, JSON.stringify(run));
  } catch {
    // Without storage the run does not survive a reload; the letters say where they are.
  }
}

function kept(): RunHere | null {
  try {
    const text = sessionStorage.getItem(KEPT_AS);
    return text === null ? null : fresh(JSON.parse(text));
  } catch {
    return null;
  }
}
