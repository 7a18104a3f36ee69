import type { CoreError } from "@org/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANSWER_MAX_CHARACTERS, pageTextOf, pageText as pageTextWithin } from "./page-answer.js";

const MAX_ANSWER = ANSWER_MAX_CHARACTERS;
const pageText = (page: Parameters<typeof pageTextWithin>[0]) => pageTextWithin(page, MAX_ANSWER);

/** A row of exactly this many characters of JSON. */
const row = (length: number) => "x".repeat(length - 2);
const frame = (page: number, pageSize: number, total: number) => ({
  page,
  page_size: pageSize,
  pages: Math.ceil(total / pageSize),
  total,
});

function faultOf(work: () => unknown): { field: string; message: string } {
  try {
    work();
  } catch (error) {
    const [fault] = (error as CoreError).details ?? [];
    if (fault) return fault;
  }
  throw new Error("nothing was refused");
}

describe("[C-4.24] answers of at most 75,000 characters", () => {
  it("are the JSON of the page", () => {
    const page = { items: [{ a: "é" }], ...frame(1, 50, 1), source_counts: { ok: 1 } };
    expect(JSON.parse(pageText(page))).toEqual(page);
    expect(JSON.parse(pageText({ items: [], ...frame(1, 50, 0) }))).toEqual({ items: [], ...frame(1, 50, 0) });
  });

  it("end at the limit", () => {
    const around = pageText({ items: [""], ...frame(1, 1, 1) }).length - 2;
    expect(pageText({ items: [row(MAX_ANSWER - around)], ...frame(1, 1, 1) })).toHaveLength(MAX_ANSWER);
    expect(() => pageText({ items: [row(MAX_ANSWER - around + 1)], ...frame(1, 1, 1) })).toThrow();
  });

  it("[C-4.121] have what sums them up first and their rows last, and count every character of it", () => {
    const about = { totals: [{ currency: "EUR" }], as_of: {}, sources: [], source_counts: {}, snapshot: "r1" };
    const text = (length: number) =>
      pageTextOf(JSON.stringify([row(length)]), { ...frame(1, 1, 2), ...about, hint: "Known." }, MAX_ANSWER);
    const around = text(2).length - 2;
    expect(text(MAX_ANSWER - around)).toHaveLength(MAX_ANSWER);
    expect(() => text(MAX_ANSWER - around + 1)).toThrow();
    expect(Object.keys(JSON.parse(text(2)))).toEqual([
      "totals",
      "as_of",
      "sources",
      "source_counts",
      "hint",
      "page",
      "page_size",
      "pages",
      "total",
      "snapshot",
      "items",
    ]);
  });

  it("on page 1 the size named fits, and one more does not", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 30_000 }), { minLength: 2, maxLength: 12 }), (lengths) => {
        const items = lengths.map(row);
        const total = 1_000_000;
        const text = (size: number) => pageText({ items: items.slice(0, size), ...frame(1, size, total) });
        if (lengths.reduce((sum, length) => sum + length, 0) < MAX_ANSWER) return;
        const { field, message } = faultOf(() => text(items.length));
        const named = Number(/at most (\d+)/.exec(message)?.[1] ?? 0);
        expect(field).toBe("page_size");
        expect(() => text(named + 1)).toThrow();
        if (named > 0) expect(text(named).length).toBeLessThanOrEqual(MAX_ANSWER);
      }),
    );
  });

  it("counts the digits of page_size and pages as they will be, to the last character", () => {
    for (const [size, total] of [
      [9, 1_000_000],
      [3, 12],
      [99, 9_801],
      [2, 11],
    ] as const) {
      const empty = pageText({ items: Array.from({ length: size }, () => ""), ...frame(1, size, total) }).length;
      const spare = MAX_ANSWER - empty;
      const first = Array.from({ length: size }, (_, index) => row(2 + (index === 0 ? spare : 0)));
      expect(pageText({ items: first, ...frame(1, size, total) })).toHaveLength(MAX_ANSWER);
      const longer = [...first, row(2), row(2)];
      expect(faultOf(() => pageText({ items: longer, ...frame(1, longer.length, total) })).message).toContain(
        `at most ${size} `,
      );
    }
  });

  it("on a later page any run of that many rows at hand fits, because a smaller page begins elsewhere", () => {
    const items = [10, 10, 70_000, 10_000].map(row);
    expect(faultOf(() => pageText({ items, ...frame(1, 4, 40) })).message).toContain("at most 3");
    expect(faultOf(() => pageText({ items, ...frame(2, 4, 40) })).message).toContain("at most 1 ");
  });

  it("with a row that alone is too long ask for fewer fields", () => {
    expect(faultOf(() => pageText({ items: [row(MAX_ANSWER)], ...frame(1, 1, 1) }))).toMatchObject({
      field: "page_size",
      message: /fewer fields/,
    });
  });

  it("with sources that alone are too long ask for fewer bank connections", () => {
    const rest = { ...frame(1, 1, 1), sources: row(MAX_ANSWER) };
    expect(faultOf(() => pageTextOf("[]", rest, MAX_ANSWER)).field).toBe("credentials_token");
  });

  it("with totals that alone are too long ask for fewer groups", () => {
    const rest = { ...frame(1, 1, 1), totals: row(MAX_ANSWER), sources: [] };
    expect(faultOf(() => pageTextOf("[]", rest, MAX_ANSWER)).field).toBe("totals_by");
  });
});
