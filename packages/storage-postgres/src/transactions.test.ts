import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FreeListPool } from "./connections/free-list-pool.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { explainDriverError, StorageError } from "./storage-error.js";
import { type TestDatabase, testBackends, testCitusWorkers } from "./testing/index.js";
import { createTransactions, type Transactions } from "./transactions.js";

const tenant = "01990000-0000-7000-8000-000000000001";

describe.each(testBackends)("transactions on $name", ({ create }) => {
  let database: TestDatabase;
  let transactions: Transactions;
  beforeAll(async () => {
    database = await create();
    transactions = createTransactions(database.pool);
  });
  afterAll(() => database?.close());

  it("take their role and tenant for themselves and leave neither behind", async () => {
    const whoAmI = `select current_user::text as who, current_setting('wealth_connect.tenant', true) as tenant`;
    const [inside] = await transactions.asTenant(
      tenant,
      async (db) => (await sql<{ who: string; tenant: string }>`${sql.raw(whoAmI)}`.execute(db)).rows,
    );
    expect(inside).toEqual({ who: "wealth_connect_app", tenant });
    const client = await database.pool.connect();
    const { rows } = await client.query(whoAmI);
    client.release();
    expect(rows[0].who).toBe("postgres");
    expect(rows[0].tenant ?? "").toBe("");
  });

  it.each<[string, (work: Parameters<Transactions["asUpkeep"]>[0]) => Promise<unknown>, string]>([
    ["asUpkeep", (work) => transactions.asUpkeep(work), "wealth_connect_upkeep"],
    ["asAuth", (work) => transactions.asAuth(work), "wealth_connect_auth"],
  ])("%s takes its role", async (_, run, role) => {
    expect(
      await run(async (db) => (await sql<{ who: string }>`select current_user::text as who`.execute(db)).rows[0]?.who),
    ).toBe(role);
  });

  it("limit how long a statement may run and how long they may lie idle", async () => {
    const limits = await transactions.asTenant(tenant, async (db) => {
      const { rows } = await sql<{ statement: string; lock: string; idle: string }>`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(db);
      return rows[0];
    });
    expect(limits).toEqual({ statement: "10s", lock: "2s", idle: "1min" });
  });

  it("fail when the work swallowed an error of the database, for then nothing would be kept", async () => {
    const work = transactions.asTenant(tenant, async (db) => {
      await sql`select 1 / 0`.execute(db).catch(() => undefined);
      return "all is well";
    });
    await expect(work).rejects.toThrow(/current transaction is aborted/);
  });

  it("do not let one tenant's work name another by an id that is no UUID", async () => {
    await expect(transactions.asTenant("x', true); drop table tenants; --", async () => undefined)).rejects.toThrow(
      RangeError,
    );
  });

  it("refuse to begin inside another, with a code", async () => {
    const nested = transactions.asAuth(() => transactions.asUpkeep(async () => undefined));
    await expect(nested).rejects.toMatchObject({ name: "StorageError", code: "nested" });
    const statement = transactions.asAuth(() => transactions.statement({ text: "select 1", rowMode: "array" }));
    await expect(statement).rejects.toMatchObject({ code: "nested" });
  });

  it("of two databases go into one another, those of one do not, however far in", async () => {
    const other = await create();
    const elsewhere = createTransactions(other.pool);
    try {
      const around = transactions.asAuth(() =>
        elsewhere.asUpkeep(async (db) => {
          const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
          await expect(transactions.asUpkeep(async () => undefined)).rejects.toMatchObject({ code: "nested" });
          await expect(elsewhere.asAuth(async () => undefined)).rejects.toMatchObject({ code: "nested" });
          return rows[0]?.role;
        }),
      );
      expect(await around).toBe("wealth_connect_upkeep");
    } finally {
      await other.close();
    }
  });

  it("let what was started inside go on by itself once they are over", async () => {
    let late: Promise<unknown> | undefined;
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    await transactions.asAuth(async () => {
      late = over.then(() => transactions.asUpkeep(async () => "later"));
    });
    end();
    expect(await late).toBe("later");
  });
});

describe("an unusable database", () => {
  const use = (pool: FreeListPool) => createPostgresStorage(createTransactions(pool));

  it("that is away is unavailable", async () => {
    const pool = new FreeListPool({ connectionString: "postgres://nobody@127.0.0.1:1/none" });
    const failures = [
      () => use(pool).inTenant(tenant, async () => undefined),
      () => use(pool).catalogue.revision(),
      () => use(pool).tenants.list(),
    ];
    for (const failure of failures)
      await expect(failure()).rejects.toMatchObject({ name: "StorageError", code: "unavailable" });
    await pool.end();
  });

  it.skipIf(testCitusWorkers.length > 0).each(testBackends)(
    "that lacks migrations says so, and its connection can be used again, on $name",
    async ({ create }) => {
      const { pool, close } = await create();
      await pool.query("drop schema public cascade; create schema public");
      for (let round = 0; round < 2; round += 1) {
        await expect(use(pool).tenants.list()).rejects.toMatchObject({ code: "not_migrated" });
        await expect(use(pool).inTenant(tenant, ({ audit }) => audit.list({ limit: 1 }))).rejects.toBeInstanceOf(
          StorageError,
        );
        await expect(use(pool).catalogue.revision()).rejects.toMatchObject({ code: "not_migrated" });
      }
      await close();
    },
  );

  it.each([
    ["22023", 'role "wealth_connect_app" does not exist', "not_migrated"],
    ["57P03", "the database system is starting up", "unavailable"],
    ["53300", "sorry, too many clients already", "unavailable"],
    ["", "timeout exceeded when trying to connect", "unavailable"],
  ])("that fails with %s %s is %s", (code, message, expected) => {
    const explained = explainDriverError(Object.assign(new Error(message), { code }));
    expect(explained).toMatchObject({ name: "StorageError", code: expected });
  });

  it("is not what an error of a single statement means", () => {
    const violation = Object.assign(new Error("duplicate key"), { code: "23505" });
    expect(explainDriverError(violation)).toBe(violation);
  });
});
