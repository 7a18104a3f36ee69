import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { HttpClient, HttpRequest } from "../http-client.js";
import { createPace } from "../pace.js";
import type { BankProvider, FetchRequest, FetchResult } from "../port.js";
import { requestsFor } from "../testing/requests.js";
import { headerAuth } from "./key-auth.js";
import { defineOwnKeyProvider } from "./own-key-provider.js";

const SIZE = 100;
const total = z.object({ total: z.string() });
const page = z.object({ rows: z.array(z.string()), next: z.string().nullable() });

const broker = defineOwnKeyProvider({
  name: "broker",
  title: "Broker",
  environments: {
    demo: {
      base_url: "https://demo.broker.example",
      connector: { id: "deu:broker-demo", name: "Demo", country: "deu" },
    },
    live: { base_url: "https://api.broker.example", connector: { id: "deu:broker", name: "Broker", country: "deu" } },
  },
  credentials: { fields: { key: { label: "Key", kind: "secret" } }, howTo: "in the settings", rights: "read" },
  auth: headerAuth({ "x-key": "key" }),
  limits: [{ every_ms: 60_000, calls: 200 }],
  who: async (calls) => `customer of ${(await calls.get("/account", total)).total}`,
  reference: {
    named: {
      keep_ms: 3_600_000,
      read: async (calls) => (await calls.get("/name", z.object({ name: z.string() }))).name,
    },
  },
  read: {
    async accounts(calls) {
      const { total: balance } = await calls.get("/account", total);
      const account = { key: "1", balance, currency: "EUR", ref_account: null, type: "S" } as const;
      return { portfolios: [{ ...account, name: await calls.reference.named() }], holdings: [] };
    },
    transactions: {
      overlap_days: 3,
      zone: "America/New_York",
      async page(calls, { at, from }) {
        const { rows, next } = await calls.get("/rows", page, { at: at ?? undefined, from: from ?? undefined });
        const row = { portfolio_key: "1", holding_key: null, operation_date: "2026-03-01", description: "Row" };
        const figures = { amount: null, balance: "1", currency: "EUR", unit_price: null };
        return { rows: rows.map((key) => ({ ...row, ...figures, key })), next };
      },
    },
  },
});

/** A broker with this many rows, whose time passes only while somebody waits. */
let rows: number;
let now: number;
let asked: string[];
let named: number;
let answers: (path: string) => { status: number; body?: unknown } | null;
const start = Date.parse("2026-03-02T04:00:00.000Z");
beforeEach(() => {
  [rows, now, asked, named, answers] = [250, start, [], 0, () => null];
});
const sleep = async (milliseconds: number) => {
  now += milliseconds;
};
const clock = () => new Date(now);
const http = {
  async request({ url, headers }: HttpRequest) {
    const { pathname, searchParams, host } = new URL(url);
    if (pathname === "/name") {
      expect(headers).toEqual({});
      named += 1;
      return { status: 200, headers: {}, retry_after_seconds: null, body: { name: "Depot" } };
    }
    asked.push(`${host}${pathname}${searchParams.size > 0 ? `?${searchParams}` : ""}`);
    now += 50;
    const given = answers(pathname);
    const plain = { status: 200, headers: {}, retry_after_seconds: null };
    if (given) return { ...plain, ...given };
    if (headers?.["x-key"] !== "good") return { ...plain, status: 401, body: null };
    if (pathname === "/account") return { ...plain, body: { total: "10.50" } };
    const at = Number(searchParams.get("at") ?? 0);
    const keys = Array.from({ length: Math.min(SIZE, rows - at) }, (_, index) => String(at + index));
    return { ...plain, body: { rows: keys, next: at + SIZE < rows ? String(at + SIZE) : null } };
  },
} as unknown as HttpClient;
/** What all replicas share. */
const pace = () => createPace({ clock, sleep });

async function replica(shared = pace()): Promise<BankProvider> {
  const log = { info() {}, warn() {} };
  const random = (bytes: number) => new Uint8Array(bytes);
  const given = { settings: broker.settings.parse({}), http, clock, sleep, pace: shared, random, log };
  return { name: "broker", ...(await broker.create(given)) };
}

