import type { NewEvent } from "@org/core";
import { samples } from "@org/core/testing";
import { describeEventStore, describeWebhookStores } from "@org/events/testing";
import { it } from "vitest";
import { createPostgresStorage } from "../postgres-storage.js";
import { type TestDatabase, testBackends, testDatabaseUrl } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createDeliveryQueue } from "../webhooks/delivery-queue.js";
import { createEndpointStore } from "../webhooks/endpoint-store.js";
import { createEventStore } from "./event-store.js";

for (const { name, create } of testBackends) {
  // Both suites on one database: making it takes longer than their cases.
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
        await storage.inTenant(tenantId, (stores) => stores.events.append(events));
        // As old as they are wanted: the database's own time is none that a test can set.
        if (at)
          await pool.query(
            "update events set created_at = $1 where sequence is null and created_at > now() - interval '1 hour'",
            [at],
          );
      },
    };
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
