import {
  hasEnded,
  type LetterEvent,
  type LetterState,
  type LetterStatus,
  LetterTransitionError,
  mainLineEvent,
  nextStatus,
} from "@org/letter-lifecycle";
import { versionConflict } from "../content-version.js";
import {
  type ConflictReason,
  CoreError,
  type CoreErrorCode,
  conflict,
  invalid,
  invalidValue,
  toCoreError,
} from "../errors.js";
import { isStorableText, type Uuid } from "../schemas/identifier.js";
import { MAX_NOTE_CHARACTERS } from "../schemas/letter.js";
import type { LetterDetails } from "./letter-details.js";
import { isUndecided, mailOnEntering, requireDecidedMails } from "./letter-mail.js";
import type { DocumentFacts, LetterRecord } from "./letter-store.js";
import type { MailRecord } from "./mail-store.js";

/** Moves that need no input besides a note, and can be made on many letters at once. */
export const bulkMoves = ["advance", "block", "resolve", "cancel"] as const;

/** What can be done to many letters at once: these moves, and undoing them. */
export const movesOfMany = [...bulkMoves, "undo"] as const;

/** All moves that an operator can make, named like their endpoints. */
export const operatorMoves = ["details", "sign", ...bulkMoves] as const;

/** A move that a letter allows in its current state. */
export interface PossibleMove {
  readonly move: (typeof operatorMoves)[number];
  /** The status that it leads to. */
  readonly to: LetterStatus;
  readonly effects: MoveEffects;
  /** What somebody has to decide before; until then the move is refused. */
  readonly waits_for: "mail_in_doubt" | null;
}

/** What a move does besides the change of status: what leaves the house, and what is gone afterwards. */
export interface MoveEffects {
  /** The mail that it sends. Null: the new status calls for none. `recipient` null: the address is not known, and nothing is sent. */
  readonly mail: Pick<MailRecord, "kind" | "recipient"> | null;
  /** Earlier mails that were not sent, and will not be. */
  readonly withdrawn_mails: number;
  readonly deleted_documents: number;
}

/** A letter with what its moves have an effect on. */
export interface LetterWithEffects {
  readonly letter: LetterRecord;
  readonly mails: readonly MailRecord[];
  readonly documents: readonly DocumentFacts[];
  readonly details: LetterDetails | null;
}

/** Returns what entering a status does to a letter, as `moveLetter` does it. */
export function effectsOf({ letter, mails, documents, details }: LetterWithEffects, to: LetterStatus): MoveEffects {
  if (to === letter.status) return { mail: null, withdrawn_mails: 0, deleted_documents: 0 };
  return {
    mail: mailOnEntering(to, letter, details?.email),
    withdrawn_mails: mails.filter(({ state }) => state === "queued" || state === "failed").length,
    deleted_documents: hasEnded(to) ? documents.length : 0,
  };
}

/** Optional input of a move. */
export interface MoveOptions {
  readonly note?: string | undefined;
  /** The version of the letter that the caller has seen; CONFLICT if it has changed since. */
  readonly version?: number | undefined;
}

/** A move of one letter, before it is made. */
export interface PlannedMove {
  /** Null: the letter is there already, and stays as it is. */
  readonly event: LetterEvent | null;
  readonly to: LetterStatus;
}

/**
 * Returns what a move does to a letter in its current state. Moves, their previews and the list of possible moves all use it.
 * @param to for `advance`: the expected status
 * @throws CoreError CONFLICT when the letter does not allow the move
 */
export function plannedMove(letter: LetterState, move: (typeof bulkMoves)[number], to?: string): PlannedMove {
  if (letter.status === statusAfter(move, to)) return { event: null, to: letter.status };
  try {
    if (move === "advance") return nextStep(letter, to);
    const event = move === "cancel" ? "discontinue" : move;
    const planned = { event, to: nextStatus(letter, event) } as const;
    if (move === "cancel" && planned.to !== "Cancelled")
      throw conflict("tenant_discontinues", "this letter was Connected: its tenant discontinues it, with its data");
    return planned;
  } catch (error) {
    throw transitionRefused(error);
  }
}

/** The status that a move leads to whatever letter it moves: on a letter with that status it is a retry, perhaps of a lost answer. */
export function statusAfter(move: (typeof bulkMoves)[number], to: string | undefined): string | undefined {
  return move === "advance" ? to : ends[move];
}

