import { randomUUID } from "node:crypto";
import { samples } from "@org/core/testing";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { migrate } from "./migrate.js";
import { openStorage, serverKeys } from "./open-storage.js";
import { createPostgresTestDatabase, testBackends, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const clock = () => samples.now;

describe("openStorage", () => {
  it("opens an embedded database in memory, to be migrated", async () => {
    const opened = await openStorage({ memory: true }, clock);
    expect(opened.kind).toBe("embedded");
    await opened.ping();
    await expect(opened.storage.tenants.list()).rejects.toMatchObject({ code: "not_migrated" });
    await migrate(opened.pool);
    expect(await opened.storage.tenants.list()).toEqual([]);
    expect(await opened.oauthStore.signingKeys.listSigningKeys()).toEqual([]);
    expect(await opened.endedSessions.isEnded("none")).toBe(false);
    await opened.close();
  });

  it("does not connect before it is used, and then says that the database is away", async () => {
    const opened = await openStorage({ databaseUrl: "postgres://nobody@127.0.0.1:1/none" }, clock);
    expect(opened.kind).toBe("postgres");
    await expect(opened.ping()).rejects.toMatchObject({ name: "StorageError", code: "unavailable" });
    await opened.close();
  });

  it.skipIf(!testDatabaseUrl).each([true, false])(
    "[scale.md §2] leaves nothing prepared behind on a connection that a pooler lends to others: preparedStatements %s",
    async (preparedStatements) => {
      const database = await createPostgresTestDatabase();
      const opened = await openStorage({ databaseUrl: database.url }, clock, { preparedStatements });
      await opened.storage.reader.holdings(randomUUID(), samples.holdingQuery());
      const { rows } = await opened.pool.query("select name from pg_prepared_statements");
      expect(rows.length > 0).toBe(preparedStatements);
      await opened.close();
      await database.close();
    },
  );

  it.skipIf(!testDatabaseUrl)("bounds statements outside transactions, and lets PostgreSQL compile none", async () => {
    const database = await createPostgresTestDatabase();
    const opened = await openStorage({ databaseUrl: database.url }, clock);
    const { rows } = await opened.pool.query(
      "select name, setting from pg_settings where name in ('jit', 'lock_timeout', 'statement_timeout') order by name",
    );
    expect(rows.map(({ name, setting }) => [name, setting])).toEqual([
      ["jit", "off"],
      ["lock_timeout", "2000"],
      ["statement_timeout", "10000"],
    ]);
    await opened.close();
    await database.close();
  });

  it.skipIf(!testDatabaseUrl)("[C-1.47] needs no setting of a database to be PostgreSQL's default", async () => {
    const database = await createPostgresTestDatabase();
    const others = {
      datestyle: "SQL, DMY",
      intervalstyle: "iso_8601",
      timezone: "Pacific/Auckland",
      bytea_output: "escape",
      extra_float_digits: "-10",
      standard_conforming_strings: "off",
      transform_null_equals: "on",
      search_path: "elsewhere",
      row_security: "off",
      default_transaction_isolation: "serializable",
      idle_session_timeout: "900000",
    };
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const readSettings = async (client: Pick<pg.Client, "query">) => {
      const { rows } = await client.query(
        "select lower(name) as name, setting from pg_settings where lower(name) = any ($1)",
        [Object.keys(others)],
      );
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    };
    for (const [name, value] of Object.entries(others))
      await admin.query(
        `do $$ begin execute format('alter database %I set ${name} = ${value.includes(",") ? value : `''${value}''`}', current_database()); end $$`,
      );
    const opened = await openStorage({ databaseUrl: database.url }, clock);
    const settings = await readSettings(opened.pool);
    expect(settings).toEqual({
      datestyle: "ISO, MDY",
      intervalstyle: "postgres",
      timezone: "UTC",
      bytea_output: "hex",
      extra_float_digits: "1",
      standard_conforming_strings: "on",
      transform_null_equals: "off",
      search_path: "public",
      row_security: "on",
      default_transaction_isolation: "read committed",
      idle_session_timeout: "0",
    });
    await migrate(opened.pool);
    const { rows } = await opened.pool.query(
      "select timestamptz '2026-03-04T05:06:07Z' as at, '\\x00ff'::bytea as bytes, 0.1::float8 + 0.2 as sum",
    );
    expect(rows).toEqual([{ at: new Date("2026-03-04T05:06:07Z"), bytes: Buffer.from([0, 255]), sum: 0.1 + 0.2 }]);
    await admin.end();
    await opened.close();
    await database.close();
  });

  it.skipIf(!testDatabaseUrl)("survives that the server ends its connections", async () => {
    const database = await createPostgresTestDatabase();
    const opened = await openStorage({ databaseUrl: database.url }, clock);
    await opened.ping();
    const others =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await expect.poll(async () => (await admin.query(others)).rowCount).toBe(0);
    await opened.ping();
    expect(await opened.storage.tenants.list()).toEqual([]);
    await admin.end();
    await opened.close();
    await database.close();
  });
});

describe.each(testBackends)("server keys on $name", ({ create }) => {
  it("are made once for each name, also by ten that start at once", async () => {
    const { pool, close } = await create();
    const keys = serverKeys(createTransactions(pool));
    const loaded = await Promise.all(
      Array.from({ length: 10 }, (_, i) => keys.loadOrCreate("mac", async () => `sealed ${i}`)),
    );
    expect(new Set(loaded).size).toBe(1);
    expect(await keys.loadOrCreate("mac", async () => "another")).toBe(loaded[0]);
    expect(await keys.loadOrCreate("other", async () => "sealed other")).toBe("sealed other");
    await close();
  });
});
