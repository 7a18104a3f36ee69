import { describeStorage } from "@org/core/testing";
import { it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { testBackends, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

for (const { name, create } of testBackends) {
  describeStorage(name, async () => {
    const { pool, close } = await create();
    return { storage: createPostgresStorage(createTransactions(pool)), close };
  });
}

if (!testDatabaseUrl) it.skip("storage: PostgreSQL, for TEST_DATABASE_URL is not set", () => {});
