import { recogniseCopies } from "./recognise-copies.js";
import type { SnapshotData, TransactionData } from "./snapshot.js";

/** Larger custodian files are refused unread, whatever their source. 64 MiB hold several hundred thousand holdings. */
export const MAX_FEED_BYTES = 64 * 1024 * 1024;

/** Format names: lower-case letters, digits, points and hyphens, at most 40, starting with a letter. */
const formatName = /^[a-z][a-z0-9.-]{0,39}$/;

/**
 * A format that custodians send files in; made by {@link defineFeedFormat}. A file is refused with a {@link FeedRefusal} where a
 * fault decides what is held or a total, and then nothing of it is used; what else cannot be read, its content says.
 */
export interface FeedFormat {
  /** Short and unique, such as `mt940`. It appears in answers, metrics and refusals. */
  readonly name: string;
  /** The name for people, such as "SWIFT MT940 customer statement". */
  readonly title: string;
  /** Whether the first 64 KiB look like this format. They are decoded as Latin 1 without zero bytes, so that UTF-16 looks like any other text. */
  recognises(head: string): boolean;
  /** @throws FeedRefusal when what is held, or a total, cannot be read, and the file has no other account */
  read(file: Uint8Array, options: FeedReadOptions): FeedContent;
}

/** Options for reading a file. */
export interface FeedReadOptions {
  /** Also read reports of an unfinished day (MT942, camt.052): their booked movements, never their balances. */
  readonly interim: boolean;
}

/**
 * Defines a format; it is the default export of a module that `FEED_FORMATS` names. @throws TypeError if the name cannot be a metric label, or a
 * title or function is missing
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

/** What a format read from a file. A list that is `null` is one that the format does not carry; an empty one says that there is nothing. */
export interface FeedContent extends SnapshotData {
  /** In file order and few: a format reports the first ones and how many more there are. */
  readonly warnings: readonly FeedWarning[];
  /** Pages of statements that are incomplete in this file. Their content is not part of the snapshot. */
  readonly pages?: readonly StatementPage[];
  /** BIC or name of the sender, as the file states it. */
  readonly sender?: string;
  /** What a repeated transaction key means. Left out: a repetition with the same facts is another, similar transaction. */
  readonly keys?: TransactionKeys;
  /** Corrections of transactions that earlier files may have reported. */
  readonly corrections?: readonly TransactionCorrection[];
  /** All movements that could not be read and are not part of the snapshot; `warnings` describe the first ones. */
  readonly left_out?: readonly LeftOut[];
  /**
   * Numbers of accounts that could not be read and are not part of the snapshot; `warnings` say why. If it is the file's only account, the file is
   * refused.
   */
  readonly refused_accounts?: readonly string[];
}

/** A movement that could not be read: its place, as in {@link FeedRefusal}, and the name of the faulty field, as the file writes it. */
export interface LeftOut {
  readonly place: string;
  readonly field: string;
}

/**
 * What it means that a transaction's key occurs again, in the same file or a later one. In both cases a repetition with the same content is the same
 * transaction.
 * - `unique`: with another day, security, units or cash it is another transaction whose sender reused the key.
 * - `corrected`: a repetition with different content corrects the earlier one.
 */
export type TransactionKeys = "unique" | "corrected";

/** A transaction that replaces the one reported earlier under `key`; null withdraws it. */
export interface TransactionCorrection {
  readonly portfolio_key: string;
  readonly key: string;
  /** What it corrects, if another transaction had the key first. */
  readonly of?: TransactionData;
  readonly by: TransactionData | null;
}

/** A page of a statement whose other pages arrive in other files. */
export interface StatementPage {
  /** The same for all pages of one statement, and different for every other statement. */
  readonly statement: string;
  /** From 1. */
  readonly number: number;
  readonly is_last: boolean;
  /** The page as the file has it. The texts of all pages, one below the other, form a readable file. */
  readonly text: string;
  /** As in {@link FeedRefusal}. */
  readonly place: string;
}

/** A custodian file that was read, with the name of its format. */
export interface ReadFeed extends Omit<FeedContent, keyof SnapshotData> {
  readonly format: string;
  /** Of a mapping: a digest of it, which another text of the same name does not have. */
  readonly format_version?: string;
  readonly snapshot: SnapshotData;
}

/** Something odd in a file that can still be read, such as a wrong check digit. `place` as in {@link FeedRefusal}. */
export interface FeedWarning {
  readonly place: string;
  readonly message: string;
}

/**
 * What a refused file lacks, if the same bytes can be accepted once it is there.
 * - `format`: a format that recognises it, or a mapping
 * - `mapping`: a different mapping from the one that read it
 * - `key`: the key that it is encrypted for
 * - `valid_key`: the key is ours, but has expired or was revoked
 * - `signature`: a signature by a key that is trusted and valid
 */
export const feedLacks = ["format", "mapping", "key", "valid_key", "signature"] as const;
/** One of {@link feedLacks}. */
export type FeedLack = (typeof feedLacks)[number];

/** Accounts and movements of a file that could not be read, and the warnings that say so. */
export type FeedFaults = Pick<FeedContent, "warnings" | "left_out" | "refused_accounts">;

/** Why a custodian file was refused: `place` says where (`line 12, column 3` or an element path), `reason` says why. */
export class FeedRefusal extends Error {
  override readonly name = "FeedRefusal";
  readonly place: string;
  readonly reason: string;
  /** Null if the file itself is at fault. */
  readonly lack: FeedLack | null;
  /** What the content would say of the faults if the file had another account; null if they are of the whole file. */
  readonly faults: FeedFaults | null;

  static {
    recogniseCopies(FeedRefusal, "FeedRefusal");
  }

  constructor(place: string, reason: string, lack: FeedLack | null = null, faults: FeedFaults | null = null) {
    super(`${place}: ${reason}`);
    this.faults = faults;
    this.place = place;
    this.reason = reason;
    this.lack = lack;
  }
}
