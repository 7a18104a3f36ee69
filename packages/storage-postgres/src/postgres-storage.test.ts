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

it.skipIf(testDatabaseUrl)("storage: PostgreSQL is left out, for TEST_DATABASE_URL is not set", () => {});
