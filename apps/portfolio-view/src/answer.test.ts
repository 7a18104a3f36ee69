import { describe, expect, it } from "vitest";
import {
  type Answer,
  bankRequest,
  isWhole,
  pageRequest,
  readResult,
  singleSource,
  unnamedConnections,
} from "./answer.js";
import { mergeSources } from "./reading.js";

const item = {
  id: "1",
  name: "Fund",
  balance: "10.50",
  currency: "EUR",
  refAccount: "A1",
  type: "F",
  credentials_token: "c1",
};
const source = { credentials_token: "c1", bank: "Banco", as_of: "2026-03-01T08:00:00Z", state: "ok" };
const content = {
  items: [item],
  page: 1,
  page_size: 50,
  pages: 1,
  total: 1,
  snapshot: "r1",
  totals: [{ currency: "EUR", balance: "10.50" }],
  sources: [source],
  source_counts: { ok: 1, pending: 0, stale: 0, error: 0 },
};
const stale = { ...source, credentials_token: "c2", state: "stale", message: "old" };
const counts = (ok: number, others: number) => ({ source_counts: { ok, pending: 0, stale: others, error: 0 } });
const text = (document: unknown) => [{ type: "text", text: JSON.stringify(document) }];
const refusal = { error: { code: "VALIDATION_ERROR", message: "page: is 0", details: [{ field: "page" }] } };

describe("a tool's result", () => {
  it.each([
    ["structured", { content: [], structuredContent: content }],
    ["as text only", { content: text(content) }],
  ])("is read: %s", (_, result) => {
    expect(readResult(result)).toMatchObject({ rows: [{ ...item, isin: null }], total: 1, snapshot: "r1" });
  });

  it.each([
    ["a refusal, which says what is wrong", { isError: true, content: text(refusal) }, { refusal: "page: is 0" }],
    ["an error in plain words", { isError: true, content: [{ type: "text", text: "Denied" }] }, { refusal: "Denied" }],
    ["an error without words", { isError: true, content: [] }, { refusal: "" }],
    ["no answer of ours", { content: text({ ok: true }) }, null],
    ["no JSON", { content: [{ type: "text", text: "hello" }] }, null],
    ["nothing", null, null],
  ])("may be %s", (_, result, expected) => {
    expect(readResult(result)).toEqual(expected);
  });

  it("of strange members is read as if they were not there, and a state that is not known is no good one", () => {
    const strange = {
      ...content,
      items: [{ ...item, balance: 10.5, name: { toString: "x" } }, "row"],
      totals: [
        { currency: "EUR", balance: "1e5" },
        { currency: 5, balance: "1" },
      ],
      sources: [{ ...source, state: "splendid", as_of: 7 }],
      total: -1,
    };
    expect(readResult({ structuredContent: strange })).toMatchObject({
      rows: [{ balance: null, name: null, currency: "EUR" }],
      totals: [],
      total: 0,
      sources: [{ state: "error", as_of: null }],
    });
  });
});

describe("an answer is whole", () => {
  const { credentials_token: _, ...anonymous } = item;
  it.each([
    ["with all rows and fields", content, true],
    ["of one bank that is told of, without saying so in its rows", { ...content, items: [anonymous] }, true],
    ["not of one bank that is not told of", { ...content, items: [anonymous], sources: [] }, false],
    [
      "not of two banks without saying which",
      { ...content, items: [anonymous], sources: [stale], ...counts(1, 1) },
      false,
    ],
    ["not with rows missing", { ...content, total: 2, pages: 2 }, false],
    ["not with fields left out", { ...content, items: [{ name: "Fund" }] }, false],
    ["with nothing that matches", { ...content, items: [], total: 0, pages: 0 }, true],
  ])("%s", (_, structuredContent, expected) => {
    const result = { structuredContent };
    expect(isWhole("svc-portfolios", result, readResult(result) as Answer)).toBe(expected);
  });
});

it("[C-4.20] banks that are up to date are asked for by name, since the server tells only of the others", () => {
  const items = [item, { ...item, id: "2" }, { ...item, id: "3", credentials_token: "c2" }];
  const answer = readResult({ structuredContent: { ...content, items, sources: [stale], ...counts(7, 1) } }) as Answer;
  expect([answer.connections, answer.upToDate, singleSource(answer)]).toEqual([8, 7, undefined]);
  expect(unnamedConnections(answer)).toEqual(["c1"]);
  expect(bankRequest(["c1"], "r1")).toEqual({
    credentials_token: ["c1"],
    page: 1,
    page_size: 1,
    fields: ["id"],
    snapshot: "r1",
  });
  const told = {
    ...answer,
    sources: mergeSources(answer.sources, [{ ...answer.sources[0], credentials_token: "c1" }] as never),
  };
  expect(told.sources.map(({ credentials_token }) => credentials_token)).toEqual(["c2", "c1"]);
  expect(unnamedConnections(told)).toEqual([]);
});

it("of a server that does not count them all connections are listed", () => {
  const { source_counts: _, ...older } = content;
  expect(readResult({ structuredContent: { ...older, sources: [source, stale] } })).toMatchObject({
    connections: 2,
    upToDate: 1,
  });
});

it("[C-4.120] totals that the model had divided are added up by currency", () => {
  const totals = [
    { currency: "EUR", type: "F", balance: "10.50", rows: 1 },
    { currency: "EUR", type: "VI", balance: "0.25", rows: 1 },
    { currency: "USD", type: "VI", balance: null, rows: 1 },
    { currency: "CHF", type: "F", balance: "3", rows: 1 },
  ];
  expect(readResult({ structuredContent: { ...content, totals } })).toMatchObject({
    totals: [
      { currency: "EUR", balance: "10.75" },
      { currency: "CHF", balance: "3" },
    ],
  });
});

it("the next page is of the same query and the same state of the data, with all fields", () => {
  const sums = { totals_by: "type", totals_only: true };
  const args = { currency: "EUR", fields: ["name"], page: 7, page_size: 1, snapshot: "old", min_balance: "1", ...sums };
  const page = { currency: "EUR", min_balance: "1", page: 2, page_size: 100, include_source_token: true };
  expect(pageRequest(args, 2, "r1")).toEqual({ ...page, snapshot: "r1" });
  expect(pageRequest(args, 2, null)).toEqual(page);
});
