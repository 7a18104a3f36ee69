import { createHash } from "node:crypto";
import { isFarAhead, layersOf } from "@org/data-feeds";
import type { Slice } from "./cut-by-account.js";

/** Parts that are taken in one go, and their rows: others who want something of the database wait for no more than that. */
const MAX_PARTS = 20;
const MAX_ROWS = 5_000;

/**
 * Slices of one file, those together that one target takes in one go; for each target in their order. An account is in a batch as of one
 * day, for each of its statements is compared with the one before. By itself is what may be refused for something in it: one that is dated
 * far ahead, and pages of a statement.
 */
export function batchesOf(slices: readonly Slice[], now: Date): readonly (readonly Slice[])[] {
  const batches: Slice[][] = [];
  const open = new Map<string, { readonly batch: Slice[]; rows: number }>();
  for (const slice of slices) {
    const target = JSON.stringify(slice.target);
    const isAlone = (slice.read.pages?.length ?? 0) > 0 || isFarAhead(slice.read.snapshot, now);
    const rows = rowsOf(slice);
    const before = open.get(target);
    const hasRoom = before && !isAlone && before.batch.length < MAX_PARTS && before.rows + rows <= MAX_ROWS;
    if (hasRoom && layersOf([...before.batch, slice]).length === 1) {
      before.batch.push(slice);
      before.rows += rows;
      continue;
    }
    const batch = [slice];
    batches.push(batch);
    if (isAlone) open.delete(target);
    else open.set(target, { batch, rows });
  }
  return batches;
}

/** As which bytes slices count that are taken together: the same ones have the same place in the order of files, however often they come. */
export function hashOfBatch(batch: readonly Slice[]): string {
  const hashes = batch.map(({ sha256 }) => sha256);
  return createHash("sha256").update(JSON.stringify(hashes)).digest("hex");
}

function rowsOf({ read: { snapshot } }: Slice): number {
  return (snapshot.portfolios?.length ?? 0) + (snapshot.holdings?.length ?? 0) + (snapshot.transactions?.length ?? 0);
}
