import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOtherMigration, migrate, migrationHash, migrationState } from "./migrate.js";
import { migrations } from "./migrations.js";
import { createPostgresStorage } from "./postgres-storage.js";
import {
  createPostgresTestDatabase,
  printSchema,
  type TestDatabase,
  testBackends,
  testCitusWorkers,
  testDatabaseUrl,
} from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const names = migrations.map(({ name }) => name);
/** The migrations of the first release. */
const BASELINE = 14;

it("migrations are numbered without gaps", () => {
  expect(names.map((name) => name.slice(0, 4))).toEqual(names.map((_, i) => String(i + 1).padStart(4, "0")));
});

it("[C-8.236] one that a database applied with another text than the released one is found", () => {
  const text = "create table a (b int)";
  const row = (number: number, sha256: string | null) => ({ number, name: `000${number}_some`, sha256 });
  const released = { "0001_some": migrationHash(text) };
  expect(findOtherMigration([row(1, migrationHash(text)), row(2, "of no release")], released)).toBeNull();
  for (const other of [migrationHash(`${text} `), null])
    expect(findOtherMigration([row(1, other)], released)).toBe("0001_some");
});

describe.skipIf(testCitusWorkers.length > 0).each(testBackends)("migrations on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());
  const forget = async () => {
    await database.pool.query(
      "drop schema public cascade; create schema public; grant usage on schema public to public",
    );
  };
  /** A database to which migrations with these names were applied; for ours, their statements are run. */
  const applied = async (applied: readonly string[]) => {
    await database.pool.query(
      "create table schema_migrations (number integer primary key, name text not null, sha256 text, applied_at timestamptz not null default now())",
    );
    for (const [i, name] of applied.entries()) {
      const ours = migrations.find((migration) => migration.name === name);
      if (ours) await database.pool.query(ours.sql);
      const sha256 = ours ? migrationHash(ours.sql) : null;
      await database.pool.query("insert into schema_migrations (number, name, sha256) values ($1, $2, $3)", [
        i + 1,
        name,
        sha256,
      ]);
    }
  };

  it("are applied once, in order, and told apart from none", async () => {
    await forget();
    const latest = names.length;
    expect(await migrationState(database.pool)).toEqual({ current: 0, latest, pending: names });
    expect(await migrate(database.pool)).toEqual(names);
    expect(await migrationState(database.pool)).toEqual({ current: latest, latest, pending: [] });
    expect(await migrate(database.pool)).toEqual([]);
    const { rows } = await database.pool.query("select name, sha256 from schema_migrations order by number");
    expect(rows).toEqual(migrations.map(({ name, sql }) => ({ name, sha256: migrationHash(sql) })));
  });

  it("go on where an older version stopped", async () => {
    await forget();
    await applied(names.slice(0, 3));
    expect((await migrationState(database.pool)).pending).toEqual(names.slice(3));
    expect(await migrate(database.pool)).toEqual(names.slice(3));
  });

  it("[C-8.235] a database of the first release opens with what was stored in it", async () => {
    await forget();
    await applied(names.slice(0, BASELINE));
    const tenant_id = "01a22df4-6cd1-764c-9bb6-b3e880747e23";
    await database.pool.query(
      "insert into tenants (tenant_id, name, name_key, created_at) values ($1, 'Kept', 'kept', now())",
      [tenant_id],
    );
    expect(await migrate(database.pool)).toEqual(names.slice(BASELINE));
    const storage = createPostgresStorage(createTransactions(database.pool));
    expect(await storage.tenants.list()).toMatchObject([{ tenant_id, name: "Kept" }]);
  });

  it.each([
    ["all of them", 67],
    ["a few", 2],
  ])("a database of a build before the first release, which had applied %s, is refused as it is", async (_, count) => {
    await forget();
    const last = count === 67 ? "0067_same_transactions" : "0002_environment";
    await applied(["0001_roles", ...Array.from({ length: count - 2 }, (_, i) => `an older one, ${i + 2}`), last]);
    // What migrations would change first: a forced policy, and a table without the rights for clean-up and backups.
    await database.pool.query(`
      create table tenants (tenant_id uuid primary key, name text not null);
      alter table tenants enable row level security, force row level security;
      insert into tenants values (gen_random_uuid(), 'Kept');
      create table letters (letter_id uuid primary key)`);
    const state = async () => ({
      schema: await printSchema(database.pool),
      rows: (await database.pool.query("select * from tenants")).rows,
      migrations: (await database.pool.query("select * from schema_migrations order by number")).rows,
    });
    const before = await state();
    const refusal = { name: "StorageError", code: "older_than_code", message: expect.stringContaining(last) };
    await expect(migrate(database.pool)).rejects.toMatchObject(refusal);
    await expect(migrationState(database.pool)).rejects.toMatchObject(refusal);
    expect(await state()).toEqual(before);
    expect(before.rows).toHaveLength(1);
  });

  it("one that fails leaves nothing of itself", async () => {
    await forget();
    await database.pool.query("create table letters (in_the_way int)");
    await expect(migrate(database.pool)).rejects.toThrow(/letters/);
    const state = await migrationState(database.pool);
    expect(state.pending[0]).toBe("0007_letters");
    const { rows } = await database.pool.query("select to_regclass('letter_labels') as found");
    expect(rows).toEqual([{ found: null }]);
    await database.pool.query("drop table letters");
    expect(await migrate(database.pool)).toEqual(state.pending);
  });

  it("of a newer version are refused", async () => {
    await database.pool.query(
      "insert into schema_migrations (number, name, sha256) values (9999, 'from_the_future', '')",
    );
    await expect(migrate(database.pool)).rejects.toMatchObject({ name: "StorageError", code: "newer_than_code" });
    expect(await migrationState(database.pool)).toMatchObject({ current: 9999, pending: [] });
  });
});

describe.skipIf(!testDatabaseUrl || testCitusWorkers.length > 0)("migrations by several processes at once", () => {
  it("are applied once", async () => {
    const database = await createPostgresTestDatabase();
    await database.pool.query(
      "drop schema public cascade; create schema public; grant usage on schema public to public",
    );
    const pools = Array.from({ length: 4 }, () => new pg.Pool({ connectionString: database.url, max: 1 }));
    const applied = await Promise.all(pools.map((pool) => migrate(pool)));
    expect(applied.flat().sort()).toEqual(names);
    for (const pool of pools) await pool.end();
    await database.close();
  });
});
