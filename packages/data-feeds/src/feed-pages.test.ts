import type { PageHere, TenantStores, Uuid } from "@org/core";
import { MAX_FEED_BYTES, type ReadFeed, type StatementPage } from "@org/provider-kit";
import { expect, it } from "vitest";
import { storePages } from "./feed-pages.js";

const page: StatementPage = { statement: "a", number: 2, is_last: true, place: "line 1", text: "the page" };
const file = { name: null, read: { pages: [page] } as unknown as ReadFeed };
const here = (number: number, more: Partial<PageHere> = {}) => ({
  statement: "a",
  number,
  is_last: number === 2,
  bytes: 8,
  ...more,
});

/** Keeps one page while `pages` are there; `asked` lists the statements whose texts were read. */
async function kept(pages: readonly PageHere[], others: { readonly pages?: number; readonly bytes?: number } = {}) {
  const asked: string[] = [];
  const total = pages.reduce((sum, { bytes }) => sum + bytes, 0);
  const feedPages = {
    keep: async () => ({
      here: pages,
      kept: { pages: pages.length + (others.pages ?? 0), bytes: total + (others.bytes ?? 0) },
    }),
    async of(_: Uuid, statement: string) {
      asked.push(statement);
      return { pages: [page], arrival: 1 };
    },
  };
  const stores = { feedPages } as unknown as TenantStores;
  const { whole } = await storePages(stores, "c" as Uuid, [file], { now: new Date(0), arrival: 1 });
  return { asked, whole };
}

it("what waiting pages hold is not read before the last one has come", async () => {
  expect(await kept([here(2)])).toEqual({ asked: [], whole: [] });
  expect(await kept([here(1), here(2)])).toEqual({ asked: ["a"], whole: [page] });
});

it("pages that wait are bounded, of a statement and of a connection; those of statements that are whole wait no longer", async () => {
  const refused = { code: "VALIDATION_ERROR", details: [{ field: "file" }] };
  await expect(kept([here(1, { bytes: MAX_FEED_BYTES }), here(2)])).rejects.toMatchObject(refused);
  await expect(kept([here(2)], { pages: 10_000 })).rejects.toMatchObject(refused);
  await expect(kept([here(2)], { bytes: 4 * MAX_FEED_BYTES })).rejects.toMatchObject(refused);
  expect((await kept([here(1), here(2)], { pages: 10_000, bytes: 4 * MAX_FEED_BYTES })).whole).toHaveLength(1);
});
