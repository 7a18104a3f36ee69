import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const MAX_ROWS = 200;

describe.skipIf(!testDatabaseUrl)("an import of connectors on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => database?.close());

  it("[C-9.522] stores two hundred in a statement", async () => {
    const { catalogue } = createPostgresStorage(createTransactions(database.pool));
    const added = Array.from({ length: 1_000 }, (_, index) => ({
      id: `esp:${index}`,
      name: `Bank ${index}`,
      type: "e-banking",
      countries: ["esp"],
      available: true,
      provider: "scripted",
      provider_ref: null,
      metadata: {},
    }));
    const statements = vi.spyOn(pg.Client.prototype, "query");
    expect(await catalogue.importAll(added)).toEqual({ inserted: 1_000, updated: 0 });
    const texts = statements.mock.calls.map(([asked]: readonly unknown[]) =>
      typeof asked === "string" ? asked : (asked as { text: string }).text,
    );
    const inserts = texts.filter((text) => text.startsWith('insert into "connectors"'));
    expect(inserts).toHaveLength(added.length / MAX_ROWS);
  });
});
