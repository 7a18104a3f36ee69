import { createRefreshes, type RefreshShares } from "@org/core";
import { createMemoryTenantAccess, createTestRuntime, directoryOf, samples } from "@org/core/testing";
import type { BankProvider, FetchedSnapshot } from "@org/provider-kit";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Messages that wait for an answer: what is known, and what is stored (5), three of them while the tenant's publications are locked. */
const MAX_STATEMENTS = 6;
/** Of the same data: the connection, its plan, three snapshots, the valuation of an account, an event and an audit line. */
const MAX_ROWS = 8;
const unplanned = { pending: null, user_hash: null, reference_hash: null, consent_expires_at: null };
const written = [
  ...["connections", "connection_refreshes", "tenant_revisions", "snapshots", "portfolios", "holdings", "transactions"],
  ...["replaced_transactions", "valued_accounts", "valuations", "valued_holdings", "events", "audit_log"],
];

describe.skipIf(!testDatabaseUrl)("statements of a refresh on PostgreSQL", () => {
  let database: TestDatabase;
  const runtime = createTestRuntime(samples.now);
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  /** The number of the next transaction. */
  const transactionNow = async () => (await database.pool.query("select pg_current_xact_id() as id")).rows[0].id;
  /** How many rows transactions from this number on have written. */
  const rowsSince = async (id: string) => {
    const counts = written.map((table) => `(select count(*) from ${table} where xmin::text::bigint >= ${id})`);
    const { rows } = await database.pool.query(`select (${counts.join(" + ")})::integer as rows`);
    return rows[0].rows as number;
  };
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => database?.close());

  /** A connection that `fetch` answers for, and a function that refreshes it and returns its statements and the rows that it wrote. */
  async function refreshedBy(fetch: BankProvider["fetch"]) {
    const storage = createPostgresStorage(createTransactions(database.pool));
    const rejected = async () => ({ kind: "rejected" }) as const;
    const provider: BankProvider = { name: "scripted", login: rejected, answer: rejected, fetch };
    const tenant = await samples.newTenant(storage);
    const connection_id = samples.newId();
    const sealed_access = await runtime.vault.seal("{}", { purpose: "connection-access", row: connection_id });
    const { connector_id } = await tenant.connect({ connection_id, provider: provider.name, sealed_access });
    const refreshes = createRefreshes({
      storage,
      runtime,
      access: createMemoryTenantAccess(),
      providers: directoryOf(provider),
      connectors: { find: async () => null },
    });
    await tenant.run((stores) => stores.refreshes.plan(connection_id, samples.plan(samples.now)));

    const statements = vi.spyOn(pg.Client.prototype, "query");
    return async () => {
      const lease = samples.newId();
      const held = { lease, now: runtime.clock(), until: samples.later(5) };
      expect(await tenant.run((stores) => stores.refreshes.take(connection_id, held))).toBe(true);
      const since = await transactionNow();
      statements.mockClear();
      expect(await refreshes.run({ tenant_id: tenant.tenant_id, connection_id, connector_id, lease })).toBe(
        "refreshed",
      );
      return { calls: [...statements.mock.calls], rows: await rowsSince(since) };
    };
  }

  it("[C-8.92] [C-9.501] [C-9.530] a refresh asks the database six times, whatever it corrects, and writes no rows of data that it knows", async () => {
    const as_of = samples.now;
    const paid = { holding_key: null, operation_date: "2026-02-01", amount: null, balance: "-1", unit_price: null };
    const row = (key: string) => ({ key, portfolio_key: "p", description: key, currency: "EUR", ...paid });
    let told: Pick<FetchedSnapshot, "transactions" | "complete_from"> = { transactions: [row("a"), row("b")] };
    const refreshed = await refreshedBy(async () => ({
      snapshot: {
        as_of,
        portfolios: [{ key: "p", name: "Depot", balance: "1.00", currency: "EUR", ref_account: null, type: "S" }],
        holdings: [],
        ...told,
      },
      consent_expires_at: null,
    }));
    expect((await refreshed()).calls.length).toBeLessThanOrEqual(MAX_STATEMENTS);
    const again = await refreshed();
    expect(again.calls.length).toBeLessThanOrEqual(MAX_STATEMENTS);
    expect(again.rows).toBeLessThanOrEqual(MAX_ROWS);
    // Portfolios as before are confirmed, and the new transactions published.
    told = { transactions: [row("a"), row("b"), row("c")] };
    const { calls } = await refreshed();
    told = { transactions: [{ ...row("b"), balance: "-2" }, row("c")], complete_from: "2026-01-01" };
    expect((await refreshed()).calls).toHaveLength(calls.length);
  });

  it("[C-5.228] no statement of a refresh has more than a thousand rows", async () => {
    const row = (n: number, key: string) => ({
      ...{ key: `${key}${n}`, portfolio_key: "p", holding_key: null, operation_date: "2026-02-01", description: key },
      ...{ amount: null, balance: "-1", currency: "EUR", unit_price: null },
    });
    const many = (key: string) => Array.from({ length: 2_100 }, (_, n) => row(n, key));
    const [a, b] = [many("a"), many("b")];
    const corrected = a.map(({ portfolio_key, key }, n) => ({ portfolio_key, key, by: `b${n}` }));
    let told: Partial<FetchedSnapshot> = {};
    const refreshed = await refreshedBy(async () => ({
      snapshot: {
        as_of: samples.now,
        portfolios: [{ key: "p", name: "Depot", balance: "1.00", currency: "EUR", ref_account: null, type: "S" }],
        holdings: [],
        transactions: [],
        ...told,
      },
      consent_expires_at: null,
    }));
    const sizesOf = (values: readonly unknown[]) =>
      values.flatMap((value) => {
        if (Array.isArray(value)) return [value.length];
        return typeof value === "string" && value.startsWith("[{") ? [JSON.parse(value).length as number] : [];
      });
    for (const [stated, rows] of [
      [{ transactions: a }, 2_100],
      [{ transactions: a.map((one) => ({ ...one, description: "other" })) }, 4_200],
      [{ transactions: b, corrected }, 4_200],
      [{ withdrawn: b.map(({ portfolio_key, key }) => ({ portfolio_key, key })) }, 2_100],
      [{ transactions: many("c") }, 2_100],
      [{ complete_from: "2026-01-01" }, 2_100],
    ] as const) {
      told = stated;
      const { calls, rows: written } = await refreshed();
      const values = calls.flatMap(([config]) => (config as unknown as { values?: readonly unknown[] }).values ?? []);
      expect(Math.max(...sizesOf(values))).toBeLessThanOrEqual(1_000);
      expect(written).toBeGreaterThanOrEqual(rows);
    }
  });

  it("[C-9.607] before there are statistics, a connection's snapshots are found without reading those of its tenant's other connections", async () => {
    const { pool } = database;
    await pool.query("alter table snapshots set (autovacuum_enabled = off)");
    // As in a new installation.
    await pool.query("delete from snapshots");
    await pool.query("vacuum analyze snapshots");
    const tenant = await samples.newTenant(createPostgresStorage(createTransactions(pool)));
    const records = Array.from({ length: 400 }, () => samples.connection());
    await tenant.run(async ({ connections }) => {
      for (const record of records) await connections.create(record);
    });
    await pool.query(
      `insert into snapshots (tenant_id, connection_id, product, revision, as_of, stale_at, row_count, totals)
       select tenant_id, connection_id, product, 0, now(), now(), 0, '{}'
       from connections, unnest(array['portfolio', 'investment', 'transaction']) product where tenant_id = $1`,
      [tenant.tenant_id],
    );
    const values = [tenant.tenant_id, records[200]?.connection_id];
    const own = "s.tenant_id = $1 and s.connection_id = $2 and s.until_revision is null";
    for (const statement of [
      `select from snapshots s where ${own}`,
      `select from snapshots s where ${own} and s.stale_at < now()`,
      `update snapshots s set stale_at = now() where ${own} and s.product = 'portfolio' and s.digest = '1'`,
    ]) {
      const { rows } = await pool.query(`explain (analyze, format json) ${statement}`, values);
      const removed = [...JSON.stringify(rows).matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, count]) =>
        Number(count),
      );
      expect(Math.max(...removed, 0), statement).toBeLessThan(10);
    }
  });

  it("[C-5.283] whoever was served least comes first, also behind more of another tenant's than a claim considers", async () => {
    const storage = createPostgresStorage(createTransactions(database.pool));
    const [many, few] = [await samples.newTenant(storage), await samples.newTenant(storage)];
    const at = (minute: number) => new Date(Date.UTC(1990, 0, 1, 0, minute));
    const plan = (due_at: Date) => ({ ...unplanned, due_at });
    const connector_id = "usa:broker";
    await many.run(async ({ connections, refreshes }) => {
      for (let made = 0; made < 501; made += 1) {
        const record = samples.connection({ connector_id });
        await connections.create(record);
        await refreshes.plan(record.connection_id, plan(at(1)));
      }
    });
    const late = [await few.connect({ connector_id }), await few.connect({ connector_id })];
    for (const [index, { connection_id }] of late.entries())
      await few.run(({ refreshes }) => refreshes.plan(connection_id, plan(at(20 + index))));
    const claim = async (limit: number, given: Partial<RefreshShares>) => {
      const request = { lease: samples.newId(), now: at(30), until: at(60), limit, except_tenants: [] };
      const shares = { each: 8, held: [], served: [], at_most: {}, closed: [], ...given };
      return (await storage.refreshQueue.claim({ ...request, shares })).leases;
    };
    const { tenant_id } = many;
    const ids = (await claim(2, { served: [tenant_id, tenant_id] })).map(({ connection_id }) => connection_id);
    expect(ids).toEqual(late.map(({ connection_id }) => connection_id));
    // A connector with a limited rate has only so many places.
    expect(await claim(9, { at_most: { [connector_id]: 3 } })).toMatchObject(Array(3).fill({ tenant_id }));
  });
});
