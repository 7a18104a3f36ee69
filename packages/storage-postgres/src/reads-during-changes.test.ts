import type { Uuid, WealthQuery } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { figureReader } from "./queries/figure-reads.js";
import { wealthReader } from "./queries/wealth-reads.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions, type Db, type Transactions } from "./transactions.js";

const DAY = "2026-03-02";

// The embedded database has one connection: nothing changes within a read.
describe.skipIf(!testDatabaseUrl)("figures of what changes while they are read", () => {
  let database: TestDatabase;
  let transactions: Transactions;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    transactions = createTransactions(database.pool);
    // Transactions of its own, since those of one are not nested.
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  /** A connection with one holding, and what values it anew on the same day. */
  async function valued() {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    await tenant.run(({ refreshes }) => refreshes.plan(connection_id, samples.plan(samples.now)));
    const account = samples.portfolio({ balance: null });
    const holding = samples.holding({ portfolio_id: account.portfolio_id });
    let times = 0;
    const state = async (balance: string) => {
      times += 1;
      const as_of = new Date(Date.parse(`${DAY}T12:00:00Z`) + times * 1_000);
      const source = { kind: "provider", provider: "sandbox" } as const;
      const one = { ...account, is_cash: false, day: DAY, as_of, holdings: "shown", source } as const;
      await tenant.run(({ snapshots }) =>
        snapshots.publish({
          ...{ connection_id, as_of, published_at: as_of, digests: { portfolio: "p", investment: balance } },
          valuations: { read_at: as_of, arrival: 0, complete_on: DAY, accounts: [one] },
          ...{ portfolios: [account], holdings: [{ ...holding, balance }], transactions: [] },
        }),
      );
    };
    await state("1.00");
    const remove = () => tenant.run(({ connections }) => connections.remove(connection_id));
    return { tenant_id: tenant.tenant_id, state, remove, holding_id: holding.holding_id };
  }

  /** Transactions in which something happens before each statement that names a table, the first so many times. */
  function interrupted(table: string, times: number, happen: (time: number) => Promise<unknown>): Transactions {
    const names = new RegExp(`\\b${table}\\s`);
    let time = 0;
    const watched = (db: Db): Db =>
      new Proxy(db, {
        get(target, name) {
          if (name !== "getExecutor") return Reflect.get(target, name);
          return () => {
            const executor = target.getExecutor();
            const executeQuery: typeof executor.executeQuery = async (query) => {
              if (names.test(query.sql) && time < times) {
                time += 1;
                await happen(time);
              }
              return executor.executeQuery(query);
            };
            return new Proxy(executor, {
              get: (inner, member) =>
                member === "executeQuery" ? executeQuery : Reflect.get(inner, member).bind(inner),
            });
          };
        },
      });
    return { ...transactions, asTenant: (tenant, work) => transactions.asTenant(tenant, (db) => work(watched(db))) };
  }

  const query: WealthQuery = {
    ...{ connection_ids: null, from: DAY, to: DAY, closes: [DAY], with_movements: false, holdings: "all" },
  };

  it("[C-8.195] the holdings of a day are those of its value, also when both are replaced in between, again and again", async () => {
    const { tenant_id, state } = await valued();
    const reader = wealthReader(interrupted("valued_holdings", 3, (time) => state(`${time + 1}.00`)));
    // At one close both are read by one statement, of a period by two.
    const { closes: _, ...period } = query;
    const [facts] = await reader.facts(tenant_id, period);
    const [valuation] = facts?.accounts[0]?.valuations ?? [];
    expect(valuation?.holdings_value).toEqual([{ amount: "4.00", currency: "EUR" }]);
    expect(valuation?.holdings).toMatchObject([{ balance: "4.00" }]);
  });

  it("[C-8.195] a connection that is removed in between is in no figure, nor missing in one", async () => {
    const { tenant_id, remove } = await valued();
    for (const table of ["valued_accounts", "valued_holdings"]) {
      const { tenant_id, remove } = await valued();
      expect(await wealthReader(interrupted(table, 1, remove)).facts(tenant_id, query)).toEqual([]);
    }
    await remove();
    expect(await wealthReader(transactions).facts(tenant_id, query)).toEqual([]);
  });

  it("[C-8.195] why a holding has its number is told when it gets another one meanwhile", async () => {
    const { tenant_id, state, holding_id } = await valued();
    const reader = figureReader(interrupted("replaced_valuations", 1, () => state("2.00")));
    const found = await reader.versions(tenant_id, { id: holding_id as Uuid, connection_ids: null, date: DAY });
    expect(found?.versions.map(({ balance }) => balance)).toEqual(["1.00"]);
    const after = await reader.versions(tenant_id, { id: holding_id as Uuid, connection_ids: null, date: DAY });
    expect(after?.versions.map(({ balance }) => balance)).toEqual(["2.00", "1.00"]);
  });
});
