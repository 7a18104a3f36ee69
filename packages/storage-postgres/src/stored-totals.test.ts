import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe.each(testBackends)("counts and sums of a snapshot on $name", ({ create }) => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await create();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  it("[C-4.23] are stored with it, and read from there instead of being counted again", async () => {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const account = samples.portfolio({ balance: "3.50" });
    const positions = ["1.25", "2.25"].map((balance) =>
      samples.holding({ portfolio_id: account.portfolio_id, balance }),
    );
    const [as_of, published_at] = [new Date(0), new Date(0)];
    const transactions = [samples.transaction({ balance: "10.00" })];
    await tenant.run(({ snapshots }) =>
      snapshots.publish({
        connection_id,
        as_of,
        published_at,
        portfolios: [account],
        holdings: positions,
        transactions,
      }),
    );
    const { rows } = await database.pool.query(
      "select product, row_count, totals from snapshots where tenant_id = $1 order by product",
      [tenant.tenant_id],
    );
    expect(rows).toEqual([
      { product: "investment", row_count: 2, totals: { EUR: "3.50", "EUR rows": "2" } },
      { product: "portfolio", row_count: 1, totals: { EUR: "3.50", "EUR rows": "1" } },
      { product: "transaction", row_count: 1, totals: { EUR: "10.00", "EUR rows": "1" } },
    ]);

    // Wrong figures show where an answer takes them from.
    await database.pool.query("update snapshots set row_count = row_count + 40, totals = $2 where tenant_id = $1", [
      tenant.tenant_id,
      { EUR: "77.77", "EUR rows": "9" },
    ]);
    const { reader } = storage;
    const ofOne = { connection_ids: [connection_id] };
    const answers = [
      await reader.portfolios(tenant.tenant_id, samples.portfolioQuery(ofOne)),
      await reader.holdings(tenant.tenant_id, samples.holdingQuery(ofOne)),
      await reader.transactions(tenant.tenant_id, samples.transactionQuery(ofOne)),
    ];
    const totals = [{ currency: "EUR", balance: "77.77", rows: 9 }];
    expect(answers).toMatchObject([41, 42, 41].map((total) => ({ kind: "page", total, totals })));
  });

  it("[C-4.83] of a snapshot that comes in parts are the same: a sum of 0 is one, and rows without a balance are counted", async () => {
    const tenant = await samples.newTenant(storage);
    const { connection_id } = await tenant.connect();
    const portfolios = [
      ...Array.from({ length: 1_100 }, () => samples.portfolio({ balance: "1.00" })),
      samples.portfolio({ currency: "JPY", balance: "0" }),
      samples.portfolio({ currency: "USD", balance: null }),
    ];
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: samples.now, published_at: samples.now, portfolios }),
    );
    expect(await storage.reader.portfolios(tenant.tenant_id, samples.portfolioQuery())).toMatchObject({
      totals: [
        { currency: "EUR", balance: "1100.00", rows: 1_100 },
        { currency: "JPY", balance: "0", rows: 1 },
        { currency: "USD", balance: null, rows: 1, rows_without_balance: 1 },
      ],
    });
  });
});
