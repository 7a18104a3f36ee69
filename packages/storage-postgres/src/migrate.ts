import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { keepClusterFunctions } from "./cluster.js";
import { migrations, releasedMigrations } from "./migrations.js";
import { FUNCTIONS_STAY, MIGRATION_LOCK, protect, unprotect } from "./protect-tables.js";
import { explainDriverError, StorageError } from "./storage-error.js";

/** How far a database is migrated. `current` and `latest` are numbers of migrations, 0 = none. */
export interface MigrationState {
  readonly current: number;
  readonly latest: number;
  /** Names of the pending migrations. */
  readonly pending: readonly string[];
}

/**
 * Reads the state without changing anything; a `current` above `latest` was migrated by newer code.
 * @throws StorageError `older_than_code`, `unavailable`
 */
export async function migrationState(pool: Pool): Promise<MigrationState> {
  try {
    return stateAt(await currentMigration(pool));
  } catch (error) {
    throw explainDriverError(error);
  }
}

/**
 * Applies the pending migrations, each in a transaction of its own, one process at a time, and then applies the rules for every table
 * (protect-tables.ts). The login has to own the database, and to be allowed to create roles unless the first migration's roles exist.
 * Returns the names of those applied.
 * @throws StorageError `newer_than_code`, `older_than_code`, `unavailable`
 */
export async function migrate(pool: Pool): Promise<readonly string[]> {
  const applied: string[] = [];
  try {
    const { pending } = await migrationState(pool);
    if (pending.length > 0) await unprotect(pool);
    for (let name = await applyNext(pool); name !== null; name = await applyNext(pool)) applied.push(name);
    if (applied.length > 0) await keepClusterFunctions(pool);
    await protect(pool);
    return applied;
  } catch (error) {
    throw explainDriverError(error);
  }
}

async function applyNext(pool: Pool): Promise<string | null> {
  const client = await pool.connect();
  try {
    // A migration has no time limit, and waits for the tables it changes.
    await client.query(`begin; ${FUNCTIONS_STAY}; set local statement_timeout = 0; set local lock_timeout = 0`);
    // Held until the end of the transaction, so that it also works through a transaction pooler.
    await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
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
    await client.query("insert into schema_migrations (number, name, sha256) values ($1, $2, $3)", [
      current + 1,
      next.name,
      migrationHash(next.sql),
    ]);
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
  // Not to_regclass, which may read a catalogue state from before the lock.
  const { rows } = await client.query<{ found: boolean }>(
    "select exists (select from pg_class where relname = 'schema_migrations' and relnamespace = current_schema()::regnamespace) as found",
  );
  if (!rows[0]?.found) return 0;
  // As JSON, because the table of a build before the first release may lack the column.
  const { rows: applied } = await client.query<AppliedMigration>(
    "select number, name, to_jsonb(m) ->> 'sha256' as sha256 from schema_migrations m order by number",
  );
  const first = applied[0];
  const last = applied.at(-1);
  if (!(first && last)) return 0;
  const other = first.name === migrations[0]?.name ? findOtherMigration(applied) : last.name;
  if (other !== null)
    throw new StorageError(
      "older_than_code",
      `the database was made by a build before the first release (it has a migration ${other} of its own) and cannot be migrated: use an empty one`,
    );
  return last.number;
}

/** A migration as a database remembers it. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  /** Null if the database was made before this was stored. */
  readonly sha256: string | null;
}

/**
 * The name of an applied migration whose text was another one than that of the release, or null. Builds before a release apply the texts of their
 * day under the same names. @param released the hash of each released migration, by name
 */
export function findOtherMigration(
  applied: readonly AppliedMigration[],
  released: Readonly<Record<string, string>> = releasedMigrations,
): string | null {
  return applied.find(({ name, sha256 }) => name in released && sha256 !== released[name])?.name ?? null;
}

/** How a migration's text is remembered, in a database and in `sql/released.json`: SHA-256 in hex. */
export function migrationHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function createMigrationTable(client: PoolClient): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now()
    );
    grant select on schema_migrations to public`);
}

function stateAt(current: number): MigrationState {
  return { current, latest: migrations.length, pending: migrations.slice(current).map(({ name }) => name) };
}
