import type { SnapshotData, TransactionData } from "./snapshot.js";

/** Custodian files above this size are refused unread, wherever they come from. 64 MiB is some hundred thousand holdings. */
export const MAX_FEED_BYTES = 64 * 1024 * 1024;

/** Names of formats: lower-case letters, digits, points and hyphens, at most 40, beginning with a letter. */
const formatName = /^[a-z][a-z0-9.-]{0,39}$/;

/**
 * A format that custodians send files in; made by {@link defineFeedFormat}. A file is refused with a {@link FeedRefusal} where a
 * fault decides what is held or a total, and then nothing of it is used; what else cannot be read, its content says.
 */
export interface FeedFormat {
  /** Short and unique: in answers, metrics and refusals, such as `mt940`. */
  readonly name: string;
  /** For people: "SWIFT MT940 customer statement". */
  readonly title: string;
  /** Whether the first 64 KiB look like this format. They come as Latin 1, and without zeros, so that UTF-16 looks like any other text. */
  recognises(head: string): boolean;
  /** @throws FeedRefusal when what is held, or a total, cannot be read, and the file has no other account */
  read(file: Uint8Array, options: FeedReadOptions): FeedContent;
}

/** How a file is to be read. */
export interface FeedReadOptions {
  /** Take reports of an unfinished day too (MT942, camt.052): their booked movements, never their balances. */
  readonly interim: boolean;
}

/**
 * Defines a format, as the default export of a module that `FEED_FORMATS` names.
 * @throws TypeError for a name that could be no label of a metric, and for what lacks a title or a function
 */
export function defineFeedFormat(format: FeedFormat): FeedFormat {
  if (typeof format?.name !== "string" || !formatName.test(format.name))
    throw new TypeError(
      `a format's name has lower-case letters, digits, points and hyphens, and begins with a letter: ${format?.name}`,
    );
  if (typeof format.title !== "string" || format.title === "")
    throw new TypeError(`the format ${format.name} has no title`);
  for (const call of ["recognises", "read"] as const)
    if (typeof format[call] !== "function") throw new TypeError(`the format ${format.name} has no function ${call}`);
  return format;
}

/** What a format made of a file. */
export interface FeedContent extends SnapshotData {
  /** In file order, few: a format tells the first ones and how many more there are. */
  readonly warnings: readonly FeedWarning[];
  /** Pages of statements that are not whole in this file; what they hold is not among the rest. */
  readonly pages?: readonly StatementPage[];
  /** BIC, or name, of who sent the file, as the file says. */
  readonly sender?: string;
  /** What it means that a transaction's key comes again. Left out: the same facts are another transaction that is alike. */
  readonly keys?: TransactionKeys;
  /** What the file says of transactions that earlier files may have told. */
  readonly corrections?: readonly TransactionCorrection[];
  /** Movements that cannot be read and are not among the rest, all of them; `warnings` tell the first ones. */
  readonly left_out?: readonly LeftOut[];
  /** Numbers of accounts that cannot be read and are not among the rest; `warnings` say why. A file whose only account it is is refused. */
  readonly refused_accounts?: readonly string[];
}

/** A movement that cannot be read: where it is, as in {@link FeedRefusal}, and the name of the field at fault, as the file has it. */
export interface LeftOut {
  readonly place: string;
  readonly field: string;
}

/**
 * What it means that the key of a transaction comes again, in the same file or a later one. In both cases the same content is the same
 * transaction.
 * - `unique`: with another day, security, units or cash it is another transaction whose sender has used the key again.
 * - `corrected`: whatever else it says then corrects what was said before.
 */
export type TransactionKeys = "unique" | "corrected";

/** A transaction that takes the place of the one that was told under `key`; null takes that one back. */
export interface TransactionCorrection {
  readonly portfolio_key: string;
  readonly key: string;
  readonly by: TransactionData | null;
}

/** A page of a statement whose other pages come in other files. */
export interface StatementPage {
  /** The same for all pages of one statement, and for those of no other one. */
  readonly statement: string;
  /** From 1. */
  readonly number: number;
  readonly is_last: boolean;
  /** The page as the file has it: the texts of all pages, one below the other, are a file that can be read. */
  readonly text: string;
  /** As in {@link FeedRefusal}. */
  readonly place: string;
}

/** A custodian file that was read, with the name of its format. */
export interface ReadFeed extends Omit<FeedContent, keyof SnapshotData> {
  readonly format: string;
  readonly snapshot: SnapshotData;
}

/** Something odd in a file that leaves it readable, such as a wrong check digit. `place` as in {@link FeedRefusal}. */
export interface FeedWarning {
  readonly place: string;
  readonly message: string;
}

/**
 * What a refused file lacks, where the same bytes may be taken once it is there.
 * - `format`: one that recognises it, or a mapping
 * - `mapping`: another one than that which read it
 * - `key`: the one that it is encrypted for
 * - `valid_key`: that one is ours, and has expired or was revoked
 * - `signature`: one by a key that is trusted and in force
 */
export const feedLacks = ["format", "mapping", "key", "valid_key", "signature"] as const;
/** One of {@link feedLacks}. */
export type FeedLack = (typeof feedLacks)[number];

/** Why a custodian file was refused: `place` says where (`line 12, column 3` or an element path), `reason` why. */
export class FeedRefusal extends Error {
  override readonly name = "FeedRefusal";
  readonly place: string;
  readonly reason: string;
  /** Null: the file itself is at fault. */
  readonly lack: FeedLack | null;

  constructor(place: string, reason: string, lack: FeedLack | null = null) {
    super(`${place}: ${reason}`);
    this.place = place;
    this.reason = reason;
    this.lack = lack;
  }
}
