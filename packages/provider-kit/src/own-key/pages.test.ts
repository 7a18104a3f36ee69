import { expect, it } from "vitest";
import type { KeyReading } from "./own-key-provider.js";
import { pagesOfLists, type ReadPage } from "./pages-of-lists.js";
import { pagesToEnd } from "./pages-to-end.js";

const reading = {} as KeyReading;
const from = "2026-03-02";

/** A list of so many pages that notes what it is asked. */
function listOf(pages: number, asked: unknown[], name: string): ReadPage {
  return async (_, position) => {
    asked.push([name, position.at, position.from]);
    const number = Number(position.at?.split(" ")[1] ?? 1);
    return { rows: [], next: number < pages ? `page ${number + 1}` : null };
  };
}

it("[C-5.204] several lists are one history: each is read to its end, by positions of its own, before the next begins", async () => {
  const asked: unknown[] = [];
  const page = pagesOfLists({ trades: listOf(2, asked, "trades"), trade: listOf(1, asked, "trade") });
  const positions: (string | null)[] = [];
  for (let at: string | null = null; ; ) {
    const { next } = await page(reading, { at, from });
    positions.push(next);
    if (next === null) break;
    at = next;
  }
  expect(positions).toEqual(["trades page 2", "trade", null]);
  expect(asked).toEqual([
    ["trades", null, from],
    ["trades", "page 2", from],
    ["trade", null, from],
  ]);
});

it("[C-5.204] a position of a list that is no longer read begins the history again", async () => {
  const asked: unknown[] = [];
  await pagesOfLists({ trades: listOf(1, asked, "trades") })(reading, { at: "orders page 9", from });
  expect(asked).toEqual([["trades", null, from]]);
});

it("[C-5.205] a list is read page by page to its end; one that names a page again, or another one for ever, is refused", async () => {
  const read = async (nextOf: (at: string | null) => string | null) => {
    const pages: (string | null)[] = [];
    for await (const { at } of pagesToEnd("positions", async (at) => ({ at, next: nextOf(at) }))) pages.push(at);
    return pages;
  };
  expect(await read((at) => (at === null ? "b" : at === "b" ? "c" : null))).toEqual([null, "b", "c"]);
  await expect(read((at) => (at === "b" ? "c" : "b"))).rejects.toThrow("the pages of positions do not end");
  await expect(read((at) => `${at}a`)).rejects.toThrow("the pages of positions do not end");
});
