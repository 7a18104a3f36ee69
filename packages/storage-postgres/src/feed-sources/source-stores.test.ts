import { describeSourceStores } from "@org/feed-sources/testing";
import { describe } from "vitest";
import {
  createEmbeddedTestDatabase,
  createPostgresTestDatabase,
  type TestDatabase,
  testDatabaseUrl,
} from "../testing/index.js";
import { createTransactions } from "../transactions.js";
import { createSourceStores } from "./source-stores.js";

const fixtureOn = ({ pool, close }: TestDatabase) => ({ stores: createSourceStores(createTransactions(pool)), close });

describeSourceStores("PGlite", async () => fixtureOn(await createEmbeddedTestDatabase()));

describe.skipIf(!testDatabaseUrl)("with TEST_DATABASE_URL", () => {
  describeSourceStores("PostgreSQL", async () => fixtureOn(await createPostgresTestDatabase()));
});