const ends: Partial<Record<(typeof bulkMoves)[number], LetterStatus>> = { block: "Blocked", cancel: "Cancelled" };

/** Turns a refusal of the lifecycle table into the CONFLICT that operators get; returns any other error unchanged. */
export function transitionRefused(error: unknown): unknown {
  if (!(error instanceof LetterTransitionError)) return error;
  const reason = reasonsOfTable[error.reason] ?? "not_next_step";
  return conflict(reason, `a letter that is ${error.status} cannot be moved by ${error.event}`, { cause: error });
}

/** The reasons of the lifecycle table as codes. */
const reasonsOfTable: Readonly<Record<string, ConflictReason>> = {
  "not the next step": "not_next_step",
  "not interruptible": "not_interruptible",
  "not blocked": "not_blocked",
  "has ended": "letter_ended",
  "not discontinued": "not_discontinued",
};

/** Returns every move that a letter allows in its current state, the step of the main line first. */
export function possibleMoves(found: LetterWithEffects): readonly PossibleMove[] {
  const { letter } = found;
  const waits_for = found.mails.some(isUndecided) ? "mail_in_doubt" : null;
  const possible = (move: PossibleMove["move"], to: LetterStatus) => [
    { move, to, effects: effectsOf(found, to), waits_for } as const,
  ];
  return operatorMoves.flatMap((move): PossibleMove[] => {
    if (move === "details" || move === "sign")
      return stepsWithInput[letter.status]?.move === move ? possible(move, nextOnMainLine(letter)) : [];
    try {
      const { event, to } = plannedMove(letter, move);
      return event === null ? [] : possible(move, to);
    } catch (error) {
      if (error instanceof CoreError) return [];
      throw error;
    }
  });
}

/**
 * Refuses a change that is based on an outdated version of the letter.
 * @param expected the version that the caller has seen; if undefined, nothing is checked
 * @throws CoreError CONFLICT on `version`
 */
export function requireVersion({ version }: Pick<LetterRecord, "version">, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw versionConflict("letter");
}

/** @throws CoreError CONFLICT when there is no next step, when it does not lead to `to`, or when it needs input besides a note */
function nextStep(letter: LetterState, to: string | undefined): PlannedMove {
  const event = mainLineEvent(letter.status);
  if (event === null) throw conflict("no_next_step", `a letter that is ${letter.status} has no next step`);
  const next = nextStatus(letter, event);
  if (to !== undefined && to !== next)
    throw conflict("not_next_step", `the next step of a letter that is ${letter.status} is ${next}, not ${to}`, {
      details: [invalidValue("to", `must be ${next}`)],
    });
  const missing = stepsWithInput[letter.status];
  if (missing) throw conflict(missing.reason, `a letter that is ${letter.status} moves on with ${missing.needs}`);
  return { event, to: next };
}

function nextOnMainLine(letter: LetterState): LetterStatus {
  return nextStatus(letter, mainLineEvent(letter.status) as LetterEvent);
}

/** Steps that need input besides a note, and the move that provides it. */
const stepsWithInput: Partial<
  Record<LetterStatus, { move: "details" | "sign"; needs: string; reason: ConflictReason }>
> = {
  NewRequest: { move: "details", needs: "the client's details (letters details)", reason: "needs_details" },
  SentToUser: { move: "sign", needs: "the signed letter (letters sign)", reason: "needs_signed_letter" },
};

/** Maximum number of letters per request; this many take a few seconds. */
export const MAX_BULK_LETTERS = 100;

/** One move of many letters. */
export interface BulkMove {
  readonly letter_ids: readonly Uuid[];
  readonly move: (typeof movesOfMany)[number];
  /** The expected status afterwards; only for `advance`. */
  readonly to?: string | undefined;
  readonly note?: string | undefined;
  /** The version of each letter, by id, that the caller has seen; a letter that has changed since is refused. */
  readonly versions?: Readonly<Record<string, number>> | undefined;
}

/** Moves to preview; undoing has none. */
export interface MovesToPreview extends Pick<BulkMove, "letter_ids" | "to"> {
  readonly move: (typeof bulkMoves)[number];
}

