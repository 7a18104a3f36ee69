import { describe, expect, it } from "vitest";
import {
  type Chain,
  EMPTY_CHAIN,
  MAX_ROWS,
  nextPage,
  pageRequestAt,
  placesIn,
  rowsOf,
  withAnswer,
  withNext,
  withPage,
} from "./page-chain.js";

it.each([
  [{ next_page_token: "t" }, { page_token: "t" }],
  [{ next_page_token: null }, undefined],
  [{ page: 1, pages: 2 }, { page: 2 }],
  [{ page: 2, pages: 2 }, undefined],
  [{ items: [] }, undefined],
])("behind the page %j comes %j", (page, expected) => {
  expect(nextPage(page)).toEqual(expected);
});

const items = (rows: number) => new Array(rows).fill({});
const by = (page_token: string) => ({ page_token });

describe("[C-14.125] a list whose pages have no numbers", () => {
  const page = (rows: number, next: string | null) => ({ items: items(rows), next_page_token: next });

  /** Three pages, the last one with 50 rows. */
  function threePages(): Chain {
    let chain = withNext(withAnswer(EMPTY_CHAIN, 0, {}, page(100, "b"), 1));
    chain = withNext(withAnswer(chain, 1, by("b"), page(100, "c"), 1));
    return withAnswer(chain, 2, by("c"), page(50, null), 1);
  }

  it("grows by the page behind its last one, up to its end", () => {
    const chain = threePages();
    expect(rowsOf(chain)).toBe(250);
    expect(withNext(chain)).toBe(chain);
  });

  it.each([
    ["at the top", { first: 0, last: 40 }, [0]],
    ["over a border", { first: 90, last: 130 }, [0, 1]],
    ["in the middle", { first: 120, last: 160 }, [1]],
    ["beyond an end that has come nearer", { first: 900, last: 940 }, [2]],
  ])("asks for the pages that are looked at: %s", (_, view, places) => {
    expect(placesIn(threePages(), view)).toEqual(places);
  });

  it("asks for a page that was never there wherever one looks", () => {
    const chain = withNext(withAnswer(EMPTY_CHAIN, 0, {}, page(100, "b"), 1));
    expect(placesIn(chain, { first: 0, last: 40 })).toEqual([0, 1]);
  });

  it("stays as it is when an answer says nothing new", () => {
    const chain = threePages();
    expect(withAnswer(chain, 1, by("b"), page(100, "c"), 2)).toBe(chain);
    expect(withAnswer(chain, 2, by("c"), page(50, null), 2)).toBe(chain);
  });

  it("loses what was behind a page that ends elsewhere than before, but nobody is moved", () => {
    const cut = withAnswer(threePages(), 0, {}, page(100, "b2"), 2);
    expect(cut.pages).toEqual({
      0: { asked: {}, rows: 100, next: by("b2") },
      1: { asked: by("b2"), rows: 100, next: undefined },
    });
    expect(placesIn(cut, { first: 0, last: 40 })).toEqual([0, 1]);
    expect(withAnswer(cut, 1, by("b2"), page(100, "c2"), 2).pages[1]?.next).toEqual(by("c2"));
  });

  it("takes no answer of a page that was cut off", () => {
    const cut = withAnswer(threePages(), 0, {}, page(100, "b2"), 2);
    expect(withAnswer(cut, 1, by("b"), page(3, null), 2)).toBe(cut);
    expect(withAnswer(cut, 2, by("c"), page(3, null), 2)).toBe(cut);
  });

  it("ends where its page does when it has become shorter", () => {
    const short = withAnswer(threePages(), 1, by("b"), page(20, null), 2);
    expect([rowsOf(short), withNext(short)]).toEqual([120, short]);
  });
});

describe("[C-14.125] a list whose pages have numbers and tokens", () => {
  const page = (number: number, rows: number, next: string | null, total = 100_000) => ({
    items: items(rows),
    next_page_token: next,
    page: number,
    page_size: 100,
    pages: Math.ceil(total / 100),
    total,
  });
  const first = withAnswer(EMPTY_CHAIN, 0, {}, page(1, 100, "b"), 1);
  const far = withAnswer(withPage(first, 700, by("x")), 700, by("x"), page(1, 100, "y"), 2);

  it("is as long as the server says before its rows are there", () => {
    expect(rowsOf(first)).toBe(100_000);
    expect(rowsOf(far)).toBe(100_000);
    expect(rowsOf(withAnswer(EMPTY_CHAIN, 0, {}, page(1, 100, "b", 2_000_000), 1))).toBe(MAX_ROWS);
  });

  it("asks anywhere for the pages that are looked at, and for no others", () => {
    expect(placesIn(first, { first: 70_050, last: 70_120 })).toEqual([700, 701]);
    expect(placesIn(first, { first: 200_000, last: 200_040 })).toEqual([999]);
  });

  it("asks behind the row before, which is looked for where no page before it is known", () => {
    expect([pageRequestAt(far, 1), pageRequestAt(far, 701), pageRequestAt(far, 700)]).toEqual([
      by("b"),
      by("y"),
      by("x"),
    ]);
    expect(pageRequestAt(far, 699)).toBeNull();
  });

  it("stays as long when the pages behind one are others", () => {
    const moved = withAnswer(withPage(far, 1, by("b")), 0, {}, page(1, 100, "b2", 100_001), 3);
    expect([Object.keys(moved.pages), rowsOf(moved), pageRequestAt(moved, 1)]).toEqual([["0"], 100_001, by("b2")]);
  });

  it("is told how long it is by the newest answer", () => {
    const grown = withAnswer(far, 700, by("x"), page(1, 100, "y", 100_001), 9);
    expect(rowsOf(grown)).toBe(100_001);
    expect(rowsOf(withAnswer(grown, 0, {}, page(1, 100, "b"), 5))).toBe(100_001);
  });

  it("ends behind its last page, and anew when that has grown", () => {
    const end = withAnswer(withPage(first, 999, by("z")), 999, by("z"), page(1, 40, null), 2);
    expect(rowsOf(end)).toBe(99_940);
    expect(rowsOf(withAnswer(end, 999, by("z"), page(1, 100, "more", 100_070), 3))).toBe(100_070);
  });

  it("ends earlier when nothing is left where one looks", () => {
    const gone = withAnswer(far, 700, by("x"), page(1, 0, null, 90_000), 3);
    expect([rowsOf(gone), gone.pages[700]]).toEqual([70_000, undefined]);
    expect(placesIn(gone, { first: 70_000, last: 70_050 })).toEqual([699]);
  });
});

it("[C-14.125] pages that have numbers only go by what the first one was read in", () => {
  const page = { items: items(50), page: 1, page_size: 50, pages: 9, total: 430, snapshot: "r12" };
  const chain = withAnswer(EMPTY_CHAIN, 0, {}, page, 1);
  expect([pageRequestAt(chain, 1), pageRequestAt(chain, 6)]).toEqual([
    { page: 2, snapshot: "r12" },
    { page: 7, snapshot: "r12" },
  ]);
});
