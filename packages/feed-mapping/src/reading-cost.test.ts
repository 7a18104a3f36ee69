import { expect, it } from "vitest";
import { parseFeedMapping, readingCost, shippedMappings } from "./index.js";
import type { MappingValue } from "./mapping-value.js";

const head = { language: 1, name: "fern", title: "Fern", recognise: { line: "Day" }, delimiter: ";" };
const values = { date: { column: 1 }, cash: { column: 2 }, currency: { constant: "CHF" } };
const mapping = (rule: object = {}) =>
  parseFeedMapping({ ...head, values, tables: [{ rows: [{ is: "transaction", ...rule }] }] });
const file = (lines: number) => Buffer.from("2026-01-01;1.00;Text\n".repeat(lines));

it("what reading takes grows with the rows, with marks that are looked for, and with values within values", () => {
  const plain = readingCost(file(100), mapping());
  expect(readingCost(file(200), mapping()) / plain).toBeCloseTo(2, 1);
  const marked = mapping({ when: { column: 3, contains: Array.from({ length: 200 }, (_, n) => `x${n}`) } });
  expect(readingCost(file(100), marked)).toBeGreaterThan(3 * plain);
  let cash: MappingValue = { column: 2 };
  const costs = Array.from({ length: 8 }, () => {
    cash = { first_of: [cash] };
    return readingCost(file(100), mapping({ values: { cash } }));
  });
  // Each level reads the one below it several times.
  expect(costs[7]).toBeGreaterThan(1_000 * plain);
});

it("an export of some hundred rows by a shipped mapping is little", () => {
  for (const shipped of shippedMappings())
    expect(readingCost(file(200), shipped), shipped.name).toBeLessThan(50_000_000);
});
