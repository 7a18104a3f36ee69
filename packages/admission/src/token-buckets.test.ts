import { expect, it } from "vitest";
import { createTokenBuckets } from "./token-buckets.js";

it("a network's bucket is empty after so many in a minute, fills by itself, and is nobody else's", () => {
  const rates = createTokenBuckets(60_000, () => 60);
  for (let taken = 0; taken < 60; taken += 1) {
    expect(rates.emptyFor("a", 0)).toBe(0);
    rates.take("a", 0);
  }
  expect([rates.emptyFor("a", 0), rates.emptyFor("a", 999), rates.emptyFor("a", 1_000)]).toEqual([1, 1, 0]);
  expect(rates.emptyFor("b", 0)).toBe(0);
});

it("what is taken from an empty bucket makes no debts", () => {
  const rates = createTokenBuckets(60_000, () => 60);
  for (let taken = 0; taken < 1_000; taken += 1) rates.take("a", 0);
  expect(rates.emptyFor("a", 1_000)).toBe(0);
});

it("the networks that are kept apart are bounded", () => {
  const rates = createTokenBuckets(60_000, () => 1);
  for (let index = 0; index <= 10_000; index += 1) rates.take(String(index), 0);
  expect([rates.emptyFor("0", 0), rates.emptyFor("1", 0)]).toEqual([0, 60]);
});
