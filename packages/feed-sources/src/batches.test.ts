import type { ReadFeed } from "@org/provider-kit";
import { expect, it } from "vitest";
import { batchesOf, hashOfBatch } from "./batches.js";
import type { Slice } from "./cut-by-account.js";

const now = new Date("2026-03-01T12:00:00Z");
const letter = "11111111-1111-4111-8111-111111111111";

function slice(name: string, over: Partial<ReadFeed> = {}, letter_id = letter): Slice {
  const read = { format: "test", warnings: [], snapshot: snapshot(1), ...over };
  return { target: { letter_id }, name, sha256: `hash of ${name}`, read };
}

function snapshot(rows: number, as_of = now): ReadFeed["snapshot"] {
  return {
    as_of,
    portfolios: null,
    holdings: Array.from({ length: rows }, () => ({ valuation_date: null })) as never,
    transactions: null,
  };
}

const namesOf = (slices: readonly Slice[]) =>
  batchesOf(slices, now).map((batch) => batch.map(({ name }) => name).join(" "));

it("[C-9.202] twenty parts for one letter are taken in one go, each letter's in their order", () => {
  const slices = Array.from({ length: 45 }, (_, index) => slice(`${index}`));
  expect(batchesOf(slices, now).map(({ length }) => length)).toEqual([20, 20, 5]);
  expect(batchesOf(slices, now).flat()).toEqual(slices);
  expect(namesOf([slice("a"), slice("b", {}, "other"), slice("c"), slice("d", {}, "other")])).toEqual(["a c", "b d"]);
});

it("[C-9.202] many rows are taken part by part", () => {
  const [large, small] = [{ snapshot: snapshot(4_000) }, { snapshot: snapshot(900) }];
  expect(namesOf([slice("a", large), slice("b", small), slice("c", large), slice("d", small)])).toEqual(["a b", "c d"]);
  expect(namesOf([slice("a", { snapshot: snapshot(20_000) }), slice("b")])).toEqual(["a", "b"]);
});

it("[C-9.166] [C-9.202] statements of an account as of several days are taken one after the other", () => {
  const stating = (name: string, keys: readonly string[], day: number) => {
    const portfolios = keys.map((key) => ({ key })) as never;
    return slice(name, { snapshot: { ...snapshot(1, new Date(`2026-02-0${day}T00:00:00Z`)), portfolios } });
  };
  const slices = [
    stating("a", ["A"], 1),
    stating("b", ["B"], 2),
    stating("a2", ["A"], 1),
    stating("ab", ["A", "B"], 2),
  ];
  expect(namesOf([...slices, stating("c", ["C"], 1), stating("b2", ["B"], 3)])).toEqual(["a b a2", "ab c", "b2"]);
});

it("[C-9.202] what may be refused for something in it is taken by itself, in its place", () => {
  const ahead = { snapshot: snapshot(1, new Date("2027-01-01")) };
  expect(
    namesOf([slice("a"), slice("b", ahead), slice("c"), slice("d", { pages: [{}] as never }), slice("e")]),
  ).toEqual(["a", "b", "c", "d", "e"]);
});

it("[C-9.34] the same parts have the same place in the order of files, others another", () => {
  expect(hashOfBatch([slice("a"), slice("b")])).toBe(hashOfBatch([slice("a"), slice("b")]));
  expect(hashOfBatch([slice("a"), slice("b")])).not.toBe(hashOfBatch([slice("a"), slice("c")]));
});
