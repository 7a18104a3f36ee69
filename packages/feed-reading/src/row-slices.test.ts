import type { ReadPart } from "@org/data-feeds";
import { expect, it } from "vitest";
import { createRowGatherer, type RowSlice, sliceRows } from "./row-slices.js";

const part = (name: string, transactions: number | null, holdings: number): ReadPart =>
  ({
    name,
    sha256: name,
    read: {
      format: "test",
      warnings: [],
      snapshot: {
        as_of: new Date(0),
        portfolios: [{ key: name }],
        holdings: Array.from({ length: holdings }, (_, key) => ({ key })),
        transactions: transactions && Array.from({ length: transactions }, (_, key) => ({ key, of: name })),
      },
    },
  }) as unknown as ReadPart;

it("long lists travel in slices, each when the one before was taken, and are whole again on the other side", async () => {
  const refused: ReadPart = {
    name: "b",
    sha256: "b",
    refusal: { place: "line 1", reason: "is odd", lack: null, faults: null },
  };
  const parts = [part("a", 2_500, 1_000), refused, part("c", null, 1_001)];
  const gatherer = createRowGatherer();
  const sizes: number[] = [];
  let isTaken = true;
  const left = await sliceRows(parts, async (slice: RowSlice) => {
    expect(isTaken).toBe(true);
    isTaken = false;
    await null;
    sizes.push(slice.rows.length);
    gatherer.add(structuredClone(slice));
    isTaken = true;
  });
  expect(sizes).toEqual([1_000, 1_000, 500, 1_000, 1]);
  expect(left.map((one) => "read" in one && one.read.snapshot.transactions?.length)).toEqual([0, false, undefined]);
  expect(gatherer.complete(left)).toEqual(parts);
});
