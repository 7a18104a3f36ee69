import type { SnapshotData } from "@org/provider-kit";

/** Custodian files above this size are refused unread, wherever they come from. 64 MiB is some hundred thousand holdings. */
export const MAX_FEED_BYTES = 64 * 1024 * 1024;

/** Reads one custodian file. A file that cannot be read whole is refused with a {@link FeedRefusal} and nothing of it is used. */
export interface FeedParser {
  readonly format: string;
  /** Whether the first bytes look like this format. */
  recognises(head: string): boolean;
  parse(file: Uint8Array): ParsedFeed;
}

/** What a parser made of a file. */
export interface ParsedFeed extends SnapshotData {
  /** In file order, few: a parser tells the first ones and how many more there are. */
  readonly warnings: readonly FeedWarning[];
  /** Pages of statements that are not whole in this file; what they hold is not among the rest. */
  readonly pages?: readonly StatementPage[];
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
export interface ReadFeed {
  readonly format: string;
  readonly snapshot: SnapshotData;
  readonly warnings: readonly FeedWarning[];
  /** As in {@link ParsedFeed}. */
  readonly pages?: readonly StatementPage[];
}

/** Something odd in a file that leaves it readable, such as a wrong check digit. `place` as in {@link FeedRefusal}. */
export interface FeedWarning {
  readonly place: string;
  readonly message: string;
}

/** Why a custodian file was refused: `place` says where (`line 12, column 3` or an element path), `reason` why. */
export class FeedRefusal extends Error {
  override readonly name = "FeedRefusal";
  readonly place: string;
  readonly reason: string;

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}
