import { type BankProvider, createPace, type FetchRequest, type FetchResult, type HttpClient } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import trading212 from "@org/provider-trading212";
import { beforeEach, describe, expect, it } from "vitest";

const ROOT = "/api/v0/equity";
const SIZE = 50;
const start = Date.parse("2026-03-02T09:00:00.000Z");
const minutes = (count: number) => new Date(start - count * 60_000).toISOString();

/** An institution whose lists are these rows, newest first, and whose time passes only while somebody waits. */
let lists: Record<"transactions" | "dividends" | "orders", readonly object[]>;
let positions: readonly object[];
let asked: string[];
let now: number;
beforeEach(() => {
  lists = { transactions: [], dividends: [], orders: [] };
  [positions, asked, now] = [[], [], start];
});
const clock = () => new Date(now);
const sleep = async (milliseconds: number) => {
  now += milliseconds;
};
const http = {
  async request({ url }: { url: URL }) {
    const { pathname, searchParams } = url;
    asked.push(`${pathname.slice(ROOT.length)}${url.search}`);
    now += 100;
    const found = /\/history\/(\w+)$/.exec(pathname)?.[1] as keyof typeof lists | undefined;
    return { status: 200, headers: {}, retry_after_seconds: null, body: found ? page(found) : bodies(pathname) };

    function page(name: keyof typeof lists) {
      const at = Number(searchParams.get("cursor") ?? 0);
      const items = lists[name].slice(at, at + SIZE);
      const isLast = at + SIZE >= lists[name].length;
      return { items, nextPagePath: isLast ? null : `${pathname}?limit=50&cursor=${at + SIZE}` };
    }
  },
} as unknown as HttpClient;
function bodies(pathname: string): unknown {
  if (pathname === `${ROOT}/account/summary`) return { id: "7", currency: "GBP", totalValue: "10", cash: null };
  if (pathname === `${ROOT}/positions`) return positions;
  return [{ ticker: "A_EQ", type: "STOCK", shortName: "A" }];
}

/** What all replicas share. */
const pace = () => createPace({ clock, sleep });
async function replica(shared = pace()): Promise<BankProvider> {
  const log = { info() {}, warn() {} };
  const random = (bytes: number) => new Uint8Array(bytes);
  const settings = trading212.settings.parse({});
  return {
    name: "trading212",
    ...(await trading212.create({ settings, http, clock, sleep, pace: shared, random, log })),
  };
}
const requests = requestsFor("gbr:trading212", "live");
const access = { key: { api_key: "key", api_secret: "secret" }, user_key: "7" };

/** Fetches until the history has been read, each time on another replica. */
async function fetchAll(more: Partial<FetchRequest> = {}): Promise<readonly FetchResult[]> {
  const shared = pace();
  const results: FetchResult[] = [];
  for (let pending_state: unknown = null; ; ) {
    const result = await (await replica(shared)).fetch(requests.fetch(access, { ...more, pending_state }));
    results.push(result);
    const wait = result.throttled?.retry_after ?? (result.snapshot && result.more?.retry_after);
    if (wait === undefined) return results;
    pending_state = (result.snapshot && result.more?.state) ?? pending_state;
    now += wait * 1_000;
  }
}
const rowsIn = (results: readonly FetchResult[]) => results.flatMap(({ snapshot }) => snapshot?.transactions ?? []);

const instrument = { ticker: "A_EQ", name: "Ash", isin: "GB0008706128", currency: "GBX" };
const order = { id: "1", status: "FILLED", side: "BUY", ticker: "A_EQ", instrument, createdAt: minutes(0) };
const fill = {
  id: "1",
  type: "TRADE",
  quantity: "2",
  price: "150",
  filledAt: minutes(0),
  walletImpact: { currency: "GBP", netValue: "3.02", taxes: [] },
};
const filled = (id: number) => ({ order, fill: { ...fill, id: String(id), filledAt: minutes(id) } });
const deposit = (id: number) => ({
  reference: `d${id}`,
  type: "DEPOSIT",
  amount: "5",
  currency: "GBP",
  dateTime: minutes(id * 60),
});

