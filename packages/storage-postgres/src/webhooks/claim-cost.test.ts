import { samples } from "@org/core/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createDeliveryQueue } from "./delivery-queue.js";

const LIMIT = 4;

describe.skipIf(!testDatabaseUrl)("what a claim of webhook endpoints reads on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterAll(() => database?.close());

  it("[C-9.502] a claim reads as many blocks for 4,000 waiting tenants as for 200", async () => {
    const few = await blocksWith(200);
    expect(await blocksWith(4_000)).toBeLessThan(few * 1.5);
  });

  /** Blocks that a claim touches when so many tenants wait, half of them with proven endpoints. */
  async function blocksWith(tenants: number): Promise<number> {
    const { pool } = database;
    await pool.query("alter table webhook_endpoints disable trigger all");
    await pool.query(
      `insert into webhook_endpoints (
        tenant_id, endpoint_id, url, types, labels, is_enabled, is_proven, due_at, created_at, changed_at
      )
      select lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), 'https://a.test', '{*}', '{}', true, n % 2 = 0,
        $2::timestamptz - n * interval '1 second', $2, $2
      from generate_series((select count(*) from webhook_endpoints) + 1, $1) n`,
      [tenants, samples.now],
    );
    await pool.query("vacuum analyze webhook_endpoints");
    const statements = vi.spyOn(pg.Client.prototype, "query");
    const request = { lease: samples.newId(), now: samples.now, until: samples.later(1), limit: LIMIT };
    const queue = createDeliveryQueue(createTransactions(pool));
    const leased = await queue.claim({
      ...request,
      unproven: 2,
      used: { proven: { [samples.newId()]: 1 }, unproven: {} },
      except_tenants: [],
    });
    expect(leased).toHaveLength(LIMIT);
    const claim = statements.mock.calls.find(([text]) => String(text).includes("update webhook_endpoints"));
    statements.mockRestore();
    await queue.withdraw(request.lease);
    const [text, values] = claim as unknown as [string, unknown[]];
    const client = await pool.connect();
    await client.query("begin");
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    await client.query("rollback");
    client.release();
    return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
  }
});
