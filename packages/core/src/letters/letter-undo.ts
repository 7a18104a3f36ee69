import { hasEnded } from "@org/letter-lifecycle";
import { auditEntry } from "../audit-entry.js";
import { versionConflict } from "../content-version.js";
import { conflict } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import type { Uuid } from "../schemas/identifier.js";
import { isMailOf, withdrawnAt } from "./letter-mail.js";
import { letterEvent, letterNotFound } from "./letter-moves.js";
import type { LetterMove, LetterRecord } from "./letter-store.js";
import type { MailRecord } from "./mail-store.js";
import { type MoveOptions, requireVersion } from "./operator-moves.js";
import type { LetterStores } from "./storage.js";

/**
 * Until its mail leaves, a move that mails can be undone (contract §7): the letter gets its status back, and the mail is withdrawn. Ends of
 * letters delete data at once and have no undo, so there is nothing to bring back.
 */
interface UndoableMove {
  readonly move: LetterMove & { readonly from: LetterRecord["status"] };
  readonly mail: MailRecord;
}

/** A move that was undone, for logs and metrics. */
export interface UndoReport extends Pick<MailRecord, "letter_id" | "mail_id" | "kind"> {
  readonly tenant_id: string;
}

/** Returns the move that can be undone at `now`: the letter's last change, if its mail is waiting for its first attempt. */
export function undoableMove(
  letter: LetterRecord,
  history: readonly LetterMove[],
  mails: readonly MailRecord[],
  now: Date,
): UndoableMove | null {
  const move = lastMailingMove(letter, history);
  const mail = move && mails.find((each) => isMailOf(letter, each.kind) && isWaiting(each, now));
  return move && mail ? { move, mail } : null;
}

/** Whether a mail waits for a first attempt that is not due yet. */
function isWaiting({ state, lease, attempts, due_at }: MailRecord, now: Date): boolean {
  return state === "queued" && lease === null && attempts === 0 && due_at > now;
}

function lastMailingMove(letter: LetterRecord, history: readonly LetterMove[]): UndoableMove["move"] | null {
  const move = history.at(-1);
  if (!move || move.from === null || move.from === move.to || move.event === UNDO) return null;
  return hasEnded(letter.status) || !mailsOnEntering(letter) ? null : { ...move, from: move.from };
}

function mailsOnEntering(letter: LetterRecord): boolean {
  return isMailOf(letter, "signature_request") || isMailOf(letter, "authorization_letter");
}

/** The event under which undoing is in a letter's history. */
const UNDO = "undo";

/**
 * Undoes the last move of a letter together with its mail. A letter whose last change is an undo is returned as it is, so that an undo whose
 * answer was lost can be repeated.
 * @throws CoreError CONFLICT with a reason when the letter was changed otherwise since, or its mail has left or is leaving
 */
export async function undoMove(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  letterId: Uuid,
  { note, version }: MoveOptions,
): Promise<{ readonly letter: LetterRecord; readonly mail: MailRecord | null }> {
  // Lock the letter before its mail, as moves do. A sender claims the mail without it: `change` below decides who was first.
  const letter = await stores.letterMoves.lock(letterId);
  if (!letter) throw letterNotFound();
  const history = await stores.letterMoves.history(letterId);
  const isRepeat = history.at(-1)?.event === UNDO && (version === undefined || version === letter.version - 1);
  if (isRepeat) return { letter, mail: null };
  requireVersion(letter, version);
  if (!lastMailingMove(letter, history)) throw conflict("nothing_to_undo", "the letter's last change cannot be undone");
  const now = runtime.clock();
  const undoable = undoableMove(letter, history, await stores.mails.ofLetter(letterId), now);
  if (!undoable || !(await stores.mails.change(undoable.mail.mail_id, ["queued"], withdrawnAt(now))))
    throw conflict("mail_has_left", "the mail of this move has left or is leaving: it cannot be undone any more");
  const { move, mail } = undoable;
  const undone = {
    ...letter,
    status: move.from,
    updated_at: now,
    status_since: sinceWhen(history, move) ?? now,
  };
  const saved = await stores.letterMoves.record(undone, {
    move_id: runtime.newId(),
    letter_id: letterId,
    at: now,
    actor: actor.application_id,
    event: UNDO,
    from: letter.status,
    to: move.from,
    note: note ?? null,
    connection_id: letter.connection_id,
  });
  if (!saved) throw versionConflict("letter");
  const facts = { from: letter.status, to: move.from, mail_id: mail.mail_id };
  await stores.audit.append(auditEntry(runtime, actor, "letter.undo", "letter", letterId, facts));
  await stores.events.append([letterEvent("letter.moved", undone, { from: letter.status, reason: "undone" })]);
  return { letter: { ...undone, version: letter.version + 1 }, mail };
}

/** When the letter had entered the status that the undone move left. */
function sinceWhen(history: readonly LetterMove[], { from, move_id }: UndoableMove["move"]): Date | undefined {
  const before = history.slice(
    0,
    history.findIndex((entry) => entry.move_id === move_id),
  );
  return before.findLast((entry) => entry.to === from && entry.from !== from && entry.event !== UNDO)?.at;
}
