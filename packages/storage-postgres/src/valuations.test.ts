import { type StatedValuation, sumDecimals, type Uuid, type WealthQuery } from "@org/core";
import { samples } from "@org/core/testing";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testCitusWorkers, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Blocks that a longer history may add: levels of indexes and their edges. */
const BLOCKS = 20;
const HOLDINGS = 30;
const MORE = 20;
/** Calls after which a function's plans are those of any values. */
const CACHED_AFTER = 5;

// On a cluster nodes read the blocks, which the coordinator does not see.
describe.skipIf(!testDatabaseUrl || testCitusWorkers.length > 0)("valuations on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => database?.close());

  const dayOf = (number: number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10);

  /**
   * A tenant with a connection that has an account with holdings, valued on so many days; its prices change where `isOther` says so. With `more`
   * other connections that are the same.
   */
  async function valued(days: number, isOther: (day: number) => boolean, more = 0) {
    const tenant = await samples.newTenant(storage);
    for (let number = 0; number < more; number += 1) await valuedConnection(tenant, days, isOther);
    const connection_id = await valuedConnection(tenant, days, isOther);
    await database.pool.query("vacuum analyze");
    return { tenant, connection_id };
  }

  async function valuedConnection(
    tenant: Awaited<ReturnType<typeof samples.newTenant>>,
    days: number,
    isOther: (day: number) => boolean,
  ) {
    const { connection_id } = await tenant.connect();
    await tenant.run(({ refreshes }) => refreshes.plan(connection_id, samples.plan(samples.now)));
    const account = samples.portfolio();
    const { portfolio_id } = account;
    const rows = Array.from({ length: HOLDINGS }, (_, n) =>
      samples.holding({
        portfolio_id,
        name: `Fund ${n} of some manager`,
        facts: { price: "12.3456", cost: "1000.00" },
      }),
    );
    const digests = { portfolio: "p", investment: "h" };
    for (let number = 0; number < days; number += 1) {
      const as_of = new Date(`${dayOf(number)}T12:00:00Z`);
      const one: StatedValuation = {
        ...{ ...account, is_cash: false, day: dayOf(number), as_of, holdings: "shown" },
        source: { kind: "provider", provider: "sandbox" },
      };
      const valuations = { read_at: as_of, arrival: 0, complete_on: dayOf(number), accounts: [one] };
      const stated = { connection_id, as_of, digests, valuations };
      await tenant.run(async ({ snapshots }) => {
        if (number > 0 && !isOther(number)) return snapshots.confirm(stated);
        const holdings = rows.map((row, n) => ({ ...row, balance: `${100 + number}.${10 + n}` }));
        return snapshots.publish({ ...stated, published_at: as_of, portfolios: [account], holdings, transactions: [] });
      });
    }
    return connection_id;
  }

  const asked = (over: Partial<WealthQuery>): WealthQuery => ({
    ...{ connection_ids: null, from: "", to: "", with_movements: true, holdings: "none" },
    ...over,
  });

  /** Blocks that a question reads, of all its statements. */
  async function blocksOf(
    { tenant_id }: Awaited<ReturnType<typeof valued>>["tenant"],
    over: Partial<WealthQuery>,
    question: "facts" | "sizes" = "facts",
  ) {
    const statements = vi.spyOn(pg.Client.prototype, "query");
    await storage.wealthReader[question](tenant_id, { ...asked(over), portfolio_ids: null });
    return blocksOfCalls(statements);
  }

  async function blocksOfCalls(statements: MockInstance): Promise<number> {
    const calls = statements.mock.calls as unknown as readonly (readonly [text: string, values?: readonly unknown[]])[];
    const reads = calls
      .filter(([text]) => /^\s*(select|with)\s/.test(text))
      .map(([text, values = []]) => ({ text, values: [...values] }));
    statements.mockRestore();
    expect(reads.length).toBeGreaterThan(0);
    let blocks = 0;
    for (const { text, values } of reads) {
      const read = `explain (analyze, buffers, format json) ${text}`;
      // The first one also reads the catalogue.
      await database.pool.query(read, values);
      const { rows } = await database.pool.query(read, values);
      blocks += rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
    }
    expect(blocks).toBeGreaterThan(0);
    return blocks;
  }

  it("[C-9.611] a day, and the balances of a week, are read without the history around them", async () => {
    const read = async (days: number) => {
      const { tenant } = await valued(days, () => false);
      const [from, to] = [dayOf(days - 7), dayOf(days - 1)];
      return [
        await blocksOf(tenant, { from: to, to, closes: [to], with_movements: false, holdings: "all" }),
        await blocksOf(tenant, { from, to }),
        await blocksOf(tenant, { from: "2030-01-01", to: "2030-01-01" }),
      ];
    };
    const few = await read(10);
    for (const days of [100, 1_000])
      for (const [index, blocks] of (await read(days)).entries())
        expect(blocks - Number(few[index])).toBeLessThan(BLOCKS);
  });

  it("[C-8.229] what is counted of a week does not grow with the history around it", async () => {
    const read = async (days: number) => {
      const { tenant } = await valued(days, () => false);
      return blocksOf(tenant, { from: dayOf(days - 7), to: dayOf(days - 1) }, "sizes");
    };
    const few = await read(10);
    for (const days of [100, 1_000]) expect((await read(days)) - few).toBeLessThan(BLOCKS);
  });

  it("[C-9.622] what the closes of some days read does not grow with the valuations between them", async () => {
    const read = async (days: number) => {
      const { tenant } = await valued(days, () => false);
      const closes = [0, 1, 2].map((part) => dayOf(Math.floor((part * (days - 1)) / 2)));
      const [from = "", , to = ""] = closes;
      return blocksOf(tenant, { from, to, closes, with_movements: false });
    };
    const few = await read(10);
    for (const days of [100, 1_000]) expect((await read(days)) - few).toBeLessThan(BLOCKS);
  });

  it("[C-9.630] a history by month reads one value more than those that are kept, however many months there are", async () => {
    const read = async (days: number) => {
      const { tenant } = await valued(days, () => false);
      while ((await storage.upkeep.keepMonths(dayOf(20_000 + days), 100)) > 0);
      const isLast = (number: number) => dayOf(number + 1).endsWith("-01") || number === days - 1;
      const closes = Array.from({ length: days }, (_, number) => number)
        .filter(isLast)
        .map(dayOf);
      const [from = "", to = ""] = [closes[0], closes.at(-1)];
      const ofMonths = { from, to, closes, with_movements: false };
      const [facts] = await storage.wealthReader.facts(tenant.tenant_id, asked(ofMonths));
      expect(facts?.accounts[0]?.valuations.map(({ day }) => day)).toEqual(closes);
      await database.pool.query("vacuum analyze");
      return blocksOf(tenant, ofMonths);
    };
    const few = await read(40);
    for (const days of [400, 1_000]) expect((await read(days)) - few).toBeLessThan(BLOCKS);
  });

  it("[C-8.210] whether a depot has income is looked up account by account, of many movements as of few", async () => {
    const read = async (movements: number) => {
      const { tenant, connection_id } = await valued(2, () => false);
      const [account] = await storage.wealthReader.facts(tenant.tenant_id, asked({ to: dayOf(0), from: dayOf(0) }));
      const portfolio_id = account?.accounts[0]?.portfolio_id as Uuid;
      const transactions = Array.from({ length: movements }, (_, number) =>
        samples.transaction({
          ...{ portfolio_id, operation_date: dayOf(0), description: `Bought ${number}` },
          facts: { kind: number % 2 === 0 ? "buy" : "interest" },
        }),
      );
      // Before the last valuation was read: it holds them.
      const as_of = new Date(`${dayOf(1)}T11:00:00Z`);
      await tenant.run(({ snapshots }) =>
        snapshots.publish({ connection_id, as_of, published_at: as_of, transactions }),
      );
      await database.pool.query("vacuum analyze");
      return blocksOf(tenant, { from: "2030-01-01", to: "2030-01-01" });
    };
    const few = await read(10);
    expect((await read(3_000)) - few).toBeLessThan(BLOCKS);
  });

  /**
   * Blocks of one more valuation after so many days with other holdings each, once its plans are cached; with holdings as before, with others, or
   * with others of the last day, which then replace those that it had.
   */
  async function blocksOfNext(days: number, next: "same" | "other" | "corrected") {
    const { tenant, connection_id } = await valued(days, () => true);
    const { rows } = await database.pool.query("select * from valued_accounts where tenant_id = $1", [
      tenant.tenant_id,
    ]);
    const { portfolio_id, ordinal, name, ref_account, currency, type, is_cash } = rows[0];
    await database.pool.query("delete from snapshots where until_revision is not null");
    await database.pool.query("vacuum analyze snapshots");
    const account = { portfolio_id, ordinal, name, ref_account, currency, type, is_cash, balance: "1.00" };
    const client = await database.pool.connect();
    try {
      await client.query("begin");
      let blocks = 0;
      for (let call = 0; call < CACHED_AFTER + 2; call += 1) {
        const day = dayOf(next === "corrected" ? days - 1 : days + call);
        const stated_at = next === "corrected" ? `${day}T13:00:0${call}Z` : day;
        const others = { is_shown: false, items: `[${call}]`, sums: "[]", value: { EUR: "1.00" } };
        const listed = next === "same" ? { is_shown: true } : others;
        const source = { kind: "provider", provider: "sandbox" };
        const valued = {
          arrival: 0,
          complete_on: day,
          accounts: [{ ...account, day, stated_at, source, ...listed }],
        };
        const read = await client.query("explain (analyze, buffers, format json) select store_valuations($1, $2, $3)", [
          ...[tenant.tenant_id, connection_id, JSON.stringify(valued)],
        ]);
        const { Plan } = read.rows[0]["QUERY PLAN"][0];
        blocks = Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
      }
      const kept = await client.query("select count(*)::integer as rows from valued_holdings where tenant_id = $1", [
        tenant.tenant_id,
      ]);
      expect(kept.rows[0].rows).toBe(days + (next === "other" ? CACHED_AFTER + 2 : 0));
      return blocks;
    } finally {
      await client.query("rollback");
      client.release();
    }
  }

  it("[C-9.613] an account that stays as it was is valued without reading its history", async () => {
    const few = await blocksOfNext(10, "same");
    expect(few).toBeLessThanOrEqual(20);
    expect((await blocksOfNext(300, "same")) - few).toBeLessThan(BLOCKS);
  });

  it("[C-9.614] other holdings are stored without reading those of other days", async () => {
    const few = await blocksOfNext(10, "other");
    expect((await blocksOfNext(300, "other")) - few).toBeLessThan(BLOCKS);
  });

  it("[C-9.650] holdings that a correction replaces are kept and deleted without reading those of other days", async () => {
    const few = await blocksOfNext(10, "corrected");
    // Twice as many look-ups as other holdings need.
    expect((await blocksOfNext(300, "corrected")) - few).toBeLessThan(2 * BLOCKS);
  });

  it("[C-9.624] comparing a new statement reads no more after 400 others than after 80", async () => {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const account = samples.portfolio();
    const { portfolio_id } = account;
    const rows = Array.from({ length: HOLDINGS }, () => samples.holding({ portfolio_id, amount: "1" }));
    let revision = "";
    const state = (number: number) =>
      tenant.run(async ({ snapshots }) => {
        const as_of = new Date(dayOf(number));
        const holdings = rows.map((row) => ({ ...row, balance: `${100 + number}.10` }));
        const moved = { portfolio_id, holding_id: rows[0]?.holding_id ?? null, operation_date: dayOf(number) };
        const one: StatedValuation = {
          ...{ ...account, is_cash: false, day: dayOf(number), as_of, holdings: "shown" },
          source: { kind: "provider", provider: "sandbox" },
        };
        const valuations = { read_at: null, arrival: number + 1, complete_on: null, accounts: [one] };
        const transactions = [samples.transaction({ ...moved, amount: "0.5" })];
        const news = { connection_id, as_of, published_at: as_of, portfolios: [account], holdings, transactions };
        ({ revision } = await snapshots.publish({ ...news, valuations }));
      });
    const read = async (from: number, days: number) => {
      for (let number = from; number < days; number += 1) await state(number);
      await database.pool.query("vacuum analyze");
      const day = dayOf(days - 1);
      const statements = vi.spyOn(pg.Client.prototype, "query");
      await tenant.run(async ({ feedDifferences }) => {
        const pairs = await feedDifferences.pairs(connection_id, [{ portfolio_id, day }], {
          ...{ revision, now: new Date(day) },
        });
        expect(pairs).toEqual([{ portfolio_id, from_day: dayOf(days - 2), to_day: day }]);
        const found = await feedDifferences.compare(connection_id, pairs, 9);
        expect(found).toMatchObject([{ before: "1", moved: "0.5", stated: "1" }]);
      });
      return blocksOfCalls(statements);
    };
    // The movements of the days before are read as far back as settlements may be.
    const few = await read(0, 80);
    expect((await read(80, 400)) - few).toBeLessThan(BLOCKS);
  });

  it("[C-9.612] [C-8.94] holdings that stay the same are stored once, and another valuation is one row", async () => {
    const bytes = async ({ tenant: { tenant_id } }: Awaited<ReturnType<typeof valued>>) => {
      const { rows } = await database.pool.query(
        `select
          (select sum(pg_column_size(v))::integer from valuations v where v.tenant_id = $1) as valuations,
          (select sum(pg_column_size(h.items))::integer from valued_holdings h where h.tenant_id = $1) as items,
          (select sum(pg_column_size(h.sums))::integer from valued_holdings h where h.tenant_id = $1) as sums,
          (select count(*)::integer from valued_holdings h where h.tenant_id = $1) as holdings`,
        [tenant_id],
      );
      return rows[0] as { valuations: number; items: number; sums: number; holdings: number };
    };
    const [same, other] = [await bytes(await valued(50, () => false)), await bytes(await valued(50, () => true))];
    expect([same.holdings, other.holdings]).toEqual([1, 50]);
    expect(same.valuations / 50).toBeLessThan(300);
    expect(other.items / 50).toBeLessThan(3_000);
    expect(other.sums / 50).toBeLessThan(40);
  });

  it("[C-9.615] holdings are parsed when a figure looks at them", async () => {
    const { tenant } = await valued(2, () => false);
    const parse = vi.spyOn(JSON, "parse");
    const parsed = () => parse.mock.calls.filter(([text]) => String(text).startsWith('[{"id"')).length;
    const day = { from: dayOf(1), to: dayOf(1), closes: [dayOf(1)], with_movements: false };
    const [facts] = await storage.wealthReader.facts(tenant.tenant_id, asked({ ...day, holdings: "all" }));
    expect(parsed()).toBe(0);
    const valuation = facts?.accounts[0]?.valuations.at(-1);
    expect(valuation?.holdings).toHaveLength(HOLDINGS);
    expect(parsed()).toBe(1);
  });

  it("[C-9.640] [C-9.642] a summary by type reads no holdings, and of a connection little more than its valuation", async () => {
    const { tenant } = await valued(2, () => true);
    const day = { from: dayOf(1), to: dayOf(1), closes: [dayOf(1)], with_movements: false };
    const statements = vi.spyOn(pg.Client.prototype, "query");
    const [facts] = await storage.wealthReader.facts(tenant.tenant_id, asked({ ...day, holdings: "sums" }));
    const texts = statements.mock.calls.map(([text]) => String(text));
    expect(texts.filter((text) => text.includes("h.sums"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("items"))).toEqual([]);
    const one = await blocksOfCalls(statements);
    const balances = Array.from({ length: HOLDINGS }, (_, n) => `101.${10 + n}`);
    expect(facts?.accounts[0]?.valuations).toMatchObject([{ holding_sums: [["F", "EUR", sumDecimals(balances)]] }]);
    const others = await valued(2, () => true, MORE);
    expect(((await blocksOf(others.tenant, { ...day, holdings: "sums" })) - one) / MORE).toBeLessThan(12);
  });
});
