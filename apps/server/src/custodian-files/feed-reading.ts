import { type FeedReading, readFeed, recognisesFeed } from "@org/bank-providers";
import type { ReadPart, SentFile } from "@org/core";
import { type FeedMapping, findMapping, readByMapping } from "@org/feed-mapping";
import type { PgpKeys, StatementReader } from "@org/feed-sources";

/** What a thread is started with: it loads the formats of others itself. */
export interface FeedTask extends SentFile {
  readonly signing: Pick<PgpKeys, "signers" | "mustBeSigned">;
  /** By what time keys are in force. */
  readonly now: Date;
  readonly interim: boolean;
  readonly mappings: readonly object[];
  /** What `FEED_FORMATS` names, and the directory that it is found from. */
  readonly formats: readonly string[];
  readonly directory: string;
}

/**
 * What the thread says of a file, and before that which private keys it needs: those with one of these key ids, or all. It is answered
 * with them, armoured. A refusal loses its class on the way.
 */
export type FeedAnswer =
  | { readonly keysFor: readonly string[] | null }
  | { readonly parts: readonly ReadPart[] }
  | { readonly refused: { readonly place: string; readonly reason: string } };

/** How one file is read. */
export interface FileReading extends FeedReading {
  /** Its name, for mappings that take something from it. */
  readonly name: string;
  /** Mappings that apply to it, best first; checked when they were kept. */
  readonly mappings: readonly object[];
}

/**
 * Reads what is no container any more, in the server and in its threads alike: in a known format, else by the first mapping that
 * recognises it.
 */
export function statementsIn({ name, mappings: applying, ...reading }: FileReading): StatementReader {
  const mappings = applying as readonly FeedMapping[];
  return {
    recognises: (bytes) => recognisesFeed(bytes, reading) || findMapping(bytes, mappings) !== null,
    read(bytes) {
      if (mappings.length === 0 || recognisesFeed(bytes, reading)) return readFeed(bytes, reading);
      return readByMapping(bytes, mappings, name) ?? readFeed(bytes, reading);
    },
  };
}
