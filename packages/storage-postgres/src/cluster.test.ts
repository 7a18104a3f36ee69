import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clusterState, distributeCluster, keepClusterFunctions } from "./cluster.js";
import { migrate, migrationState } from "./migrate.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { FUNCTIONS_STAY, protect, unprotect } from "./protect-tables.js";
import {
  createEmbeddedTestDatabase,
  createUnspreadTestDatabase,
  type TestDatabase,
  testCitusWorkers,
} from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const spreadTables = [
  ...["holdings", "portfolios", "transactions", "replaced_transactions"],
  ...["valued_accounts", "valuations", "valued_months", "replaced_valuations", "valued_holdings"],
];

it("[C-8.85] a database without Citus is left alone", async () => {
  const { pool, close } = await createEmbeddedTestDatabase();
  expect(await clusterState(pool)).toMatchObject({ citus: null, spread: [], steps: [] });
  await expect(distributeCluster(pool)).rejects.toThrow("the database has no extension citus");
  await close();
});

describe.skipIf(testCitusWorkers.length === 0)("[C-8.85] a database of a Citus cluster", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  let tenant: Awaited<ReturnType<typeof samples.newTenant>>;
  beforeAll(async () => {
    database = await createUnspreadTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
    tenant = await samples.newTenant(storage);
  });
  afterAll(() => database?.close());

  const publish = async (
    owner: typeof tenant,
    connection_id: Awaited<ReturnType<typeof tenant.connect>>["connection_id"],
  ) => {
    const account = samples.portfolio({ balance: "3.50" });
    const holdings = ["1.25", "2.25"].map((balance) =>
      samples.holding({ portfolio_id: account.portfolio_id, balance }),
    );
    const transactions = [samples.transaction({ balance: "10.00" })];
    const [as_of, published_at, day] = [new Date(0), new Date(0), "1970-01-01"];
    const source = { kind: "provider", provider: "sandbox" } as const;
    const valuations = {
      ...{ read_at: as_of, arrival: 0, complete_on: day },
      accounts: [{ ...account, is_cash: false, day, as_of, holdings: "shown", source } as const],
    };
    await owner.run(({ snapshots }) =>
      snapshots.publish({
        connection_id,
        as_of,
        published_at,
        portfolios: [account],
        holdings,
        transactions,
        valuations,
      }),
    );
  };
  const answersOf = async (
    { tenant_id }: typeof tenant,
    connection_ids: Parameters<typeof samples.holdingQuery>[0],
  ) => [
    await storage.reader.portfolios(tenant_id, samples.portfolioQuery(connection_ids)),
    await storage.reader.holdings(tenant_id, samples.holdingQuery(connection_ids)),
    await storage.reader.transactions(tenant_id, samples.transactionQuery(connection_ids)),
    await storage.wealthReader.facts(tenant_id, {
      ...{
        connection_ids: null,
        from: "1970-01-01",
        to: "1970-01-02",
        with_movements: true,
        holdings: "all",
        ...connection_ids,
      },
    }),
    await storage.reader.portfolios(tenant_id, samples.portfolioQuery({ ...connection_ids, currencies: ["EUR"] })),
    await storage.reader.holdings(tenant_id, samples.holdingQuery({ ...connection_ids, currencies: ["EUR"] })),
    await storage.reader.transactions(
      tenant_id,
      samples.transactionQuery({ ...connection_ids, start_date: "2000-01-01" }),
    ),
  ];
  const copies = async () => {
    const { rows } = await database.pool.query(
      "select sum(pg_relation_size(c::regclass))::integer as bytes from unnest($1::text[]) c",
      [spreadTables],
    );
    return rows[0].bytes;
  };
  /** How many statements went to one shard, and to several, since the database was created. */
  const counted = async () => {
    const { rows } = await database.pool.query(
      "select query_execution_single_shard::integer as one, query_execution_multi_shard::integer as several from citus_stat_counters where name = current_database()",
    );
    return rows[0] as { one: number; several: number };
  };
  const commitsOnNodes = async (): Promise<number> =>
    (await database.pool.query("select count(*)::integer as count from pg_dist_transaction")).rows[0].count;

  it("is spread with what is in it, once, as the plan says; every answer stays the same", async () => {
    const { connection_id } = await tenant.connect();
    await publish(tenant, connection_id);
    const before = await answersOf(tenant, { connection_ids: [connection_id] });
    const plan = await clusterState(database.pool);
    expect(plan).toMatchObject({ spread: [], obstacles: [], nodes: [{ shards: 0 }, { shards: 0 }] });
    const spread = plan.steps.flatMap(({ kind, object }) => (kind === "table" ? [object] : []));
    expect(spread).toEqual(spreadTables);
    expect(await copies()).toBeGreaterThan(0);

    const told: string[] = [];
    const made = await distributeCluster(database.pool, ({ kind, object }) => told.push(`${kind} ${object}`));
    expect(made.map(({ kind, object }) => `${kind} ${object}`)).toEqual(told);
    expect(await clusterState(database.pool)).toMatchObject({ spread, obstacles: [], steps: [] });
    expect(await copies()).toBe(0);
    expect(await answersOf(tenant, { connection_ids: [connection_id] })).toEqual(before);
    expect(await distributeCluster(database.pool)).toEqual([]);
  });

  it("sends each statement of a tenant to one shard", async () => {
    const { connection_id } = await tenant.connect();
    await publish(tenant, connection_id);
    const before = await counted();
    await publish(tenant, connection_id);
    await answersOf(tenant, {});
    while ((await storage.upkeep.keepMonths("1970-03-01", 100)) > 0);
    await tenant.run(({ connections }) => connections.remove(connection_id));
    const after = await counted();
    expect(after.one - before.one).toBeGreaterThan(15);
    expect(after.several - before.several).toBe(0);
  });

  it("commits in two phases what changes on the coordinator and on a node", async () => {
    const { connection_id } = await tenant.connect();
    const before = await commitsOnNodes();
    await publish(tenant, connection_id);
    expect(await commitsOnNodes()).toBe(before + 1);
    await tenant.run(({ connections }) => connections.remove(connection_id));
    expect(await commitsOnNodes()).toBe(before + 2);
  });

  it("[C-9.541] [C-9.619] asks one node once for a page, and commits a further publication on one node", async () => {
    const { connection_id } = await tenant.connect();
    await publish(tenant, connection_id);
    const commits = await commitsOnNodes();
    await publish(tenant, connection_id);
    expect((await commitsOnNodes()) - commits).toBe(1);
    const before = await counted();
    const pages = await answersOf(tenant, { connection_ids: [connection_id] });
    // Valuations, movements and holdings are one statement each.
    expect((await counted()).one - before.one).toBe(pages.length + 2);
  });

  it("[C-4.100] asks one node once for sorts, filters and groups, and once more only for the portfolios of accounts", async () => {
    const { connection_id } = await tenant.connect();
    await publish(tenant, connection_id);
    const of = { connection_ids: [connection_id] };
    const { reader } = storage;
    const { tenant_id } = tenant;
    const asked = async (read: () => Promise<unknown>) => {
      const before = await counted();
      await read();
      const after = await counted();
      return [after.one - before.one, after.several - before.several];
    };
    for (const read of [
      () =>
        reader.portfolios(tenant_id, samples.portfolioQuery({ ...of, sort: "-balance", totals_by: ["type", "bank"] })),
      () => reader.holdings(tenant_id, samples.holdingQuery({ ...of, sort: "name", name: "a", totals_by: ["bank"] })),
      () => reader.transactions(tenant_id, samples.transactionQuery({ ...of, sort: "balance", totals_by: ["kind"] })),
      () => reader.holdings(tenant_id, samples.holdingQuery({ ...of, fields: ["id", "bank"] })),
      () => reader.holdings(tenant_id, samples.holdingQuery({ connection_ids: null, sort: "-balance" })),
    ])
      expect(await asked(read)).toEqual([1, 0]);
    for (const read of [
      () => reader.holdings(tenant_id, samples.holdingQuery({ ...of, totals_by: ["portfolio"] })),
      () => reader.holdings(tenant_id, samples.holdingQuery({ ...of, fields: ["id", "portfolio_id"] })),
      () => reader.transactions(tenant_id, samples.transactionQuery({ ...of, fields: ["id", "portfolio_id"] })),
    ])
      expect(await asked(read)).toEqual([2, 0]);
  });

  it("[C-4.141] asks one node once for the accounts of a page of connections, and none for a page without", async () => {
    await publish(tenant, (await tenant.connect()).connection_id);
    const page = (with_accounts: boolean) =>
      storage.connectionFinder.page(tenant.tenant_id, { ...list, with_accounts });
    const list = { bank: null, client_refs: null, ready_only: false, attention_at: null, page: 1, page_size: 50 };
    await page(true);
    const before = await counted();
    expect((await page(true)).items.filter(({ accounts }) => accounts?.length === 1).length).toBeGreaterThan(1);
    const after = await counted();
    expect([after.one - before.one, after.several - before.several]).toEqual([1, 0]);
    await page(false);
    expect(await counted()).toEqual(after);
  });

  it("[C-9.620] plans valuations for one shard, also where a plan is made for any tenant", async () => {
    const { connection_id } = await tenant.connect();
    const account = samples.portfolio({ balance: "1.00" });
    const source = { kind: "provider", provider: "sandbox" } as const;
    const client = await database.pool.connect();
    const told = vi.fn();
    client.on("notice", told);
    try {
      await client.query("set citus.multi_task_query_log_level = 'notice'");
      // After five calls a plan for any values is tried; beyond ten former versions the oldest are deleted.
      for (let call = 0; call < 18; call += 1) {
        const rows = [
          { ...account, is_cash: false, day: "1970-01-01", source, is_shown: false, value: { EUR: "1.00" } },
        ];
        const accounts = rows.map((row) => ({
          ...row,
          ordinal: 0,
          stated_at: new Date(call),
          items: `[${call}]`,
          sums: "[]",
        }));
        await client.query("select store_valuations($1, $2, $3)", [
          ...[tenant.tenant_id, connection_id, JSON.stringify({ arrival: 0, complete_on: null, accounts })],
        ]);
      }
    } finally {
      client.release(true);
    }
    expect(told.mock.calls).toEqual([]);
  });

  it("[C-9.653] asks all nodes once which tenants have old valuations, and deletes a tenant's on its node", async () => {
    const { connection_id } = await tenant.connect();
    const account = { ...samples.portfolio({ balance: "1.00" }), is_cash: false, ordinal: 0, is_shown: false };
    const source = { kind: "provider", provider: "sandbox" };
    const accounts = ["1960-01-01", "1960-01-02", "1965-01-01"].map((day) => ({
      ...{ ...account, day, stated_at: day, source, items: `["${day}"]`, sums: "[]", value: { EUR: "1.00" } },
    }));
    await database.pool.query("select store_valuations($1, $2, $3)", [
      ...[tenant.tenant_id, connection_id, JSON.stringify({ arrival: 0, complete_on: null, accounts })],
    ]);
    const reap = async (before: string) => {
      const { rows } = await database.pool.query("select reap_valuations($1, '{}', 100)::integer as gone", [before]);
      return rows[0].gone;
    };
    const before = await counted();
    expect(await reap("1964-01-01")).toBe(2);
    const after = await counted();
    expect(after.several - before.several).toBe(1);
    expect(await reap("1964-01-01")).toBe(0);
  });

  it("plans one task for a tenant's rows, whichever table", async () => {
    for (const table of spreadTables) {
      const { rows } = await database.pool.query(
        `explain (format json) select count(*) from ${table} where tenant_id = '${tenant.tenant_id}'`,
      );
      expect(JSON.stringify(rows[0])).toContain('"Task Count":1,');
    }
  });

  it("keeps its functions when migrations bring others, and says when they are not its own", async () => {
    const foreign =
      "create or replace function reap_replaced_transactions(p_before timestamptz, p_limit integer) returns bigint language sql as 'select 0::bigint'";
    await unprotect(database.pool);
    await database.pool.query(`begin; ${FUNCTIONS_STAY}; ${foreign}; commit`);
    expect((await clusterState(database.pool)).steps).toMatchObject([{ kind: "functions" }]);
    await keepClusterFunctions(database.pool);
    await protect(database.pool);
    expect((await clusterState(database.pool)).steps).toEqual([]);
    // As at the start and end of a migration.
    await unprotect(database.pool);
    await protect(database.pool);
    expect(await migrate(database.pool)).toEqual([]);
    expect((await migrationState(database.pool)).pending).toEqual([]);
  });
});
