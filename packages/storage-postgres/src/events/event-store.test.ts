import { describeEventStore } from "@org/events/testing";
import { it } from "vitest";
import { createPostgresStorage } from "../postgres-storage.js";
import { testBackends, testDatabaseUrl } from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createEventStore } from "./event-store.js";

for (const { name, create } of testBackends) {
  describeEventStore(name, async () => {
    const { pool, close } = await create();
    const transactions = createTransactions(pool);
    const storage = createPostgresStorage(transactions);
    return {
      store: createEventStore(transactions),
      close,
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
}

if (!testDatabaseUrl) it.skip("log of events: PostgreSQL, for TEST_DATABASE_URL is not set", () => {});