describe("[C-5.176] the history of Trading 212", () => {
  it.each([true, false])(
    "of 25,000 rows is read to its end at its limits, each page once, across replicas (awaited: %s)",
    async (awaited) => {
      lists.orders = Array.from({ length: 24_800 }, (_, id) => filled(id));
      lists.transactions = Array.from({ length: 150 }, (_, id) => deposit(id));
      lists.dividends = Array.from({ length: 50 }, (_, id) => ({
        reference: `v${id}`,
        ticker: "A_EQ",
        amount: "1",
        currency: "GBP",
        paidOn: minutes(id * 90),
      }));
      const results = await fetchAll({ awaited });
      expect(results[0]?.snapshot?.portfolios).toMatchObject([{ key: "7" }]);
      const keys = rowsIn(results).map(({ key }) => key);
      expect([keys.length, new Set(keys).size]).toEqual([25_000, 25_000]);
      const pages = asked.filter((path) => path.startsWith("/history/"));
      expect([pages.length, new Set(pages).size]).toEqual([500, 500]);
      // The account was read at the start alone, and 496 pages of orders take 82 windows of a minute.
      expect(asked.filter((path) => path === "/account/summary")).toHaveLength(1);
      expect(now - start).toBeGreaterThan(82 * 60_000);
      expect(now - start).toBeLessThan(90 * 60_000);
    },
  );

  it("is read again from a week before what is known: no page further than the first that is older as a whole", async () => {
    lists.transactions = Array.from({ length: 1_000 }, (_, id) => deposit(id));
    const results = await fetchAll({ since: new Date(start - 86_400_000) });
    // 24 deposits a day, from 2026-02-22.
    expect(rowsIn(results)).toHaveLength(9 + 8 * 24 + 1);
    expect(asked.filter((path) => path.startsWith("/history/transactions"))).toHaveLength(6);
    expect(asked.slice(-2)).toEqual(["/history/dividends?limit=50", "/history/orders?limit=50"]);
  });

  it("does not follow a next page to another address", async () => {
    const next = { reference: "x", items: [], nextPagePath: `${ROOT}/orders?limit=50` };
    lists.transactions = [];
    const leading = {
      request: async (request: { url: URL }) => ({
        ...(await http.request(request as never)),
        ...(request.url.pathname.endsWith("transactions") && { body: next }),
      }),
    };
    const given = {
      settings: trading212.settings.parse({}),
      clock,
      sleep,
      pace: pace(),
      random: (bytes: number) => new Uint8Array(bytes),
    };
    const provider = await trading212.create({
      ...given,
      http: leading as unknown as HttpClient,
      log: { info() {}, warn() {} },
    });
    const first = await provider.fetch(requests.fetch(access));
    expect(
      await provider.fetch(requests.fetch(access, { pending_state: first.snapshot && first.more?.state })),
    ).toEqual({ failed: { message: "the next page of a list is at another address" } });
  });
});

it.each<[string, object, object | null]>([
  [
    "what is filled before an order is cancelled",
    { order: { ...order, status: "CANCELLED" }, fill },
    { kind: "buy", amount: "2", balance: "-3.02", unit_price: "1.50" },
  ],
  ["a cancelled order", { order: { ...order, status: "CANCELLED" }, fill: null }, null],
  ["a rejected order", { order: { ...order, status: "REJECTED" } }, null],
  ["a replaced order", { order: { ...order, status: "REPLACED" } }, null],
  [
    "a sale whose quantity is positive",
    { order: { ...order, side: "SELL" }, fill },
    { kind: "sell", amount: "-2", balance: "3.02", description: "Sell Ash" },
  ],
  [
    "a sale whose quantity and value are negative",
    {
      order: { ...order, side: "SELL" },
      fill: { ...fill, quantity: "-2", walletImpact: { currency: "GBP", netValue: "-3.02" } },
    },
    { kind: "sell", amount: "-2", balance: "3.02" },
  ],
  [
    "a filled order of which no fill is told",
    { order: { ...order, filledQuantity: "2" } },
    { key: "order:1", kind: "buy", amount: "2", balance: null, unit_price: null },
  ],
  [
    "shares delivered free of payment",
    { order: { ...order, side: "SELL" }, fill: { ...fill, type: "FOP" } },
    { kind: "transfer_out", amount: "-2", balance: null },
  ],
  [
    "a fill of a type that is added later",
    { order, fill: { ...fill, type: "NEW_TYPE" } },
    { kind: "other", description: "NEW_TYPE Ash", amount: "2", balance: "-3.02" },
  ],
  [
    "charges in part in another currency",
    {
      order,
      fill: {
        ...fill,
        walletImpact: { ...fill.walletImpact, taxes: [{ name: "FINRA_FEE", quantity: "1", currency: "USD" }] },
      },
    },
    { balance: "-3.02" },
  ],
])("[C-5.175] Trading 212's orders: %s", async (_, row, expected) => {
  lists.orders = [row];
  const found = rowsIn(await fetchAll());
  if (expected === null) expect(found).toEqual([]);
  else
    expect(found).toMatchObject([{ currency: "GBP", holding_key: "A_EQ", operation_date: "2026-03-02", ...expected }]);
  expect(found[0]?.fees).toBeUndefined();
});

it("[C-5.177] the list of instruments is read by an instance once a day, and for a ticker that is not on it once an hour", async () => {
  const reads = () => asked.filter((path) => path === "/metadata/instruments").length;
  const shared = pace();
  const provider = await replica(shared);
  const held = async (...tickers: string[]) => {
    positions = tickers.map((ticker) => ({
      instrument: { ...instrument, ticker },
      quantity: "1",
      currentPrice: "150",
    }));
    now += 120_000;
    const { snapshot } = await provider.fetch(requests.fetch(access));
    return snapshot?.holdings?.map(({ type, price, price_currency }) => [type, price, price_currency]);
  };
  expect(await held()).toEqual([]);
  expect(reads()).toBe(0);
  expect(await held("A_EQ")).toEqual([["VI", "1.50", "GBP"]]);
  await held("A_EQ");
  expect((await held("A_EQ", "B_EQ"))?.map(([type]) => type)).toEqual(["VI", "O"]);
  expect(reads()).toBe(1);
  now += 3_600_000;
  await held("A_EQ", "B_EQ");
  expect(reads()).toBe(2);
  now += 23 * 3_600_000;
  await held("A_EQ");
  expect(reads()).toBe(2);
  now += 3_600_000;
  await held("A_EQ");
  expect(reads()).toBe(3);
});
