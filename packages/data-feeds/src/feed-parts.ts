import { createHash, webcrypto } from "node:crypto";
import { CoreError, invalid, invalidValue } from "@org/core";
import { type FeedLack, FeedRefusal, type FeedWarning, type ReadFeed, type SnapshotData } from "@org/provider-kit";

/** One of the files that a custodian's file is made of, read or refused. A plain file is one part, with its own name and hash. */
export type ReadPart = {
  /** Its path in the container. */
  readonly name: string;
  /** SHA-256 of its bytes, hex */
  readonly sha256: string;
} & ({ readonly read: ReadFeed } | { readonly refusal: RefusedPart });

/** A {@link FeedRefusal} as it travels between threads, which lose its class. */
export interface RefusedPart {
  readonly place: string;
  readonly reason: string;
  readonly lack: FeedLack | null;
}

/** What became of one part of a container. */
export interface TakenPart {
  readonly name: string;
  readonly sha256: string;
  readonly status: "ingested" | "duplicate";
  readonly format: string;
  readonly portfolios: number;
  readonly holdings: number;
  readonly transactions: number;
}

/** Reads one part: a refusal is what became of it. */
export function readPart(name: string, bytes: Uint8Array, read: (file: Uint8Array) => ReadFeed): ReadPart {
  const sha256 = sha256Of(bytes);
  try {
    return { name, sha256, read: read(bytes) };
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    return { name, sha256, refusal: refusedPart(error) };
  }
}

/** At most so many warnings of a container, and how many more there are. */
export function limitWarnings(warnings: readonly FeedWarning[]): readonly FeedWarning[] {
  if (warnings.length <= MAX_WARNINGS) return warnings;
  const message = `${warnings.length - MAX_WARNINGS} more warnings`;
  return [...warnings.slice(0, MAX_WARNINGS), { place: "file", message }];
}

/** What three full lists of one file have, more or less. */
const MAX_WARNINGS = 100;

/** A refusal with the part that it is about; null = the file is no container. */
export function refusalIn(part: string | null, { place, reason, lack }: FeedRefusal): FeedRefusal {
  return new FeedRefusal(placeIn(part, place), reason, lack);
}

/** A refusal as whoever sent the file is told it. */
export function refusedFile(refusal: FeedRefusal): CoreError {
  const { message, details } = invalid(invalidValue("file", `${refusal.place}: ${refusal.reason}`));
  return new CoreError("VALIDATION_ERROR", message, { ...(details && { details }), cause: refusal });
}

/** What {@link FeedRefusal} says, without its class. */
export function refusedPart({ place, reason, lack }: FeedRefusal): RefusedPart {
  return { place, reason, lack };
}

/** What a file that a service refused lacks; null where it was refused for anything else. */
export function missingPartOf({ cause }: CoreError): FeedLack | null {
  return cause instanceof FeedRefusal ? cause.lack : null;
}

/** A warning with the part that it is about; null = the file is no container. */
export function withPart(part: string | null, { place, message }: FeedWarning): FeedWarning {
  return { place: placeIn(part, place), message };
}

/** How much a part states. */
export function countsOf({ portfolios, holdings, transactions }: SnapshotData) {
  return {
    portfolios: portfolios?.length ?? 0,
    holdings: holdings?.length ?? 0,
    transactions: transactions?.length ?? 0,
  };
}

/** Sums of what several parts state. */
export function totalOf(counts: readonly Pick<TakenPart, "portfolios" | "holdings" | "transactions">[]) {
  const sum = (of: "portfolios" | "holdings" | "transactions") => counts.reduce((all, one) => all + one[of], 0);
  return { portfolios: sum("portfolios"), holdings: sum("holdings"), transactions: sum("transactions") };
}

/** SHA-256 in hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** {@link sha256Of} of a file; a large one is hashed beside the event loop. */
export async function sha256OfFile(bytes: Uint8Array): Promise<string> {
  if (bytes.byteLength <= SYNC_HASH_MAX_BYTES) return sha256Of(bytes);
  return Buffer.from(await webcrypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

/** Takes a millisecond. */
const SYNC_HASH_MAX_BYTES = 1024 * 1024;

function placeIn(part: string | null, place: string): string {
  return part === null ? place : `part ${part}: ${place}`;
}

/**
 * Parts that can be published at once, one layer after the other. Each account is in them in the order of the parts, and in one layer as of
 * one day: the movements of a day belong between its statement and the one before. A thousand files of as many accounts are one layer.
 */
export function layersOf<Part extends { readonly read: ReadFeed }>(
  parts: readonly Part[],
): readonly (readonly Part[])[] {
  const layers: Part[][] = [];
  /** The last layer that states an account, and as of which day; null where none has told more than movements. */
  const stated = new Map<string, { readonly layer: number; readonly day: string | null }>();
  for (const part of parts) {
    const { snapshot } = part.read;
    const accounts = (snapshot.portfolios ?? []).map(({ key, as_of = snapshot.as_of, holdings_unknown }) => ({
      key,
      day: holdings_unknown ? null : as_of.toISOString().slice(0, "YYYY-MM-DD".length),
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
