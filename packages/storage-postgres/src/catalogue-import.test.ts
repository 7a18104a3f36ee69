import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const MAX_ROWS = 200;
const first = {
  id: "",
  name: "Bank",
  type: "e-banking",
  countries: ["esp"],
  available: true,
  provider: "scripted",
  provider_ref: null,
  metadata: {},
};

describe.skipIf(!testDatabaseUrl)("an import of connectors on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => database?.close());

  it("[C-9.522] stores two hundred in a statement", async () => {
    const { catalogue } = createPostgresStorage(createTransactions(database.pool));
    const added = Array.from({ length: 1_000 }, (_, index) => ({ ...first, id: `esp:${index}` }));
    const statements = vi.spyOn(pg.Client.prototype, "query");
    expect(await catalogue.importAll(added)).toEqual({ inserted: 1_000, updated: 0 });
    const texts = statements.mock.calls.map(([asked]: readonly unknown[]) =>
      typeof asked === "string" ? asked : (asked as { text: string }).text,
    );
    const inserts = texts.filter((text) => text.startsWith('insert into "connectors"'));
    expect(inserts).toHaveLength(added.length / MAX_ROWS);
  });

  it("[C-9.604] is read a thousand rows at a time, each once", async () => {
    const { catalogue } = createPostgresStorage(createTransactions(database.pool));
    expect((await catalogue.all()).connectors).toHaveLength(1_000);
    const more = Array.from({ length: 1_500 }, (_, index) => ({ ...first, id: `fra:${index}` }));
    await catalogue.importAll(more);
    const statements = vi.spyOn(pg.Client.prototype, "query");
    const { revision, connectors } = await catalogue.all();
    expect(new Set(connectors.map(({ id }) => id)).size).toBe(2_500);
    expect(connectors).toHaveLength(2_500);
    expect(revision).toBe(await catalogue.revision());
    const reads = statements.mock.calls.filter(([asked]: readonly unknown[]) =>
      (asked as { text?: string }).text?.includes("from connectors where"),
    );
    expect(reads).toHaveLength(3);
  });
});
