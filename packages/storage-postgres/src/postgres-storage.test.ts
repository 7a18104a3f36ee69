import { describeStorage } from "@org/core/testing";
import { describeDataFeeds } from "@org/data-feeds/testing";
import { it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { testBackends, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

for (const { name, create } of testBackends) {
  describeStorage(name, async () => {
    const { pool, close } = await create();
    const eventsOf = async (tenantId: string) =>
      (
        await pool.query(
          `select type, object_id, data,
            (select json_object_agg(split_part(l, '=', 1), substr(l, strpos(l, '=') + 1)) from unnest(labels) l) as labels
          from events where tenant_id = $1 order by written`,
          [tenantId],
        )
      ).rows.map(({ labels, ...event }) => (labels === null ? event : { ...event, labels }));
    return { storage: createPostgresStorage(createTransactions(pool)), eventsOf, close };
  });
}

for (const { name, create } of testBackends) {
  describeDataFeeds(name, async () => {
    const { pool, close } = await create();
    return { storage: createPostgresStorage(createTransactions(pool)), close };
  });
}

if (!testDatabaseUrl) it.skip("storage: PostgreSQL, for TEST_DATABASE_URL is not set", () => {});
