import { describeStorage } from "@org/core/testing";
import { describe } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  type TestDatabase,
  testDatabaseUrl,
} from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const storageOn = ({ pool, close }: TestDatabase) => ({
  storage: createPostgresStorage(createTransactions(pool)),
  close,
});

describeStorage("PGlite", async () => storageOn(await createEmbeddedTestDatabase()));

describe.skipIf(!testDatabaseUrl)("with TEST_DATABASE_URL", () => {
  describeStorage("PostgreSQL", async () => storageOn(await createPostgresTestDatabase()));
});
