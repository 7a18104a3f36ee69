import { expect, it } from "vitest";
import { sorted, withSorts } from "./sorted.js";

it("[C-14.1004] rows are sorted by words as the language has them, by number and by moment; what has no value is last", () => {
  const rows = [
    { name: "Zoë", count: 2, at: null },
    { name: "Ärzte 10", count: 10, at: "2026-03-01T09:00:00.000Z" },
    { name: "", count: null, at: "2026-04-01T09:00:00.000Z" },
    { name: "ärzte 9", count: 1, at: undefined },
  ];
  type Row = (typeof rows)[number];
  const head = { header: "", cell: () => null };
  const columns = withSorts<Row>([
    { id: "name", ...head, by: ({ name }) => name },
    { id: "count", ...head, byMost: ({ count }) => count },
    { id: "at", ...head, byMost: ({ at }) => at },
    { id: "plain", ...head },
  ]);
  expect(columns.map(({ sorts }) => sorts)).toEqual([["name", "-name"], ["-count", "count"], ["-at", "at"], undefined]);
  const found = (value: string) => sorted(rows, columns, { value }, "de").map((row) => rows.indexOf(row));
  expect(found("name")).toEqual([3, 1, 0, 2]);
  expect(found("-name")).toEqual([0, 1, 3, 2]);
  expect(found("count")).toEqual([3, 0, 1, 2]);
  expect(found("-count")).toEqual([1, 0, 3, 2]);
  expect(found("-at")).toEqual([2, 1, 0, 3]);
  expect(found("")).toEqual([0, 1, 2, 3]);
});
