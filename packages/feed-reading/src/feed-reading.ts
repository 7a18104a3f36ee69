import { type FeedReading, readFeed, recognisesFeed } from "@org/bank-providers";
import type { DraftWishes, ReadPart, RefusedPart, SentFile } from "@org/data-feeds";
import { type FeedMapping, findMapping, readByMapping, readingCost, whyUnrecognised } from "@org/feed-mapping";
import type { PgpKeys, StatementReader } from "@org/feed-sources";
import { FeedRefusal } from "@org/provider-kit";
import type { RowSlice } from "./row-slices.js";

/** What a thread is started with. */
export type FeedTask = ReadingTask | TrialTask;

/** A custodian's file to read. The thread loads formats that are not shipped itself. */
export interface ReadingTask extends SentFile {
  readonly signing: Pick<PgpKeys, "signers" | "mustBeSigned">;
  /** The time at which keys must be valid. */
  readonly now: Date;
  readonly interim: boolean;
  readonly mappings: MappingLists;
  /** Addresses of modules of formats that are not shipped. */
  readonly formats: readonly string[];
}

/** A mapping to check or to try on a file, or a file to draft one from. */
export interface TrialTask extends SentFile {
  readonly trial:
    | { readonly stated: unknown }
    | { readonly stated: unknown; readonly limit: number }
    | { readonly draft: DraftWishes };
}

/**
 * What a thread sends. `keysFor` requests private keys with one of these key ids (null: all); the reply has them, armoured. Rows of long lists
 * come as slices before the parts that they belong to, each acknowledged when it was taken. A refusal loses its class on the way.
 */
export type FeedAnswer =
  | { readonly keysFor: readonly string[] | null }
  | { readonly slice: RowSlice }
  | { readonly parts: readonly ReadPart[] }
  | { readonly tried: object }
  | { readonly refused: RefusedPart };

/** The result of a task. */
export type FeedResult<Task extends FeedTask> = Task extends TrialTask ? object : readonly ReadPart[];

/** How one file is read. */
export interface FileReading extends FeedReading {
  /** The file's name, for mappings that take values from it. */
  readonly name: string;
  readonly mappings: MappingLists;
}

/** Mappings that may apply to a file, best first, one list per feed that it may belong to. They were checked when they were stored. */
export type MappingLists = readonly (readonly object[])[];

/**
 * Reads the contents of a file, in the server and in its threads alike: in a known format, or else by the first mapping that recognises it. If
 * feeds that the file may belong to would use different mappings, the file is refused.
 */
export function statementsIn({ name, mappings, ...reading }: FileReading): StatementReader {
  return {
    recognises: (bytes) => recognisesFeed(bytes, reading) || mappingsFor(bytes, mappings).length > 0,
    read(bytes) {
      const [mapping, ...others] = recognisesFeed(bytes, reading) ? [] : mappingsFor(bytes, mappings);
      if (mapping === undefined) return orUnmapped(bytes, mappings, () => readFeed(bytes, reading));
      if (others.length > 0) {
        const names = [mapping, ...others].map((each) => each.name).join(", ");
        throw new FeedRefusal(
          "file",
          `is read in different ways by those whom its source leads to (${byMapping(names)}); keep one of these mappings, or a source for each`,
          "mapping",
        );
      }
      try {
        return readByMapping(bytes, [mapping], name) ?? readFeed(bytes, reading);
      } catch (error) {
        if (!(error instanceof FeedRefusal)) throw error;
        throw new FeedRefusal(error.place, `${error.reason} (${byMapping(mapping.name)})`, "mapping");
      }
    },
  };
}

/** Reads a file that no mapping recognises. If no format does either, the refusal says what its mappings look for. */
function orUnmapped<T>(bytes: Uint8Array, lists: MappingLists, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const those = new Map((lists.flat() as FeedMapping[]).map((mapping) => [mapping.name, mapping]));
    if (!(error instanceof FeedRefusal) || error.lack !== "format" || those.size === 0) throw error;
    const named = [...those.values()].slice(0, MAX_MAPPINGS_NAMED);
    const whys = named.map((mapping) => `${mapping.name}: ${whyUnrecognised(bytes, mapping)}`);
    throw new FeedRefusal(
      error.place,
      `is recognised by no mapping (${whys.join("; ")}), and ${error.reason}`,
      "format",
    );
  }
}

/** Maximum number of mappings that a refusal names. */
const MAX_MAPPINGS_NAMED = 5;

/** Estimated nanoseconds that reading a file by its mapping takes; 0 if a format recognises the file. */
export function mappingCost(bytes: Uint8Array, { mappings, ...reading }: Omit<FileReading, "name">): number {
  if (mappings.length === 0 || recognisesFeed(bytes, reading)) return 0;
  return Math.max(0, ...mappingsFor(bytes, mappings).map((mapping) => readingCost(bytes, mapping)));
}

function byMapping(names: string): string {
  return `by mapping ${names}`;
}

/** The mappings that recognise a file, one per feed that it may belong to, without duplicates. */
function mappingsFor(bytes: Uint8Array, lists: MappingLists): readonly FeedMapping[] {
  const found = new Map<string, FeedMapping>();
  for (const list of lists as readonly (readonly FeedMapping[])[]) {
    const mapping = findMapping(bytes, list);
    if (mapping !== null) found.set(JSON.stringify(mapping), mapping);
  }
  return [...found.values()];
}
