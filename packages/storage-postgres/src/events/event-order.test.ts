import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresTestDatabase, insertTenant, type TestDatabase, testDatabaseUrl } from "../testing/index.js";

const WRITERS = 4;
/** The next step: a writer appends to its transaction or ends it, two servers number concurrently, or a reader reads. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant("write" as const), who: fc.nat(WRITERS - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constantFrom("commit" as const, "rollback" as const), who: fc.nat(WRITERS - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("number" as const), who: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("read" as const), who: fc.constant(0) }) },
);

/** Cases that need several connections. */
describe.skipIf(!testDatabaseUrl)("numbers of events on PostgreSQL", () => {
  let database: TestDatabase;
  const writers: pg.PoolClient[] = [];
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    for (let count = 0; count < WRITERS; count += 1) writers.push(await database.pool.connect());
  });
  afterAll(async () => {
    for (const writer of writers) writer.release();
    await database?.close();
  });

  it("[C-11.3] whoever has seen n has missed nothing below it, in whatever order transactions commit", async () => {
    let logs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        logs += 1;
        const log = `01990000-0000-7000-8000-${logs.toString(16).padStart(12, "0")}`;
        await insertTenant(database.pool, log);
        const open: string[][] = writers.map(() => []);
        const committed: string[][] = [];
        let seen: string[] = [];
        let written = 0;

        const end = async (who: number, how: "commit" | "rollback") => {
          const events = open[who] as string[];
          if (events.length === 0) return;
          await writers[who]?.query(how);
          if (how === "commit") committed.push(events);
          open[who] = [];
        };
        const number = (limit: number) => database.pool.query("select number_events($1, 10, $2)", [log, limit]);
        const read = async () => {
          const { rows } = await database.pool.query<{ object_id: string; sequence: string }>(
            "select object_id, sequence from events where tenant_id = $1 and sequence is not null order by sequence",
            [log],
          );
          expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, index) => index + 1));
          const found = rows.map(({ object_id }) => object_id);
          expect(found.slice(0, seen.length)).toEqual(seen);
          seen = found;
        };

        for (const { what, who } of steps) {
          if (what === "write") {
            const events = open[who] as string[];
            if (events.length === 0) await writers[who]?.query("begin");
            written += 1;
            events.push(String(written));
            await writers[who]?.query(
              "insert into events (tenant_id, type, object_id, data) values ($1, 'webhook.test', $2, '{}')",
              [log, String(written)],
            );
          } else if (what === "number") await Promise.all([number(who + 1), number(who + 1)]);
          else if (what === "read") await read();
          else await end(who, what);
        }
        for (const who of writers.keys()) await end(who, "commit");
        await number(1_000);
        await read();
        // Everything committed and nothing else, each transaction in its own order.
        expect([...seen].sort()).toEqual(committed.flat().sort());
        for (const events of committed) expect(seen.filter((event) => events.includes(event))).toEqual(events);
      }),
      { numRuns: 25, seed: 16 },
    );
  });

  it("[C-8.5] nothing of a tenant's log is left or comes back when events get their numbers while it is deleted", async () => {
    const { pool } = database;
    const log = "01990000-0000-7000-9000-000000000001";
    const insert = (into: Pick<pg.Pool, "query">) =>
      into.query("insert into events (tenant_id, type, object_id, data) values ($1, 'webhook.test', 'o', '{}')", [log]);
    const number = (on: Pick<pg.Pool, "query">) => on.query("select number_events(null, 10, 100)");
    const remove = (on: Pick<pg.Pool, "query">) => on.query("delete from tenants where tenant_id = $1", [log]);
    const left = async () => {
      const { rows } = await pool.query(
        "select tenant_id::text from events where tenant_id = $1 union all select tenant_id::text from event_counters where tenant_id = $1",
        [log],
      );
      return rows;
    };
    const [one, other] = writers as [pg.PoolClient, pg.PoolClient];

    for (const [first, second] of [
      [number, remove],
      [remove, number],
    ] as const) {
      await insertTenant(pool, log);
      await insert(pool);
      await one.query("begin");
      await first(one);
      // The second has to wait, or has nothing to do: both are right.
      const done = second(other);
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 100))]);
      await one.query("commit");
      await done;
      expect(await left()).toEqual([]);
    }
    // Written by a transaction that was open when the tenant was deleted.
    await insert(pool);
    await number(pool);
    expect(await left()).toEqual([]);
  });

  it("[C-11.3] numbers are given in read committed only, where the lock shows what was committed before it", async () => {
    const client = await database.pool.connect();
    await client.query("begin isolation level repeatable read");
    await expect(client.query("select sequence_events('01990000-0000-7000-8000-000000000001', 1)")).rejects.toThrow(
      "read committed only",
    );
    await client.query("rollback");
    client.release();
  });

  it("[C-9.500] a new event is numbered and queued for as many blocks after 2,000 others as after 20, also by plans made while there were few", async () => {
    const log = "01990000-0000-7000-8001-000000000001";
    await insertTenant(database.pool, log);
    const client = await database.pool.connect();
    const insert = (count: number) =>
      client.query(
        "insert into events (tenant_id, type, object_id, data) select $1, 'letter.draft', 'x', '{}' from generate_series(1, $2::integer)",
        [log, count],
      );
    /** Blocks that numbering so many new events touches. */
    const blocks = async (count: number) => {
      await insert(count);
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) select * from number_events('${log}', 1, 1000)`,
      );
      return rows[0]["QUERY PLAN"][0].Plan["Shared Hit Blocks"] as number;
    };
    try {
      await client.query("alter table events set (autovacuum_enabled = false)");
      await client.query(
        `insert into webhook_endpoints (tenant_id, endpoint_id, url, types, labels, is_enabled, created_at, changed_at)
        values ($1, gen_random_uuid(), 'https://a.test', '{*}', '{}', true, now(), now())`,
        [log],
      );
      await blocks(1);
      await client.query("vacuum analyze events");
      for (let count = 0; count < 10; count += 1) await blocks(2);
      const few = await blocks(1);
      for (let count = 0; count < 2; count += 1) await blocks(1000);
      // The index of waiting events forgets those that were numbered.
      await client.query("vacuum events");
      await blocks(1);
      expect(await blocks(1)).toBeLessThan(few * 2);
    } finally {
      await client.query("alter table events reset (autovacuum_enabled)");
      client.release();
    }
  });
});
