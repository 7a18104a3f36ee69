import { type FeedReading, readFeed, recognisesFeed } from "@org/bank-providers";
import type { ReadPart, SentFile } from "@org/core";
import type { Opening, StatementReader } from "@org/feed-sources";

/** What a thread is started with: it loads the formats of others itself. */
export interface FeedTask extends SentFile {
  readonly opening: Opening;
  readonly interim: boolean;
  /** What `FEED_FORMATS` names, and the directory that it is found from. */
  readonly formats: readonly string[];
  readonly directory: string;
}

/** What the thread says of a file. A refusal loses its class on the way. */
export type FeedAnswer =
  | { readonly parts: readonly ReadPart[] }
  | { readonly refused: { readonly place: string; readonly reason: string } };

/** Reads what is no container any more, in the server and in its threads alike. */
export function statementsIn(reading: FeedReading): StatementReader {
  return {
    recognises: (bytes) => recognisesFeed(bytes, reading),
    read: (bytes) => readFeed(bytes, reading),
  };
}
