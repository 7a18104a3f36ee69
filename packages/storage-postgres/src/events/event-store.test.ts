import { randomUUID } from "node:crypto";
import { auditEntry, type NewEvent, systemActor, type Uuid } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import type { EventQuery } from "@org/events";
import { describeEventStore, describeWebhookStores } from "@org/events/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createPostgresStorage } from "../postgres-storage.js";
import { insertTenant, type TestDatabase, testBackends, testDatabaseUrl } from "../testing/index.js";
import { createTransactions, type Db } from "../transactions.js";
import { createDeliveryQueue } from "../webhooks/delivery-queue.js";
import { createEndpointStore } from "../webhooks/endpoint-store.js";
import { createEventStore } from "./event-store.js";

for (const { name, create } of testBackends) {
  // Both suites share one database: creating it takes longer than their cases.
  let made: Promise<TestDatabase> | undefined;
  const open = async () => {
    made ??= create();
    const { pool, close } = await made;
    const transactions = createTransactions(pool);
    return { pool, close, transactions, storage: createPostgresStorage(transactions) };
  };

  describeEventStore(name, async () => {
    const { pool, transactions, storage } = await open();
    return {
      store: createEventStore(transactions),
      async append(tenantId, events, at) {
        await insertTenant(pool, tenantId);
        await storage.inTenant(tenantId, (stores) => stores.events.append(events));
        // Backdates the events: a test cannot set the database's own time.
        if (at)
          await pool.query(
            "update events set created_at = $1 where sequence is null and created_at > now() - interval '1 hour'",
            [at],
          );
      },
    };
  });

  describe(`what only a database shows of events: ${name}`, () => {
    const log = "01990000-0000-7000-c000-000000000001";
    const event: NewEvent = {
      type: "session.finished",
      object_id: log,
      data: { session_id: log, status: "Finished:OK", error_code: null, connection_id: null, client_ref: null },
    };
    const everything: EventQuery = {
      type_in: null,
      object_id: null,
      client_ref_in: null,
      from: null,
      until: null,
      after: null,
      before: null,
      place: null,
      order: "asc",
      limit: 10,
    };
    const sequences = async () => {
      const { transactions } = await open();
      return (await createEventStore(transactions).page(log, everything)).events.map(({ sequence }) => sequence);
    };

    it("[C-11.1] what was written and rolled back gets no number, and leaves no gap", async () => {
      const { pool, storage } = await open();
      await insertTenant(pool, log);
      const client = await pool.connect();
      const { type, object_id, data } = event;
      await client.query("begin");
      const insert = "insert into events (tenant_id, type, object_id, data) values ($1, $2, $3, $4)";
      await client.query(insert, [log, type, object_id, JSON.stringify(data)]);
      await client.query("rollback");
      client.release();
      expect(await sequences()).toEqual([]);
      await storage.inTenant(log, (stores) => stores.events.append([event]));
      expect(await sequences()).toEqual([1]);
    });

    it("[C-11.1] a change whose events the database does not take is undone with them", async () => {
      const { storage } = await open();
      const before = await sequences();
      // PostgreSQL cannot store this character from a JSON text.
      const data = { ...event.data, session_id: "\u0000" };
      const change = storage.inTenant(log, async (stores) => {
        await stores.audit.append(auditEntry(createTestRuntime(), systemActor, "session.abort", "session", log));
        await stores.events.append([event, { ...event, data } as NewEvent]);
      });
      await expect(change).rejects.toThrow();
      expect(await sequences()).toEqual(before);
      expect(await storage.inTenant(log, ({ audit }) => audit.list({ limit: 10 }))).toEqual([]);
    });

    it("[C-11.89] [C-4.30] a deleted connection's labels are in no event any more, numbered or not, when it is committed", async () => {
      const { pool, storage } = await open();
      const tenant = await samples.newTenant(storage);
      const { tenant_id } = tenant;
      const append = (...happened: readonly NewEvent[]) => tenant.run(({ events }) => events.append(happened));
      const [gone, stays, session_id] = [randomUUID(), randomUUID(), randomUUID()];
      const labels = { client: "Ada Example" };
      const connection = (connection_id: string, type: "connection.created" | "connection.removed"): NewEvent => {
        const data = {
          connection_id,
          connector_id: "bank",
          client_ref: null,
          status: "ready",
          letter_id: null,
        } as const;
        return { type, object_id: connection_id, labels, data };
      };
      const finished = (connection_id: string | null): NewEvent => {
        const data = { session_id, status: "Finished:OK", error_code: null, connection_id, client_ref: null } as const;
        return { type: "session.finished", object_id: session_id, labels, data };
      };
      const labelled = async () => {
        const query =
          "select type, object_id from events where tenant_id = $1 and events::text like '%Ada%' order by written";
        return (await pool.query(query, [tenant_id])).rows;
      };
      await append(finished(gone), connection(gone, "connection.created"));
      await createEventStore((await open()).transactions).page(tenant_id, everything);
      await append(finished(gone), finished(null), connection(stays, "connection.created"));
      expect(await labelled()).toHaveLength(5);
      await append(connection(gone, "connection.created"), connection(gone, "connection.removed"));
      expect(await labelled()).toEqual([
        { type: "session.finished", object_id: session_id },
        { type: "connection.created", object_id: stays },
      ]);
    });

    it("[C-11.10] a page reads as many events as it shows and a few more, however many are kept", async () => {
      const { pool, transactions } = await open();
      const kept = "01990000-0000-7000-c000-000000000002";
      const start = new Date("2026-03-01T00:00:00Z");
      // Five minutes apart; three types, and one event in 2,000 of a fourth; 20 events of an object.
      await pool.query(
        `insert into events (tenant_id, sequence, type, created_at, object_id, data)
         select $1, n, case n % 2000 when 7 then 'letter.moved' else ('{data.changed,grant.ended,session.finished}'::text[])[1 + n % 3] end,
           $2::timestamptz + n * interval '5 minutes', (n % 500)::text, '{}'
         from generate_series(1, 10000) n`,
        [kept, start],
      );
      await pool.query("analyze events");
      const { rows } = await pool.query<{ event_id: Uuid }>(
        "select event_id from events where tenant_id = $1 and sequence in (4000, 8000) order by sequence",
        [kept],
      );
      const [first, last] = rows.map(({ event_id }) => event_id) as [Uuid, Uuid];
      const at = (sequence: number) => new Date(start.getTime() + sequence * 300_000);
      let touched = 0;
      const count = async (db: Db) => {
        const { rows: counted } = await sql<{ touched: string }>`
          select coalesce(sum(seq_tup_read + idx_tup_fetch), 0) as touched
          from pg_stat_xact_user_tables where relname = 'events'`.execute(db);
        return Number(counted[0]?.touched);
      };
      const store = createEventStore({
        ...transactions,
        asTenant: (tenant, work) =>
          transactions.asTenant(tenant, async (db) => {
            const before = await count(db);
            const done = await work(db);
            touched = (await count(db)) - before;
            return done;
          }),
      });
      const cases: (Partial<EventQuery> & { readonly found: number })[] = [
        { found: 1 },
        { order: "desc", found: 10_000 },
        { place: 5_000, found: 5_001 },
        { place: 5_000, order: "desc", found: 4_999 },
        { after: first, found: 4_001 },
        { before: last, order: "desc", found: 7_999 },
        { after: first, before: last, order: "desc", found: 7_999 },
        { from: at(6_000), found: 6_000 },
        { until: at(6_000), order: "desc", found: 5_999 },
        { until: at(6_000), found: 1 },
        { from: at(3_000), until: at(6_000), order: "desc", found: 5_999 },
        { type_in: ["letter.moved"], order: "desc", found: 8_007 },
        { type_in: ["letter.moved", "data.changed"], after: first, found: 4_002 },
        { type_in: ["data.changed"], until: at(6_000), order: "desc", found: 5_997 },
        { object_id: "17", order: "desc", found: 9_517 },
        { object_id: "17", type_in: ["grant.ended"], until: at(6_000), found: 517 },
      ];
      for (const { found, ...query } of cases) {
        const { events } = await store.page(kept, { ...everything, ...query });
        expect([query, events[0]?.sequence]).toEqual([query, found]);
        expect([query, touched <= 40 ? "few" : touched]).toEqual([query, "few"]);
      }
      await pool.query("delete from events where tenant_id = $1", [kept]);
    });
  });

  describeWebhookStores(name, async () => {
    const { transactions, storage, close } = await open();
    const events = createEventStore(transactions);
    return {
      endpoints: createEndpointStore(transactions),
      queue: createDeliveryQueue(transactions),
      newTenant: async () => (await samples.newTenant(storage)).tenant_id,
      append: (tenantId: string, happened: readonly NewEvent[]) =>
        storage.inTenant(tenantId, (stores) => stores.events.append(happened)),
      number: async () => void (await events.number({ logs: 100, limit: 1_000 })),
      forgetEvents: async () => void (await events.reap(new Date("2099-01-01"), 100_000)),
      auditOf: (tenantId: string) => storage.inTenant(tenantId, ({ audit }) => audit.list({ limit: 1_000 })),
      close,
    };
  });
}

if (!testDatabaseUrl) it.skip("log of events: PostgreSQL, for TEST_DATABASE_URL is not set", () => {});
