import type { Storage } from "@org/core";
import { addDecimals } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import type { ReadFeed, SnapshotData } from "@org/provider-kit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createDataFeeds } from "../data-feeds.js";
import { createFeedAccounts } from "../feed-accounts.js";
import { createFeedDifferences } from "../feed-differences.js";
import { readPart, sha256Of } from "../feed-parts.js";

const { holdingQuery, newId, newTenant, portfolioQuery, transactionQuery } = samples;

/** Cases in which cash and depot come in separate files and are one portfolio. */
export function accountViewCases(storage: () => Storage): void {
  it("[C-9.160] a cash account that is linked to a depot is shown in its portfolio, each part as of its own day", async () => {
    const { send, link, shown } = await feedOf(storage());
    await send(cash({ day: 2, balance: "10.50" }));
    expect(await shown()).toEqual({ "C1 CHF": { balance: "10.50", holdings: ["C1 10.50 2026-02-02"] } });
    await link("c-1", "D1");
    expect(await shown()).toEqual({ "C1 CHF": { balance: "10.50", holdings: ["C1 10.50 2026-02-02"] } });
    await send(depot({ day: 1, balance: "100" }));
    const both = { balance: "110.50", holdings: ["C1 10.50 2026-02-02", "D1 100 2026-02-01"] };
    expect(await shown()).toEqual({ "D1 CHF": both });
    expect(await send(cash({ day: 1, balance: "7" }))).toMatchObject({ warnings: [{ place: "file" }] });
    expect(await shown()).toEqual({ "D1 CHF": both });
    await send(depot({ day: 3, balance: "200.25" }));
    expect(await shown()).toEqual({
      "D1 CHF": { balance: "210.75", holdings: ["C1 10.50 2026-02-02", "D1 200.25 2026-02-03"] },
    });
  });

  it("[C-9.161] a link made later moves what is known at once, and taking it back gives back two portfolios with the same ids", async () => {
    const { send, link, unlink, shown, ids, movements } = await feedOf(storage());
    await send(depot({ day: 1, balance: "100" }));
    await send(cash({ day: 1, balance: "5", movements: 2 }));
    const [before, held] = [await shown(), await ids()];
    expect(Object.keys(before)).toEqual(["C1 CHF", "D1 CHF"]);
    expect(await link("C1", "D1")).toMatchObject({
      accounts: [
        { number: "C1", is_cash: true, shown_in: "D1" },
        { number: "D1", is_cash: false, shown_in: null },
      ],
      links: [{ account: "C1", portfolio: "D1", origin: "operator", in_force: true }],
    });
    expect(await shown()).toEqual({
      "D1 CHF": { balance: "105", holdings: ["C1 5 2026-02-01", "D1 100 2026-02-01"] },
    });
    expect(await ids()).toEqual({ ...held, portfolios: [held.portfolios[1]] });
    expect(await movements()).toBe(2);
    await unlink("C1");
    expect(await shown()).toEqual(before);
    expect(await ids()).toEqual(held);
    expect(await movements()).toBe(2);
  });

  it("[C-9.162] the balance of a portfolio is null where a part has another currency, and leaves out parts of which only movements are known", async () => {
    const { send, link, shown } = await feedOf(storage());
    await send(depot({ day: 1, balance: "100" }));
    await link("C1", "D1");
    await send(cash({ day: 1, balance: "5", currency: "EUR" }));
    expect(await shown()).toMatchObject({ "D1 CHF": { balance: null } });
    await send(cash({ day: 1, balance: null, currency: "CHF", movements: 1 }));
    await send(cash({ day: 1, balance: "0", currency: "EUR", key: "C2" }));
    expect(Object.keys(await shown())).toEqual(["C2 EUR", "D1 CHF"]);
    const other = await feedOf(storage());
    await other.send(depot({ day: 1, balance: "100" }));
    await other.link("C1", "D1");
    await other.send(cash({ day: 1, balance: null, movements: 1 }));
    expect(await other.shown()).toEqual({ "D1 CHF": { balance: "100", holdings: ["D1 100 2026-02-01"] } });
    expect(await other.movements()).toBe(1);
  });

  it("[C-9.163] rules of the connector link by number; what an operator says counts more, and rules are read anew with every file", async () => {
    const { send, link, unlink, shown, rules } = await feedOf(storage());
    rules([{ cash: "^C(\\d)$", depot: "D$1" }]);
    await send(depot({ day: 1, balance: "100" }));
    await send(depot({ day: 1, balance: "1", key: "D2" }));
    await send(cash({ day: 1, balance: "5" }));
    expect(Object.keys(await shown())).toEqual(["D1 CHF", "D2 CHF"]);
    await link("C1", "D2");
    expect(await shown()).toMatchObject({ "D1 CHF": { balance: "100" }, "D2 CHF": { balance: "6" } });
    await unlink("C1");
    await send(cash({ day: 2, balance: "6" }));
    expect(Object.keys(await shown())).toEqual(["C1 CHF", "D1 CHF", "D2 CHF"]);
    await send(cash({ day: 2, balance: "7", key: "C2" }));
    expect(await shown()).toMatchObject({ "D2 CHF": { balance: "8" } });
    rules([{ cash: "(a+)+$", depot: "D1" }]);
    expect(await send(cash({ day: 3, balance: "9", key: "C2" }))).toMatchObject({ warnings: [{ place: "connector" }] });
    expect(Object.keys(await shown())).toEqual(["C1 CHF", "C2 CHF", "D1 CHF", "D2 CHF"]);
  });

  it("[C-9.164] cash and depot that two replicas take at the same moment are one portfolio with both", async () => {
    for (let round = 0; round < 2; round += 1) {
      const { send, link, shown } = await feedOf(storage());
      await link("C1", "D1");
      await link("C2", "D1");
      await Promise.all([
        send(cash({ day: 1, balance: "5" })),
        send(depot({ day: 1, balance: "100" })),
        send(cash({ day: 1, balance: "2", key: "C2" })),
      ]);
      expect(await shown()).toMatchObject({ "D1 CHF": { balance: "107" } });
      await Promise.all([
        send(cash({ day: 2, balance: "6" })),
        send(depot({ day: 2, balance: "101" })),
        link("C2", "D9"),
      ]);
      expect(await shown()).toMatchObject({ "C2 CHF": { balance: "2" }, "D1 CHF": { balance: "107" } });
    }
  });

  it("[C-9.165] of files, links and their ends in any order, counts and sums are those of the accounts and the links", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const { send, link, unlink, shown, sums } = await feedOf(storage());
        const latest = new Map<string, { day: number; balance: string; currency: string }>();
        const links = new Map<string, string>();
        for (const { kind, account, day, balance } of steps) {
          if (kind === "link") {
            const to = `D${(day % 2) + 1}`;
            await link(account.key, to);
            links.set(account.key, to);
          } else if (kind === "unlink") {
            await unlink(account.key);
            links.delete(account.key);
          } else {
            const make = account.key.startsWith("C") ? cash : depot;
            await send(make({ ...account, day, balance }));
            const known = latest.get(account.key);
            if (!known || known.day <= day) latest.set(account.key, { day, balance, currency: account.currency });
          }
        }
        expect(await shown()).toEqual(viewFromScratch(latest, links));
        const all = [...latest.values()];
        const total = (currency: string) =>
          all.filter((one) => one.currency === currency).reduce((sum, one) => addDecimals(sum, one.balance), "0.00");
        expect(await sums()).toEqual(
          Object.fromEntries(
            [...new Set(all.map(({ currency }) => currency))].sort().map((currency) => [currency, total(currency)]),
          ),
        );
      }),
      { numRuns: 6 },
    );
  }, 120_000);
}

