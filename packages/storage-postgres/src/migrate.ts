import type { Pool, PoolClient } from "pg";
import { migrations } from "./migrations.js";
import { explainDriverError, StorageError } from "./storage-error.js";

/** How far a database is migrated. `current` and `latest` are numbers of migrations, 0 = none. */
export interface MigrationState {
  readonly current: number;
  readonly latest: number;
  /** Names of the migrations to come. */
  readonly pending: readonly string[];
}

/** Whatever asks for this lock migrates this database. */
const LOCK = 7_304_551_902;

/** Reads the state without changing anything; a `current` above `latest` was migrated by newer code. */
export async function migrationState(pool: Pool): Promise<MigrationState> {
  try {
    return stateAt(await currentMigration(pool));
  } catch (error) {
    throw explainDriverError(error);
  }
}

/**
 * Applies the pending migrations, each in a transaction of its own, one process at a time. The login has to own the database,
 * or be allowed to create in its `public` schema, and to create roles, unless the roles of 0001 are there. Returns the names
 * of those applied.
 * @throws StorageError `newer_than_code`, `unavailable`
 */
export async function migrate(pool: Pool): Promise<readonly string[]> {
  const applied: string[] = [];
  try {
    for (;;) {
      const name = await applyNext(pool);
      if (name === null) return applied;
      applied.push(name);
    }
  } catch (error) {
    throw explainDriverError(error);
  }
}

async function applyNext(pool: Pool): Promise<string | null> {
  const client = await pool.connect();
  try {
    // A migration takes what it takes, and waits for the tables that it changes.
    await client.query("begin; set local statement_timeout = 0; set local lock_timeout = 0");
    // Until the end of the transaction, so that it also works through a transaction pooler.
    await client.query(`select pg_advisory_xact_lock(${LOCK})`);
    const current = await currentMigration(client);
    if (current === 0) await createMigrationTable(client);
    const next = migrations[stateAt(current).current];
    if (current > migrations.length) {
      throw new StorageError(
        "newer_than_code",
        `the database has migration ${current}, this version knows ${migrations.length}: use the newer version`,
      );
    }
    if (!next) {
      await client.query("rollback");
      return null;
    }
    await client.query(next.sql);
    await client.query("insert into schema_migrations (number, name) values ($1, $2)", [current + 1, next.name]);
    await client.query("commit");
    return next.name;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function currentMigration(client: Pool | PoolClient): Promise<number> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('schema_migrations') is not null as found",
  );
  if (!rows[0]?.found) return 0;
  const applied = await client.query<{ current: number }>(
    "select coalesce(max(number), 0) as current from schema_migrations",
  );
  return applied.rows[0]?.current ?? 0;
}

async function createMigrationTable(client: PoolClient): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    );
    grant select on schema_migrations to public`);
}

function stateAt(current: number): MigrationState {
  return { current, latest: migrations.length, pending: migrations.slice(current).map(({ name }) => name) };
}
