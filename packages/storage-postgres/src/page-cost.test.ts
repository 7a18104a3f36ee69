import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** Blocks that the page itself and the index above it may take. */
const BLOCKS = 30;

describe.skipIf(!testDatabaseUrl)("what a page reads on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  it("[C-9.550] a page out of 10,000 rows reads as many blocks as one out of 100, from their middle too", async () => {
    for (const read of ["read_portfolios", "read_holdings"]) {
      const few = await blocksOf(read, await tenantWith(100), 40);
      const many = await blocksOf(read, await tenantWith(10_000), 4_000);
      expect(many - few, read).toBeLessThan(BLOCKS);
    }
  });

  /** A tenant with one connection that has so many holdings, each in an account of its own. */
  async function tenantWith(count: number): Promise<string> {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const portfolios = Array.from({ length: count }, () => samples.portfolio());
    const holdings = portfolios.map(({ portfolio_id }) => samples.holding({ portfolio_id }));
    const [as_of, published_at] = [samples.now, samples.now];
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of, published_at, portfolios, holdings }),
    );
    await database.pool.query("vacuum analyze");
    return tenant.tenant_id;
  }

  async function blocksOf(read: string, tenantId: string, offset: number): Promise<number> {
    const page = `explain (analyze, buffers, format json) select * from ${read}($1, null, null, $2, 20, null, false, now())`;
    // The first one also reads the catalogue.
    await database.pool.query(page, [tenantId, offset]);
    const { rows } = await database.pool.query(page, [tenantId, offset]);
    return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  }
});
