import type { Publication, Uuid } from "@org/core";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe.each(testBackends)("dates of a snapshot on $name", ({ create }) => {
  let database: TestDatabase;
  let storage: ReturnType<typeof createPostgresStorage>;
  let tenant: Awaited<ReturnType<typeof samples.newTenant>>;
  let connection_id: Uuid;
  beforeAll(async () => {
    database = await create();
    storage = createPostgresStorage(createTransactions(database.pool));
  });
  afterAll(() => database?.close());

  const day = (number: number) => new Date(Date.UTC(2026, 2, number));
  const holding = (valuation_date: string | null, portfolio_id: string = samples.newId()) =>
    samples.holding({ valuation_date, portfolio_id });
  async function begin() {
    tenant = await samples.newTenant(storage);
    ({ connection_id } = await tenant.connect());
  }
  const publish = (rows: Partial<Publication>) =>
    tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: day(1), published_at: samples.now, ...rows }),
    );
  /** Of the current snapshots, by product. */
  async function dates() {
    const { rows } = await database.pool.query(
      `select product, to_char(stale_at at time zone 'UTC', 'YYYY-MM-DD') as stale_at, oldest_day::text, newest_day::text
      from snapshots where tenant_id = $1 and until_revision is null order by product`,
      [tenant.tenant_id],
    );
    return rows.map(({ product, stale_at, oldest_day, newest_day }) => [product, stale_at, oldest_day, newest_day]);
  }

  it("[C-4.112] are when it goes stale, and the first and last valuation day of its holdings", async () => {
    await begin();
    await publish({ portfolios: [samples.portfolio()], holdings: [holding(null)], transactions: [] });
    expect(await dates()).toEqual([
      ["investment", null, null, null],
      ["portfolio", null, null, null],
      ["transaction", null, null, null],
    ]);
    const holdings = ["2026-02-27", null, "2009-03-01", "2026-02-26"].map((date) => holding(date));
    await publish({ stale_at: day(6), portfolios: [samples.portfolio()], holdings, digests: { portfolio: "p" } });
    expect(await dates()).toEqual([
      ["investment", "2026-03-06", "2009-03-01", "2026-02-27"],
      ["portfolio", "2026-03-06", null, null],
      ["transaction", null, null, null],
    ]);
    const stated = { connection_id, as_of: day(3), stale_at: day(8), digests: { portfolio: "p" } };
    expect(await tenant.run(({ snapshots }) => snapshots.confirm(stated))).toBe(true);
    expect((await dates()).slice(0, 2).map(([, stale_at]) => stale_at)).toEqual(["2026-03-06", "2026-03-08"]);
    const many = Array.from({ length: 1_100 }, (_, i) => holding(i === 1_050 ? "2026-02-25" : "2026-02-26"));
    await publish({ stale_at: day(9), holdings: many });
    expect((await dates())[0]).toEqual(["investment", "2026-03-09", "2026-02-25", "2026-02-26"]);
  });

  it("[C-4.112] of a feed are those of all its accounts; products that a file has not are as fresh as the others", async () => {
    await begin();
    const [one, other] = [samples.portfolio(), samples.portfolio()];
    const file = (portfolio: typeof one, date: string, rest: Partial<Publication>) =>
      publish({
        partial: true,
        portfolios: [portfolio],
        holdings: [holding(date, portfolio.portfolio_id)],
        ...rest,
      });
    await file(one, "2026-02-20", { stale_at: day(6), transactions: [] });
    await file(other, "2026-02-27", { as_of: day(2), stale_at: day(9) });
    const both = [
      ["investment", "2026-03-09", "2026-02-20", "2026-02-27"],
      ["portfolio", "2026-03-09", null, null],
      ["transaction", "2026-03-09", null, null],
    ];
    expect(await dates()).toEqual(both);
    // An older file, and a change of what is shown without any file.
    await file(samples.portfolio(), "2026-02-26", { stale_at: day(8) });
    await publish({ partial: true, as_of: new Date(0), portfolios: [] });
    expect(await dates()).toEqual(both);
    await file(other, "2026-03-02", { as_of: day(3), stale_at: day(8) });
    expect(await dates()).toEqual([
      ["investment", "2026-03-08", "2026-02-20", "2026-03-02"],
      ["portfolio", "2026-03-08", null, null],
      ["transaction", "2026-03-09", null, null],
    ]);
  });
});
