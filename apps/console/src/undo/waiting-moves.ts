import type { AnswerOf } from "../api/paths.js";
import { serverNow } from "../api/server-time.js";
import { createStored } from "../shell/stored.js";

type Letter = AnswerOf<"/operator/v1/letters/show">["letter"];
type Mail = Letter["mails"][number];

/** A letter that was moved, with its version since, or of which only a mail waits: one that is sent again, or the notice of its end. */
export type WaitingLetter = { readonly letter_id: string; readonly name: string } & (
  | { readonly version: number }
  | { readonly mail_id: string }
);

/** Moves made at once whose mails wait, or mails that were sent again at once: of one letter, or many. */
export interface WaitingMoves {
  readonly letters: readonly WaitingLetter[];
  /** Of a single letter: whom its mail is for. */
  readonly recipient: string | null;
  /** When the first of the mails leaves; ISO 8601. */
  readonly until: string;
}

type Moved = AnswerOf<"/operator/v1/letters/move-many">["items"][number];

/** What became of each letter that was undone, or whose mail was withdrawn, with others. */
export interface UndoOutcome extends Pick<Moved, "letter_id" | "outcome"> {
  readonly error: { readonly reason?: NonNullable<Moved["error"]>["reason"] } | null;
}

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
  dropLetter(id);
  if (undo === null) return false;
  const recipient = mails.find(({ mail_id }) => mail_id === undo.mail_id)?.recipient ?? null;
  addWaiting({
    letters: [{ letter_id: id, version, name: `${custodian}, ${tenant}` }],
    recipient,
    until: undo.until,
  });
  return true;
}

/** Adds the mail of a letter that waits without a move, and returns whether there is one. */
export function addMailOf({ id, mails, undo }: Pick<Letter, "id" | "mails" | "undo">): boolean {
  if (undo !== null) return false;
  dropLetter(id);
  return addMails(mails.slice(-1), () => "");
}

/** Adds mails that were sent again at once, and returns whether any waits. @param nameOf names a letter among others */
export function addMails(
  mails: readonly Pick<Mail, "mail_id" | "letter_id" | "state" | "recipient" | "next_attempt_at">[],
  nameOf: (letterId: string) => string,
): boolean {
  const waiting = mails.filter(
    ({ state, next_attempt_at }) => state === "queued" && next_attempt_at !== null && secondsUntil(next_attempt_at) > 0,
  );
  const until = waiting.map(({ next_attempt_at }) => next_attempt_at ?? "").toSorted()[0];
  if (until === undefined) return false;
  const recipients = new Set(waiting.map(({ recipient }) => recipient));
  addWaiting({
    letters: waiting.map(({ mail_id, letter_id }) => ({ letter_id, mail_id, name: nameOf(letter_id) })),
    recipient: recipients.size === 1 ? (waiting[0]?.recipient ?? null) : null,
    until,
  });
  return true;
}

/** Whether only mails wait: withdrawing them moves no letter. */
export function areMails({ letters }: WaitingMoves): boolean {
  return letters.every((one) => "mail_id" in one);
}

/** Removes moves that were undone, or whose mails have left. */
export function dropWaiting(moves: WaitingMoves): void {
  waitingMoves.set(waitingMoves.get().filter((each) => each !== moves));
}

/** Removes a letter that was undone, or whose mail was decided, elsewhere on the page. */
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
