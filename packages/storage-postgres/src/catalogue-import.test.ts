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
    expect(await catalogue.importAll(added)).toEqual({ inserted: 1_000, updated: 0, unchanged: 0 });
    const texts = statements.mock.calls.map(([asked]: readonly unknown[]) =>
      typeof asked === "string" ? asked : (asked as { text: string }).text,
    );
    const inserts = texts.filter((text) => text.includes("insert into connectors"));
    expect(inserts).toHaveLength(added.length / MAX_ROWS);
  });

  it("[C-5.270] writes nothing, not even a lock, for rows that are stored as they are given", async () => {
    const { catalogue } = createPostgresStorage(createTransactions(database.pool));
    const own = { ...first, metadata: { identifiers: { domain: "bank.example" }, logo_url: null } };
    const added = Array.from({ length: 500 }, (_, index) => ({ ...own, id: `ita:${index}` }));
    expect(await catalogue.importAll(added)).toEqual({ inserted: 500, updated: 0, unchanged: 0 });
    const stored = async () =>
      (
        await database.pool.query(
          "select xmin::text, xmax::text, ctid::text from connectors where connector_id like 'ita:%' order by connector_id",
        )
      ).rows;
    const [before, revision] = [await stored(), await catalogue.revision()];
    expect(await catalogue.importAll(added)).toEqual({ inserted: 0, updated: 0, unchanged: 500 });
    expect([await stored(), await catalogue.revision()]).toEqual([before, revision]);
    const renamed = added.with(7, { ...own, id: "ita:7", name: "Banca" });
    expect(await catalogue.importAll(renamed)).toEqual({ inserted: 0, updated: 1, unchanged: 499 });
    expect(await catalogue.revision()).not.toBe(revision);
    expect((await catalogue.find("ita:7"))?.name).toBe("Banca");
    await database.pool.query("delete from connectors where connector_id like 'ita:%'");
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
