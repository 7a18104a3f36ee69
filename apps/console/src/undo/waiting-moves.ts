import type { AnswerOf } from "../api/paths.js";
import { serverNow } from "../api/server-time.js";
import { createStored } from "../shell/stored.js";

type Letter = AnswerOf<"/operator/v1/letters/show">["letter"];

/** A letter that was moved, and its version since. */
interface MovedLetter {
  readonly letter_id: string;
  readonly version: number;
  readonly name: string;
}

/** Moves made at once whose mails wait: one letter, or many. */
export interface WaitingMoves {
  readonly letters: readonly MovedLetter[];
  /** Of a single letter: whom its mail is for. */
  readonly recipient: string | null;
  /** When the first of the mails leaves; ISO 8601. */
  readonly until: string;
}

/** What became of each letter of a bulk move that was undone. */
export type UndoOutcome = AnswerOf<"/operator/v1/letters/move-many">["items"][number];

/** Kept for this tab, so that a reload loses nothing. */
const KEPT_AS = "wealth-connect-console-waiting";

/** Moves that this person has made and can still undo, the last one last. */
export const waitingMoves = createStored<readonly WaitingMoves[]>(kept());
waitingMoves.subscribe(() => {
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(waitingMoves.get()));
  } catch {
    // Without storage the notice does not survive a reload; the letter's page has it all the same.
  }
});

/** Adds moves whose mails wait; those that are over are dropped. */
export function addWaiting(moves: WaitingMoves): void {
  waitingMoves.set([...waitingMoves.get().filter(isStillWaiting), moves]);
}

/** Adds the last move of a letter if it can be undone, and returns whether it can. */
export function addMoved({ id, version, custodian, tenant, mails, undo }: Letter): boolean {
  if (undo === null) return false;
  const recipient = mails.find(({ mail_id }) => mail_id === undo.mail_id)?.recipient ?? null;
  addWaiting({
    letters: [{ letter_id: id, version, name: `${custodian}, ${tenant}` }],
    recipient,
    until: undo.until,
  });
  return true;
}

/** Removes moves that were undone, or whose mails have left. */
export function dropWaiting(moves: WaitingMoves): void {
  waitingMoves.set(waitingMoves.get().filter((each) => each !== moves));
}

/** Removes a letter that was undone elsewhere on the page. */
export function dropLetter(letterId: string): void {
  const has = ({ letters }: WaitingMoves) => letters.some(({ letter_id }) => letter_id === letterId);
  waitingMoves.set(waitingMoves.get().filter((each) => each.letters.length > 1 || !has(each)));
}

/** Whole seconds until the mails leave; 0 if they have. */
export function secondsUntil(until: string, now = serverNow()): number {
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000));
}

function isStillWaiting({ until }: WaitingMoves): boolean {
  return secondsUntil(until) > 0;
}

function kept(): readonly WaitingMoves[] {
  try {
    const text = sessionStorage.getItem(KEPT_AS);
    // The server's time is not known yet: the notice drops those that are over.
    return text === null ? [] : (JSON.parse(text) as WaitingMoves[]);
  } catch {
    return [];
  }
}
