import { expect, it, vi } from "vitest";
import { call } from "../api/call.js";
import { allPeople } from "./people.js";

vi.mock(import("../api/call.js"), () => ({ call: vi.fn() }));

it("[C-14.962] people to choose from are fetched page by page, and of endless pages 20", async () => {
  const pages = (last: number) =>
    vi.mocked(call).mockImplementation((async (_path: string, body: { page_token: string | null }) => {
      const page = Number(body.page_token ?? 0);
      return { items: [{ name: `person ${page}` }], next_page_token: page === last ? null : String(page + 1) };
    }) as never);
  pages(1);
  expect((await allPeople({})).map(({ name }) => name)).toEqual(["person 0", "person 1"]);
  pages(Number.POSITIVE_INFINITY);
  expect(await allPeople({ ended: true })).toHaveLength(20);
});