/** The outcome for one letter of a bulk move. */
export interface MoveOutcome {
  readonly letter_id: string;
  readonly outcome: "moved" | "refused";
  readonly from: LetterStatus | null;
  /** Its status now; null if it was refused. */
  readonly to: LetterStatus | null;
  /** Its version now; null if it was refused. */
  readonly version: number | null;
  /** Until when the move can be undone; null if it cannot be. */
  readonly undo_until: string | null;
  /** Why it was refused; the letter is then unchanged. */
  readonly error: Refusal | null;
}

/** The part of a moved letter that its outcome needs; `history` is oldest first. */
interface MovedLetter {
  readonly status: LetterStatus;
  readonly version: number;
  readonly undo: { readonly until: string } | null;
  readonly history: readonly { readonly from: LetterStatus | null }[];
}

interface Refusal {
  readonly code: CoreErrorCode | "INTERNAL_ERROR";
  readonly message: string;
  /** The move may have been made all the same. */
  readonly outcome?: "unknown";
  /** Why, where a program has to tell the reasons apart. */
  readonly reason?: ConflictReason;
}

/** What a move would do to one letter of many. */
export interface MovePreview {
  readonly letter_id: string;
  readonly outcome: "moves" | "refused";
  /** Its current status; null if there is no such letter. */
  readonly from: LetterStatus | null;
  /** The status it would have afterwards; null if it would be refused. */
  readonly to: LetterStatus | null;
  /** Send it with the move to have the move refused if the letter changes in between. Null if there is no such letter. */
  readonly version: number | null;
  /** Null if it would be refused. */
  readonly effects: MoveEffects | null;
  /** Why it would be refused. */
  readonly error: Refusal | null;
}

/**
 * Moves letters one after the other, each in its own transaction, so that a refusal does not affect the others. Duplicate ids are
 * moved once.
 * @param onDefect called with any error that is not a refusal; the remaining letters are still moved
 */
export async function moveLetters(
  letterIds: readonly Uuid[],
  move: (letterId: Uuid) => Promise<MovedLetter>,
  onDefect: (error: unknown, letterId: Uuid) => void,
): Promise<readonly MoveOutcome[]> {
  const outcomes: MoveOutcome[] = [];
  for (const letter_id of new Set(letterIds)) {
    try {
      const { history, status: to, version, undo } = await move(letter_id);
      const from = history.at(-1)?.from ?? null;
      const undo_until = undo?.until ?? null;
      outcomes.push({ letter_id, outcome: "moved", from, to, version, undo_until, error: null });
    } catch (error) {
      const refused = moveOutcomeOfError(error, letter_id, onDefect);
      const nothing = { from: null, to: null, version: null, undo_until: null };
      outcomes.push({ letter_id, outcome: "refused", ...nothing, error: refused });
    }
  }
  return outcomes;
}

/**
 * Returns what {@link moveLetters} would do. Each letter is read on its own, and none is changed.
 * @param onDefect called with any error that is not a refusal; the remaining letters are still previewed
 */
export async function previewMoves(
  letterIds: readonly Uuid[],
  find: (letterId: Uuid) => Promise<LetterWithEffects>,
  plan: (letter: LetterRecord) => PlannedMove,
  onDefect: (error: unknown, letterId: Uuid) => void,
): Promise<readonly MovePreview[]> {
  const previews: MovePreview[] = [];
  for (const letter_id of new Set(letterIds)) {
    let seen: LetterRecord | null = null;
    try {
      const found = await find(letter_id);
      seen = found.letter;
      const { status: from, version } = seen;
      const { event, to } = plan(seen);
      if (event !== null) requireDecidedMails(found.mails);
      previews.push({ letter_id, outcome: "moves", from, to, version, effects: effectsOf(found, to), error: null });
    } catch (error) {
      const refused = moveOutcomeOfError(error, letter_id, onDefect);
      const stands = { from: seen?.status ?? null, version: seen?.version ?? null };
      previews.push({ letter_id, outcome: "refused", ...stands, to: null, effects: null, error: refused });
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
  const { code, message, outcome, reason } = refusal;
  return { code, message, ...(outcome && { outcome }), ...(reason && { reason }) };
}

/** Refuses text from an operator that is too long or cannot be stored. */
export function checkText(field: string, text: string | null | undefined): void {
  if (text != null && (text.length > MAX_NOTE_CHARACTERS || !isStorableText(text)))
    throw invalid(invalidValue(field, `must be text of at most ${MAX_NOTE_CHARACTERS} characters`));
}