const requests = requestsFor("deu:broker", "live");
const access = { key: { key: "good" }, user_key: "ada" };

/** Fetches until the history has been read, each time on another replica; returns the answers that it took. */
async function fetchAll(more: Partial<FetchRequest> = {}): Promise<FetchResult[]> {
  const shared = pace();
  const results: FetchResult[] = [];
  let pending_state: unknown = null;
  for (;;) {
    const result = await (await replica(shared)).fetch(requests.fetch(access, { ...more, pending_state }));
    results.push(result);
    const wait = result.throttled?.retry_after ?? (result.snapshot && result.more?.retry_after);
    if (wait === undefined) return results;
    pending_state = (result.snapshot && result.more?.state) ?? pending_state;
    now += wait * 1_000;
  }
}

const keysIn = (results: readonly FetchResult[]) =>
  results.flatMap((result) => result.snapshot?.transactions?.map(({ key }) => key) ?? []);

describe("[C-5.147] a provider for keys of customers", () => {
  it("has a row for each environment, and settings for their addresses alone", async () => {
    expect(
      await broker.connectors?.(broker.settings.parse({}), {
        http,
        clock: () => new Date(0),
        signal: new AbortController().signal,
      }),
    ).toEqual([
      { id: "deu:broker-demo", name: "Demo", country: "deu", provider_ref: "demo" },
      { id: "deu:broker", name: "Broker", country: "deu", provider_ref: "live" },
    ]);
    const replaced = { base_urls: { demo: "http://127.0.0.1:80/v1/" } };
    expect(broker.settings.parse(replaced)).toEqual({
      base_urls: { demo: "http://127.0.0.1:80/v1", live: "https://api.broker.example" },
    });
    for (const wrong of [{ base_urls: { other: "https://a.example" } }, { base_urls: { live: "http://a.example" } }])
      expect(broker.settings.safeParse(wrong).success).toBe(false);
  });

  it("asks for the key, says where it is made, and calls the environment of the row", async () => {
    const provider = await replica();
    expect(provider.credentialFields?.({ connector_id: "deu:broker", provider_ref: "live" })).toEqual([
      { name: "key", label: "Key", kind: "secret", autocomplete: "off" },
    ]);
    expect(provider.terms?.({ connector_id: "deu:broker", provider_ref: "live" })).toEqual({
      rights: "read",
      howTo: "in the settings",
    });
    expect(await provider.login(requests.login({ key: " good " }))).toMatchObject({
      kind: "authenticated",
      user_key: "customer of 10.50",
      user_key_is_final: true,
      access: { key: { key: "good" } },
    });
    expect(await provider.login(requests.login({ key: "bad" }))).toEqual({ kind: "rejected" });
    expect(await provider.login(requests.login({ key: " " }))).toEqual({ kind: "rejected" });
    await provider.login(requestsFor("deu:broker-demo", "demo").login({ key: "good" }));
    expect(asked).toEqual(["api.broker.example/account", "api.broker.example/account", "demo.broker.example/account"]);
    await expect(async () => provider.login(requestsFor("deu:x", "other").login({ key: "good" }))).rejects.toThrow(
      "has no environment for this row",
    );
  });

  it("[C-5.159] reads what is the same for all customers once, without a key, and again when it is too old", async () => {
    const provider = await replica();
    for (const wait of [0, 3_599_000, 3_600_000]) {
      now = start + wait;
      const { snapshot } = await provider.fetch(requests.fetch(access, { refresh: true }));
      expect(snapshot?.portfolios).toMatchObject([{ name: "Depot" }]);
    }
    expect(named).toBe(2);
  });

  it("reads from some days before what is known, by the institution's days", async () => {
    await fetchAll({ since: new Date("2026-03-01T04:00:00.000Z") });
    expect(asked[1]).toBe("api.broker.example/rows?from=2026-02-25");
  });
});

