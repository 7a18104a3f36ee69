import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, startConsole } from "./console.js";

const TENANT = "00000000-0000-4000-8000-000000000001";
const started = await startConsole();
afterAll(() => started.close());

const view = { search: { status: "Signed", order: "oldest" }, columns: { "letters name,created": ["created"] } };
const saved = (name: string, change: object = {}) => ({ screen: "/letters", name, view, ...change });
const list = async ({ post }: Browser, screen = "/letters") => (await post("/views/list", { screen })).body.items;

let ada: Awaited<ReturnType<typeof started.joined>>;
beforeAll(async () => {
  ada = await started.joined();
});

it("[C-14.958] a person saves, replaces and removes views of a list, whatever their role; another person has none of them", async () => {
  const reader = await started.joined({ email: "mia@example.com", role: "read", tenantId: TENANT as never });
  const colleague = await started.joined({ email: "otto@example.com" });
  for (const { browser } of [ada, reader]) {
    expect((await browser.post("/views/save", saved("  Signed "))).status).toBe(200);
    expect((await browser.post("/views/save", saved("Feeds", { screen: "/feeds?tab=taken" }))).status).toBe(200);
    expect(await list(browser)).toEqual([{ name: "Signed", view }]);
    const columns = { search: {}, columns: {} };
    await browser.post("/views/save", saved("Signed", { view: columns }));
    expect(await list(browser)).toEqual([{ name: "Signed", view: columns }]);
  }
  expect(await list(colleague.browser)).toEqual([]);
  expect((await colleague.browser.post("/views/remove", { screen: "/letters", name: "Signed" })).status).toBe(200);
  expect(await list(ada.browser)).toHaveLength(1);
  await ada.browser.post("/views/remove", { screen: "/letters", name: "Signed" });
  expect([await list(ada.browser), await list(ada.browser, "/feeds?tab=taken")]).toEqual([
    [],
    [{ name: "Feeds", view }],
  ]);
  expect(await list(reader.browser)).toHaveLength(1);
});

it.each([
  ["name", saved(" ")],
  ["name", saved("n".repeat(61))],
  ["name", saved("a\0b")],
  ["screen", saved("Signed", { screen: "letters" })],
  ["screen", saved("Signed", { screen: `/${"s".repeat(200)}` })],
  ["view.search.status", saved("Signed", { view: { ...view, search: { status: 1 } } })],
  ["view.search.status", saved("Signed", { view: { ...view, search: { status: "\ud800" } } })],
  ["view.columns", saved("Signed", { view: { search: {} } })],
  [
    "view",
    saved("Signed", {
      view: { ...view, search: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [n, "é".repeat(450)])) },
    }),
  ],
  ["person_id", saved("Signed", { person_id: TENANT })],
])("[C-14.959] bad input is refused naming %s, and nothing is saved", async (field, body) => {
  const { status, body: answer } = await ada.browser.post("/views/save", body);
  expect([status, answer.error.details.map((each: { field: string }) => each.field)]).toEqual([400, [field]]);
  expect(await list(ada.browser)).toEqual([]);
});

it("[C-14.959] a person has fifty views at most, over all lists", async () => {
  const { browser } = await started.joined({ email: "bea@example.com" });
  for (let number = 0; number < 50; number += 1)
    expect((await browser.post("/views/save", saved(`${number}`, { screen: `/${number % 2}` }))).status).toBe(200);
  const { status, body } = await browser.post("/views/save", saved("51"));
  expect([status, body.error.code, body.error.details]).toEqual([
    429,
    "RATE_LIMITED",
    [{ limit: "views", value: 50, ends_at: null }],
  ]);
  expect((await browser.post("/views/save", saved("0", { screen: "/0" }))).status).toBe(200);
});
