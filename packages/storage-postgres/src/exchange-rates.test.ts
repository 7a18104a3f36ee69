import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { daysWithRates, ratesBetween } from "./queries/exchange-rates.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const PAIRS = 30;
/** Blocks that a higher index may take. */
const BLOCKS = 60;

describe.skipIf(!testDatabaseUrl)("exchange rates on PostgreSQL", () => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  const dayOf = (day: number) => new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10);
  const codes = Array.from(
    { length: PAIRS },
    (_, index) => `X${String.fromCharCode(65 + index / 10, 65 + (index % 10))}`,
  );
  async function fill(days: number): Promise<void> {
    const rates = Array.from({ length: days }, (_, day) =>
      codes.map((quote) => ({ date: dayOf(day), base: "EUR", quote, rate: "1.10" })),
    ).flat();
    const entry = samples.auditEntry({ audit_id: samples.newId(), action: "rates.import" });
    await storage.exchangeRates.importAll(rates, "a.csv", entry);
    await database.pool.query("vacuum analyze exchange_rates");
  }
  async function blocksOf(statement: string, values: readonly unknown[]): Promise<number> {
    const explained = `explain (analyze, buffers, format json) ${statement}`;
    // The first one also reads the catalogue.
    await database.pool.query(explained, [...values]);
    const { rows } = await database.pool.query(explained, [...values]);
    return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  }

  it("[C-8.135] a period's rates, and the newest days, are read by the index: of 2,000 days as few blocks as of 100", async () => {
    const read = async () => [
      await blocksOf(ratesBetween, [dayOf(50), dayOf(57)]),
      await blocksOf(daysWithRates, [dayOf(80), 20]),
    ];
    await fill(100);
    expect(await storage.exchangeRates.between(dayOf(50), dayOf(57))).toHaveLength(8 * PAIRS);
    const [few = 0, fewDays = 0] = await read();
    await fill(2_000);
    const [many = 0, manyDays = 0] = await read();
    expect(many - few).toBeLessThan(BLOCKS);
    expect(manyDays - fewDays).toBeLessThan(BLOCKS);
    expect(await storage.exchangeRates.days({ before: null, limit: 1 })).toEqual([
      { date: dayOf(1_999), sources: [{ source: "a.csv", rates: PAIRS }] },
    ]);
  }, 60_000);
});
