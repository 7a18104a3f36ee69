import { samples } from "@org/core/testing";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe.each(testBackends)("stored rows on $name", ({ create }) => {
  let database: TestDatabase;
  let filled: Filled;
  let other: Filled;
  let tables: string[];
  beforeAll(async () => {
    database = await create();
    filled = await fill(database);
    other = await fill(database);
    tables = await tenantTables(database.pool);
  });
  afterAll(() => database?.close());

  it("stand in every table of a tenant, so that the cases below mean all of them", async () => {
    const empty: string[] = [];
    for (const table of tables) {
      const { rowCount } = await database.pool.query(`select from ${table} where tenant_id = $1 limit 1`, [
        filled.tenant_id,
      ]);
      if (rowCount === 0) empty.push(table);
    }
    expect(empty).toEqual([]);
  });

  it("[C-2.1] row-level security hides another tenant's, whatever the statement asks for", async () => {
    await asApplicationOf(other.tenant_id, async (client) => {
      for (const table of tables) {
        const { rowCount } = await client.query(`select from ${table} where tenant_id = $1`, [filled.tenant_id]);
        expect([table, rowCount]).toEqual([table, 0]);
        const own = await client.query(`select from ${table} limit 1`);
        expect([table, own.rowCount]).toEqual([table, 1]);
      }
    });
  });

  it("[C-2.1] row-level security keeps another tenant's as they are", async () => {
    for (const table of tables) {
      for (const statement of [`update ${table} set tenant_id = tenant_id`, `delete from ${table}`]) {
        await asApplicationOf(other.tenant_id, async (client) => {
          const result = await client.query(`${statement} where tenant_id = $1`, [filled.tenant_id]).catch(refusal);
          expect([statement, result]).toSatisfy(([, { rowCount, code }]) => rowCount === 0 || code === "42501");
        });
      }
    }
  });

  it("[C-2.1] row-level security refuses rows for another tenant", async () => {
    for (const table of tables) {
      const columns = await columnsOf(database.pool, table);
      const { rows } = await database.pool.query(
        `select to_jsonb(t) as row from ${table} t where tenant_id = $1 limit 1`,
        [filled.tenant_id],
      );
      await asApplicationOf(other.tenant_id, async (client) => {
        const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`;
        const result = await client.query(insert, [rows[0].row]).catch(refusal);
        expect([table, result]).toMatchObject([table, { code: "42501" }]);
      });
    }
  });

  it("are out of reach for the application's role when no tenant was set", async () => {
    const client = await database.pool.connect();
    for (const table of tables) {
      await client.query("begin; set local role wealth_connect_app");
      await expect(client.query(`select from ${table}`)).rejects.toThrow(
        /wealth_connect.tenant|invalid input syntax for type uuid/,
      );
      await client.query("rollback");
    }
    client.release();
  });

  it("[C-4.30] of a removed connection are gone from every table; the audit log keeps its id", async () => {
    const { tenant_id, connection_id, session_id } = filled;
    await createPostgresStorage(createTransactions(database.pool)).inTenant(tenant_id, ({ connections }) =>
      connections.remove(connection_id),
    );
    const all = await database.pool.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const holding: string[] = [];
    for (const { name } of all.rows) {
      const { rowCount } = await database.pool.query(`select from ${name} t where t::text like any ($1) limit 1`, [
        [`%${connection_id}%`, `%${session_id}%`],
      ]);
      if (rowCount) holding.push(name);
    }
    expect(holding).toEqual(["audit_log"]);
  });

  async function asApplicationOf(tenantId: string, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await database.pool.connect();
    try {
      await client.query(`begin; set local role wealth_connect_app; set local wealth_connect.tenant = '${tenantId}'`);
      await work(client);
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
});

interface Filled {
  readonly tenant_id: string;
  readonly connection_id: string;
  readonly session_id: string;
}

/** A tenant with a row of everything. */
async function fill({ pool }: TestDatabase): Promise<Filled> {
  const tenant = await samples.newTenant(createPostgresStorage(createTransactions(pool)));
  const { connection_id } = await tenant.connect({ identity_hash: "who" });
  const session = samples.session({ connection_id });
  const letter = samples.letter({ connection_id, labels: { a: "b" } });
  const now = samples.now;
  const document = { kind: "letter", sha256: "ab", size: 1, sealed_key: "k", ciphertext: new Uint8Array([1]) } as const;
  await tenant.run(async ({ snapshots, sessions, letters, audit }) => {
    const rows = {
      portfolios: [samples.portfolio()],
      holdings: [samples.holding()],
      transactions: [samples.transaction()],
    };
    await snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows });
    await snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows });
    await snapshots.takeFile({ connection_id, sha256: "ab", name: "a", format: "csv", taken_at: now });
    await sessions.create(session);
    await letters.create(letter, [document], samples.move(letter));
    const key = { application_id: "app", key: "k", request_hash: "h", letter_id: letter.letter_id };
    await letters.claimKey({ ...key, expires_at: samples.later(60) }, now);
    await audit.append(samples.auditEntry({ object_id: connection_id }));
  });
  return { tenant_id: tenant.tenant_id, connection_id, session_id: session.session_id };
}

/** Tables that the application's role may read and that have a tenant. */
async function tenantTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind = 'r' and has_table_privilege('wealth_connect_app', c.oid, 'select') order by 1`);
  return rows.map(({ name }) => name);
}

async function columnsOf(pool: pg.Pool, table: string): Promise<string> {
  const { rows } = await pool.query<{ columns: string }>(
    "select string_agg(column_name, ', ') as columns from information_schema.columns where table_name = $1 and is_generated = 'NEVER'",
    [table],
  );
  return rows[0]?.columns ?? "";
}

/** A statement that the database refuses leaves the transaction to be rolled back; here only the code matters. */
function refusal(error: { code?: string }) {
  return { rowCount: null, code: error.code };
}