const accounts = [
  { key: "C1", currency: "CHF" },
  { key: "C2", currency: "EUR" },
  { key: "C3", currency: "CHF" },
  { key: "D1", currency: "CHF" },
  { key: "D2", currency: "EUR" },
] as const;

const step = fc
  .record({
    kind: fc.constantFrom("file" as const, "file" as const, "link" as const, "unlink" as const),
    account: fc.constantFrom(...accounts),
    day: fc.integer({ min: 1, max: 4 }),
    balance: fc.integer({ min: -500, max: 100_000 }).map((cents) => (cents / 100).toFixed(2)),
  })
  // Only cash accounts are linked.
  .map((one) => (one.account.key.startsWith("D") ? { ...one, kind: "file" as const } : one));

type Shown = Record<string, { balance: string | null; holdings: string[] }>;

function viewFromScratch(
  latest: ReadonlyMap<string, { day: number; balance: string; currency: string }>,
  links: ReadonlyMap<string, string>,
): Shown {
  const view: Shown = {};
  const of = (key: string) => (latest.has(links.get(key) ?? "") ? (links.get(key) as string) : key);
  for (const [key, { currency }] of latest) {
    if (of(key) !== key) continue;
    const within = [...latest].filter(([other]) => of(other) === key);
    view[`${key} ${currency}`] = {
      balance: within.every(([, one]) => one.currency === currency)
        ? within.reduce((sum, [, one]) => addDecimals(sum, one.balance), "0.00")
        : null,
      holdings: within.map(([other, one]) => `${other} ${one.balance} ${dayOf(one.day)}`).sort(),
    };
  }
  return view;
}

interface Stated {
  readonly key?: string;
  readonly currency?: string;
  readonly day: number;
  /** Null: the file states movements only. */
  readonly balance: string | null;
  readonly movements?: number;
}

const dayOf = (day: number) => `2026-02-0${day}`;