describe("[C-5.151] a history that is too long for one fetch", () => {
  it("of 25,000 rows, at 200 calls a minute, is read to its end: each page once, with the accounts at once", async () => {
    rows = 25_000;
    const results = await fetchAll({ refresh: true, awaited: false });
    expect(results[0]?.snapshot?.portfolios).toMatchObject([{ balance: "10.50" }]);
    expect(results.length).toBeGreaterThan(2);
    for (const { snapshot } of results.slice(1).filter((result) => result.snapshot))
      expect(snapshot).toMatchObject({ as_of: new Date(start), portfolios: null, holdings: null });
    const keys = keysIn(results);
    expect([keys.length, new Set(keys).size]).toEqual([25_000, 25_000]);
    expect(asked).toHaveLength(1 + 250);
    // 251 calls are two windows of a minute.
    expect(now - start).toBeGreaterThan(60_000);
    expect(now - start).toBeLessThan(180_000);
  });

  it("keeps what was read before a page that failed, and begins with that page", async () => {
    let failing = 1;
    answers = (path) => (path === "/rows" && asked.length === 3 && failing-- > 0 ? { status: 500 } : null);
    expect(keysIn(await fetchAll())).toHaveLength(250);
    expect(asked.slice(1).map((path) => path.split("?")[1])).toEqual([undefined, "at=100", "at=100", "at=200"]);
  });

  it("fails as a whole if its first page fails, and is refused as a whole", async () => {
    answers = (path) => (path === "/rows" ? { status: 500 } : null);
    await expect(fetchAll()).rejects.toThrow("answered 500");
    answers = (path) => (path === "/rows" && asked.length > 5 ? { status: 401 } : null);
    asked = [];
    rows = 2_000;
    expect((await fetchAll()).at(-1)).toEqual({ refused: "rejected" });
  });

  it.each<[string, { status: number; body?: unknown }, RegExp]>([
    ["a status that means nothing else", { status: 400 }, /^GET [\w.]+\/rows answered 400$/],
    ["rows in another shape", { status: 200, body: { rows: 7 } }, /\/rows answered what cannot be read: rows invalid/],
  ])("[C-5.300] answers that it failed for this customer: %s", async (_, answer, message) => {
    answers = (path) => (path === "/rows" ? answer : null);
    expect(await fetchAll()).toEqual([{ failed: { message: expect.stringMatching(message) } }]);
  });

  it("gives accounts where the institution lets nobody at its first page, and is throttled at a later one", async () => {
    answers = (path) => (path === "/rows" && asked.length <= 3 ? { status: 429 } : null);
    const [first, second, ...others] = await fetchAll();
    expect(first).toMatchObject({
      snapshot: { portfolios: [{ key: "1" }], transactions: null },
      more: { retry_after: 60 },
    });
    expect(second).toEqual({ throttled: { retry_after: 60 } });
    expect(keysIn(others)).toHaveLength(250);
  });

  it("[C-5.178] of a read that is stopped brings no part, and no key of pace shows the customer's key", async () => {
    const stopping = new AbortController();
    answers = () => {
      if (asked.length === 3) stopping.abort(new Error("stopped"));
      stopping.signal.throwIfAborted();
      return null;
    };
    const keys: string[] = [];
    const shared = pace();
    const provider = await replica((key, ...rest) => {
      keys.push(key);
      return shared(key, ...rest);
    });
    await expect(provider.fetch(requests.fetch(access, { signal: stopping.signal }))).rejects.toThrow("stopped");
    expect(asked).toHaveLength(3);
    expect(keys.join()).not.toContain("good");
  });

  it("of an institution that names the same page again is a failure, not a circle", async () => {
    answers = (path) => (path === "/rows" ? { status: 200, body: { rows: ["1"], next: "7" } } : null);
    expect(await fetchAll()).toEqual([{ failed: { message: "the institution names the same page as the next one" } }]);
  });
});

it("[C-5.202] a key that customers would see while they type it is refused when the provider is defined", () => {
  const define = (kind?: "secret") =>
    defineOwnKeyProvider({
      name: "open",
      title: "Open",
      environments: {},
      credentials: { fields: { key: { label: "Key", ...(kind && { kind }) } }, howTo: "anywhere", rights: "read" },
      auth: headerAuth({ "x-key": "key" }),
      who: async () => "ada",
      read: { accounts: async () => ({ portfolios: null, holdings: null }) },
    });
  expect(() => define()).toThrow('open: credentials.fields has no field of kind "secret"');
  expect(define("secret").name).toBe("open");
});
