import type { Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Blocks that may be added: for each of twenty ids a leaf of an index and rows elsewhere, and levels. All former versions have some 750. */
const BLOCKS = 100;

describe.skipIf(!testDatabaseUrl)("former versions of transactions on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  /** A connection whose `count` transactions were corrected so often. */
  async function corrected(count: number, times: number) {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const rows = Array.from({ length: count }, () => samples.transaction());
    for (let n = 0; n <= times; n += 1) {
      const transactions = rows.map((row) => ({ ...row, description: `said ${n}` }));
      const [as_of, published_at] = [samples.later(n), samples.later(n)];
      await tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of, published_at, transactions }));
    }
    await database.pool.query("vacuum analyze");
    return { tenant, connection_id, ids: rows.map(({ transaction_id }) => transaction_id) };
  }

  it("[C-5.222] those of one transaction, and counts for a page, are read without those of others", async () => {
    const read = async ({ tenant, connection_id, ids }: Awaited<ReturnType<typeof corrected>>) => [
      await blocksOf("read_transaction_versions($1, $2, $3, array['description'])", [
        ...[tenant.tenant_id, connection_id],
        ids[0],
      ]),
      await blocksOf("former_versions($1, $2, $3)", [
        tenant.tenant_id,
        ids.slice(0, 20).map(() => connection_id),
        ids.slice(0, 20),
      ]),
    ];
    const [few, many] = [await read(await corrected(50, 5)), await read(await corrected(4_000, 5))];
    for (const [index, blocks] of many.entries()) expect(blocks - Number(few[index])).toBeLessThan(BLOCKS);
  });

  it("[C-5.222] those beyond ten are deleted with the next correction, once no reader can be at their revisions", async () => {
    const { tenant, connection_id, ids } = await corrected(1, 13);
    const stored = async () => {
      const { rows } = await database.pool.query(
        "select count(*)::integer as rows from replaced_transactions where tenant_id = $1",
        [tenant.tenant_id],
      );
      return rows[0].rows as number;
    };
    expect(await stored()).toBe(13);
    const never = new Date(0);
    await storage.upkeep.reap(
      {
        ...{ now: never, finished_sessions_before: never, former_versions_before: never, settled_mails_before: never },
        replaced_snapshots_before: samples.later(14),
        valuations_before: "2000-01-01",
      },
      100_000,
    );
    expect(await stored()).toBe(13);
    const transactions = [samples.transaction({ transaction_id: ids[0] as Uuid, description: "said at last" })];
    const [as_of, published_at] = [samples.later(15), samples.later(15)];
    await tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of, published_at, transactions }));
    expect(await stored()).toBe(10);
  });

  async function blocksOf(read: string, values: readonly unknown[]): Promise<number> {
    const page = `explain (analyze, buffers, format json) select * from ${read}`;
    // The first one also reads the catalogue.
    await database.pool.query(page, [...values]);
    const { rows } = await database.pool.query(page, [...values]);
    return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  }
});
