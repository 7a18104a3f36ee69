import { expect, it } from "vitest";
import { type PageDivision, pageOf, rowsOf } from "./paging.js";
import type { Paging, RecordedList } from "./recording.js";

/** The ids of all pages, read as a provider reads them that stops at a page with fewer than `size` rows. */
function pagesRead(pages: Paging & { size: number }, division: PageDivision): readonly string[] {
  const list: RecordedList = { of: "GET /rows", rows: "", pages };
  const answer = { status: 200, headers: {}, json: ["1", "2", "3"].map((id) => ({ id })) };
  const read: string[] = [];
  for (let query = ""; read.length < 6; ) {
    const page = pageOf(answer, list, { url: new URL(`https://bank.example/rows?${query}`), division });
    const ids = rowsOf(page ?? answer, list)?.map((row) => (row as { id: string }).id) ?? [];
    read.push(ids.join(""));
    if (ids.length < pages.size) break;
    if ("last" in pages) query = `after=${ids.at(-1)}`;
    else query = "page" in pages ? `page=${read.length + 1}` : `skip=${read.join("").length}`;
  }
  return read;
}

it.each<[string, Paging & { size: number }]>([
  ["goes on after the last row", { cursor: "after", last: "/id", size: 3 }],
  ["counts pages", { page: "page", first: 1, size: 3 }],
  ["counts rows", { offset: "skip", first: 0, size: 3 }],
])("[C-5.206] a list with pages of a stated size that %s ends with a short page, or an empty one", (_, pages) => {
  expect(pagesRead(pages, "split")).toEqual(["111", "222", "3"]);
  expect(pagesRead(pages, "overlap")).toEqual(["111", "122", "233", ""]);
  expect(pagesRead(pages, "endless")).toHaveLength(6);
});