function statement({ key = "", currency = "CHF", day, balance, movements = 0 }: Stated, isCash: boolean): SnapshotData {
  const as_of = new Date(`${dayOf(day)}T00:00:00Z`);
  const type = isCash ? ("L" as const) : ("S" as const);
  return {
    as_of,
    portfolios: [
      {
        key: `${key} ${currency}`,
        name: `${key} ${currency}`,
        balance,
        currency,
        ref_account: key,
        type,
        ...(isCash && { cash_account: true }),
        ...(balance === null && { holdings_unknown: true }),
      },
    ],
    holdings:
      balance === null
        ? []
        : [
            {
              key: "one",
              portfolio_key: `${key} ${currency}`,
              name: key,
              isin: null,
              amount: balance,
              balance,
              currency,
              valuation_date: dayOf(day),
              type: isCash ? "L" : "VI",
              subtype: null,
            },
          ],
    transactions: Array.from({ length: movements }, (_, index) => ({
      key: `${day}-${index}`,
      portfolio_key: `${key} ${currency}`,
      holding_key: "one",
      operation_date: dayOf(day),
      description: "Movement",
      amount: null,
      balance: "1",
      currency,
      unit_price: null,
    })),
  };
}
export const cash = (stated: Stated) => statement({ key: "C1", ...stated }, true);
export const depot = (stated: Stated) => statement({ key: "D1", ...stated }, false);

/** A connection with files of its own, and what the tools answer about it. */
export async function feedOf(storage: Storage) {
  const tenant = await newTenant(storage);
  const { connection_id } = await tenant.connect();
  const operator = { application_id: "operator", trace_id: null, address: null };
  let accountRules: unknown = null;
  let files = 0;
  const deps = {
    storage,
    // Ids in the audit log must be unique across all cases.
    runtime: { ...createTestRuntime(), newId },
    bankOf: async () => "Bank",
    accountRules: async () => accountRules,
  };
  const links = createFeedAccounts(deps);
  const itemsOf = (page: object) => JSON.parse((page as { items_json: string }).items_json) as Record<string, string>[];
  const portfolios = async () => itemsOf(await storage.reader.portfolios(tenant.tenant_id, portfolioQuery()));
  const holdings = async (portfolio_id: string | null) =>
    storage.reader.holdings(tenant.tenant_id, holdingQuery({ portfolio_id: portfolio_id as never }));
  return {
    tenant,
    connection_id,
    reconcile: () => createFeedDifferences(deps).list(operator, { connection_or_letter_id: connection_id }),
    rules(stated: unknown) {
      accountRules = stated;
    },
    send(snapshot: SnapshotData, more: Pick<ReadFeed, "left_out" | "corrections"> = {}) {
      files += 1;
      const feeds = createDataFeeds({
        ...deps,
        readParts: ({ name, bytes }) => [
          {
            name,
            sha256: sha256Of(bytes),
            read: { format: "test", snapshot, warnings: [], ...more },
          },
        ],
      });
      return feeds.ingest(operator, { connection_id }, { name: "file", bytes: Buffer.from(String(files)) });
    },
    /** Sends one file that contains all these snapshots. */
    sendTogether(snapshots: readonly SnapshotData[]) {
      files += 1;
      const read = (snapshot: SnapshotData, name: string) =>
        readPart(name, Buffer.from(`${files} ${name}`), () => ({ format: "test", snapshot, warnings: [] }));
      const feeds = createDataFeeds({
        ...deps,
        readParts: () => snapshots.map((snapshot, index) => read(snapshot, `${index}`)),
      });
      return feeds.ingest(operator, { connection_id }, { name: "file", bytes: Buffer.from(String(files)) });
    },
    link: (account: string, portfolio: string) => links.link(operator, { connection_id }, { account, portfolio }),
    unlink: (account: string) => links.unlink(operator, { connection_id }, account),
    async shown(): Promise<Shown> {
      const view: Shown = {};
      const found = await portfolios();
      for (const { id, name, balance } of found.sort((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1))) {
        const page = await holdings(`${id}`);
        const held = itemsOf(page).map((one) => `${one.name} ${one.balance} ${one.valuation_date}`);
        view[`${name}`] = { balance: balance ?? null, holdings: held.sort() };
      }
      return view;
    },
    async ids() {
      const held = itemsOf(await holdings(null));
      return {
        portfolios: (await portfolios()).sort((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1)).map(({ id }) => id),
        holdings: held.map(({ id }) => id).sort(),
      };
    },
    /** What accounts were worth, and the holdings of each day. */
    async facts() {
      const all = {
        connection_ids: null,
        from: "2026-01-01",
        to: "2026-12-31",
        with_movements: true,
        holdings: "all",
      } as const;
      const [found] = await storage.wealthReader.facts(tenant.tenant_id, all);
      return found as NonNullable<typeof found>;
    },
    /** Sums of all holdings by currency. */
    async sums() {
      const { totals } = (await holdings(null)) as { totals: readonly { currency: string; balance: string }[] };
      return Object.fromEntries(totals.map(({ currency, balance }) => [currency, balance]));
    },
    async movements() {
      const page = await storage.reader.transactions(tenant.tenant_id, transactionQuery());
      return (page as { total: number }).total;
    },
  };
}
