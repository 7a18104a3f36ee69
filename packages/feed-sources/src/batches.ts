import { createHash } from "node:crypto";
import { isFarAhead, layersOf } from "@org/data-feeds";
import type { Slice } from "./cut-by-account.js";

/** The most parts and rows stored in one go, so that other database work does not wait longer than that. */
const MAX_PARTS = 20;
const MAX_ROWS = 5_000;

/**
 * Groups the slices of a file into batches that a target stores in one go, in the order of each target's slices. A batch has an account only once per
 * day, since each statement is compared with the one before. Slices that may be refused for their content are alone: those dated far ahead, and pages
 * of a statement.
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

/** The hash of a batch of slices: the same slices have the same hash however often they arrive, and so the same place in the order of files. */
export function hashOfBatch(batch: readonly Slice[]): string {
  const hashes = batch.map(({ sha256 }) => sha256);
  return createHash("sha256").update(JSON.stringify(hashes)).digest("hex");
}

function rowsOf({ read: { snapshot } }: Slice): number {
  return (snapshot.portfolios?.length ?? 0) + (snapshot.holdings?.length ?? 0) + (snapshot.transactions?.length ?? 0);
}
