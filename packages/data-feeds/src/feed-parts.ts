import { createHash, webcrypto } from "node:crypto";
import { CoreError, invalid, invalidValue } from "@org/core";
import {
  type FeedFaults,
  type FeedLack,
  FeedRefusal,
  type FeedWarning,
  type ReadFeed,
  utcDay,
} from "@org/provider-kit";
import type { HistoryCounts } from "./movements.js";

/** One part of a custodian's file, read or refused. A plain file is one part, with its own name and hash. */
export type ReadPart = {
  /** Its path in the container. */
  readonly name: string;
  /** SHA-256 of its bytes, hex */
  readonly sha256: string;
} & ({ readonly read: ReadFeed } | { readonly refusal: RefusedPart });

/** A {@link FeedRefusal} without its class, which does not survive the way between threads. */
export interface RefusedPart {
  readonly place: string;
  readonly reason: string;
  readonly lack: FeedLack | null;
  readonly faults: FeedFaults | null;
}

/** The result for one part of a container. */
export interface TakenPart extends FileCounts {
  readonly name: string;
  readonly sha256: string;
  readonly status: "ingested" | "duplicate";
  readonly format: string;
}

/** Reads one part. A refusal is returned, not thrown. */
export function readPart(name: string, bytes: Uint8Array, read: (file: Uint8Array) => ReadFeed): ReadPart {
  const sha256 = sha256Of(bytes);
  try {
    return { name, sha256, read: read(bytes) };
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    return { name, sha256, refusal: refusedPart(error) };
  }
}

/** Limits the warnings of a container, and adds how many were left out. */
export function limitWarnings(warnings: readonly FeedWarning[]): readonly FeedWarning[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  const message = `${warnings.length - MAX_WARNINGS} more warnings`;
  return [...warnings.slice(0, MAX_WARNINGS), { place: "file", message }];
}

/** About three full lists of one file. */
const MAX_WARNINGS = 100;

/** Adds the part's name to a refusal; null = the file is not a container. */
export function refusalIn(part: string | null, { place, reason, lack }: FeedRefusal): FeedRefusal {
  return new FeedRefusal(placeIn(part, place), reason, lack);
}

/** The error that the sender of a refused file gets. */
export function refusedFile(refusal: FeedRefusal): CoreError {
  const cause = refusal.lack ?? "content";
  const { message, details } = invalid({ ...invalidValue("file", `${refusal.place}: ${refusal.reason}`), cause });
  return new CoreError("VALIDATION_ERROR", message, { ...(details && { details }), cause: refusal });
}

/** The contents of a {@link FeedRefusal}, without its class. */
export function refusedPart({ place, reason, lack, faults }: FeedRefusal): RefusedPart {
  return { place, reason, lack, faults };
}

/** What a refused file lacks; null if it was refused for another reason. */
export function missingPartOf({ cause }: CoreError): FeedLack | null {
  return cause instanceof FeedRefusal ? cause.lack : null;
}

/** Adds the part's name to a warning; null = the file is not a container. */
export function withPart(part: string | null, { place, message }: FeedWarning): FeedWarning {
  return { place: placeIn(part, place), message };
}

/** Whether a part states an account, beside pages of statements. */
export function hasAccounts({ read }: { readonly read: ReadFeed }): boolean {
  return (read.snapshot.portfolios?.length ?? 0) > 0;
}

const countNames = [
  "portfolios",
  "holdings",
  "transactions",
  "repeated",
  "corrected",
  "kept",
  "left_out",
] as const satisfies readonly (keyof FileCounts)[];

/** What a file states of portfolios and holdings, and what became of its transactions. */
export interface FileCounts extends HistoryCounts {
  readonly portfolios: number;
  readonly holdings: number;
  /** Movements that could not be read; warnings say which. */
  readonly left_out: number;
}

/** @param history of its transactions; left out: the part was taken before */
export function countsOf({ snapshot, left_out = [] }: ReadFeed, history?: HistoryCounts): FileCounts {
  const { portfolios, holdings, transactions } = snapshot;
  return {
    portfolios: portfolios?.length ?? 0,
    holdings: holdings?.length ?? 0,
    ...(history ?? { ...noHistory, kept: transactions?.length ?? 0 }),
    left_out: left_out.length,
  };
}

/** Of a file without transactions. */
export const noHistory: HistoryCounts = { transactions: 0, repeated: 0, corrected: 0, kept: 0 };

/** What became of transactions, of some and of others. */
export function addCounts(one: HistoryCounts, other: HistoryCounts): HistoryCounts {
  return {
    transactions: one.transactions + other.transactions,
    repeated: one.repeated + other.repeated,
    corrected: one.corrected + other.corrected,
    kept: one.kept + other.kept,
  };
}

/** Sums of what became of several parts. */
export function totalOf(counts: readonly FileCounts[]): FileCounts {
  const sums = countNames.map((name) => [name, counts.reduce((sum, one) => sum + one[name], 0)] as const);
  return Object.fromEntries(sums) as unknown as FileCounts;
}

/** SHA-256 in hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** {@link sha256Of} a file; a large one is hashed off the event loop. */
export async function sha256OfFile(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= SYNC_HASH_MAX_BYTES) return sha256Of(bytes);
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

/** Hashing this much takes a millisecond. */
const SYNC_HASH_MAX_BYTES = 1024 * 1024;

function placeIn(part: string | null, place: string): string {
  // A fault of another part of the same file names it already.
  return part === null || place.startsWith("part ") ? place : `part ${part}: ${place}`;
}

/**
 * Groups parts into layers to be published one after the other. Each account keeps the order of its parts, and within a layer all parts state it
 * as of one day, because the movements of a day belong between its statement and the one before. A thousand files about as many accounts are one
 * layer.
 */
export function layersOf<Part extends { readonly read: ReadFeed }>(
  parts: readonly Part[],
): readonly (readonly Part[])[] {
  const layers: Part[][] = [];
  /** The last layer that states an account, and its day; null if the account has only movements there. */
  const stated = new Map<string, { readonly layer: number; readonly day: string | null }>();
  for (const part of parts) {
    const { snapshot } = part.read;
    const accounts = (snapshot.portfolios ?? []).map(({ key, as_of = snapshot.as_of, holdings_unknown }) => ({
      key,
      day: holdings_unknown ? null : utcDay(as_of),
    }));
    let layer = 0;
    for (const { key, day } of accounts) {
      const before = stated.get(key);
      if (before) layer = Math.max(layer, isApart(before.day, day) ? before.layer + 1 : before.layer);
    }
    for (const { key, day } of accounts) {
      const before = stated.get(key);
      stated.set(key, { layer, day: day ?? (before?.layer === layer ? before.day : null) });
    }
    const others = layers[layer];
    if (others) others.push(part);
    else layers.push([part]);
  }
  return layers;
}

function isApart(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}
