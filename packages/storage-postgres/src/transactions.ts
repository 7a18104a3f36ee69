import { AsyncLocalStorage } from "node:async_hooks";
import { uuidOf } from "@org/core";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Pool, QueryArrayConfig } from "pg";
import type { Database } from "./schema.js";
import { explainDriverError, StorageError } from "./storage-error.js";

/** The tables, inside one transaction. */
export type Db = Kysely<Database>;

/**
 * The only way to the database. A transaction takes one of the three roles of migration 0001 for itself with `set local`, so
 * that nothing depends on a session's state and a transaction pooler can stand in between.
 */
export interface Transactions {
  /** Sees and touches the rows of one tenant only. */
  asTenant<T>(tenantId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Tenants, the catalogue, look-ups and clean-up across tenants. */
  asUpkeep<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** The authorization server's tables and the server's own keys. */
  asAuth<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** One statement in a transaction of its own, under the login's own role unless the statement takes another; rows are arrays. */
  statement<Row extends unknown[]>(query: QueryArrayConfig): Promise<Row[]>;
}

/** Limits that PostgreSQL puts on every transaction, in milliseconds. */
const STATEMENT_TIMEOUT = 30_000;
const IDLE_TIMEOUT = 60_000;

/**
 * Transactions over a pool, none of them inside another: on the embedded database, which has one connection, the inner one
 * would wait for the outer one for ever.
 * @throws StorageError `nested`, and `unavailable` or `not_migrated` when that is why the database failed
 */
export function createTransactions(pool: Pool): Transactions {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const current = new AsyncLocalStorage<{ open: boolean }>();

  function refuseNesting(): void {
    if (current.getStore()?.open) {
      throw new StorageError("nested", "storage must not nest: inside a transaction use the stores it hands out");
    }
  }

  async function run<T>(settings: string, work: (db: Db) => Promise<T>): Promise<T> {
    refuseNesting();
    const scope = { open: true };
    try {
      return await current.run(scope, () =>
        db.connection().execute(async (connection) => {
          try {
            await sql.raw(`begin; select ${settings}`).execute(connection);
            const result = await work(connection);
            // The empty select fails when `work` swallowed an error of the database; a bare commit would roll back without a word.
            await sql.raw("select; commit").execute(connection);
            return result;
          } catch (error) {
            // A connection that is gone has rolled back by itself; the first error is the one that tells why.
            await sql
              .raw("rollback")
              .execute(connection)
              .catch(() => undefined);
            throw error;
          }
        }),
      );
    } catch (error) {
      throw explainDriverError(error);
    } finally {
      scope.open = false;
    }
  }

  return {
    asTenant: async (tenantId, work) => run(settingsOf("wealth_connect_app", tenantId), work),
    asUpkeep: (work) => run(settingsOf("wealth_connect_upkeep"), work),
    asAuth: (work) => run(settingsOf("wealth_connect_auth"), work),

    async statement<Row extends unknown[]>(query: QueryArrayConfig) {
      refuseNesting();
      try {
        return (await pool.query<Row>(query)).rows;
      } catch (error) {
        throw explainDriverError(error);
      }
    },
  };
}

/** The settings of a transaction as one select list; they end with it. */
function settingsOf(role: string, tenantId?: string): string {
  const settings = { role, statement_timeout: STATEMENT_TIMEOUT, idle_in_transaction_session_timeout: IDLE_TIMEOUT };
  if (tenantId === undefined) return selectList(settings);
  // The id becomes part of the statement's text.
  if (uuidOf(tenantId) === null) throw new RangeError("tenant ids are UUIDs");
  return selectList({ ...settings, "wealth_connect.tenant": tenantId });
}

function selectList(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(", ");
}
