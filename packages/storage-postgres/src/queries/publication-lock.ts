import { type RawBuilder, sql } from "kysely";
import { type Db, longTimeouts } from "../transactions.js";

/** In one message, without parameters: the tenant is the transaction's. Each statement sees what was committed while the one before waited. */
const lock = sql`${longTimeouts};
  select from tenant_revisions where tenant_id = current_setting('wealth_connect.tenant')::uuid for update`;

/** Transactions that hold the lock. */
const locked = new WeakSet<Db>();

/**
 * Takes the lock of a tenant's publications until the end of the transaction. Every change of a connection together with its refresh plan or
 * data takes it first, before rows of either: removals, refreshes, logins that create a connection, and changes that depend on other files. So
 * these cannot deadlock.
 */
export async function lockPublications(db: Db): Promise<void> {
  if (locked.has(db)) return;
  await lock.execute(db);
  locked.add(db);
}

/** The same, and a statement without parameters in the same message; returns its rows. */
export async function withPublicationsLocked<Row>(db: Db, statement: RawBuilder<Row>): Promise<readonly Row[]> {
  const { rows } = await (locked.has(db) ? statement : sql<Row>`${lock}; ${statement}`).execute(db);
  locked.add(db);
  return rows;
}
