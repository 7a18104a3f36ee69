import { describe, expect, it } from "vitest";
import { barsOf, currenciesOf, type FigureAnswer, figureReading } from "./figure.js";

const sum = (currency: string, balance: string) => ({ currency, balance });
const content = {
  date: "2026-03-03",
  totals: [sum("EUR", "310.00")],
  items: [
    { key: "F", totals: [sum("EUR", "110.00")], share: "0.354839" },
    { key: null, totals: [sum("EUR", "-10.00"), sum("USD", "7")], share: null },
    { key: "L", totals: [sum("EUR", "210.00")], share: "0.677419" },
  ],
  ...{ page: 1, page_size: 50, pages: 1, total: 3 },
  ...{ coverage: { portfolios: 3, valued: 2, carried: 0, missing: 1 }, complete: false, rates: [] },
  ...{ sources: [], source_counts: { ok: 3, pending: 0, stale: 0, error: 0 } },
};
const read = (structuredContent: object) =>
  figureReading.readResult({ content: [], structuredContent }) as FigureAnswer;

describe("an answer of a tool of figures", () => {
  it("[C-8.164] is read with what it lacks, and its bars are the largest first, or in the order of time", () => {
    const answer = read(content);
    expect(answer).toMatchObject({ date: "2026-03-03", portfolios: 3, missing: 1, total: 3, connections: 3 });
    expect(currenciesOf(answer)).toEqual(["EUR", "USD"]);
    const drawn = (isByTime: boolean) =>
      barsOf(answer.rows, "EUR", isByTime).map(({ row, length }) => [row.id, Math.round(length * 100)]);
    expect(drawn(false)).toEqual([
      ["L", 100],
      ["F", 52],
      [null, 5],
    ]);
    expect(drawn(true).map(([key]) => key)).toEqual(["F", null, "L"]);
  });

  it("[C-8.164] of strange members is read as if they were not there", () => {
    const strange = { items: [{ key: 7, totals: [sum("EUR", "much"), 1], share: "all" }], sources: "none", totals: 1 };
    expect(figureReading.readResult({ content: [], structuredContent: strange })).toBeNull();
    expect(read({ ...strange, sources: [] }).rows).toEqual([
      { id: null, totals: [], share: null, coverage: { missing: 0 }, refused: null },
    ]);
  });

  it("[C-8.164] that is refused says which rate is missing; further pages are asked for without the names of what is missing", () => {
    const details = [{ reason: "rate_missing", from: "USD", to: "JPY", date: "2026-03-03" }];
    const text = JSON.stringify({ error: { code: "INSUFFICIENT_DATA", message: "no", details } });
    expect(figureReading.readResult({ isError: true, content: [{ type: "text", text }] })).toEqual({
      refusal: "no (USD → JPY, 2026-03-03)",
    });
    expect(figureReading.pageRequest({ from: "2026-01-01", include_coverage: true, page: 7 }, 2, null, 100)).toEqual({
      ...{ from: "2026-01-01", page: 2, page_size: 100 },
    });
  });
});
