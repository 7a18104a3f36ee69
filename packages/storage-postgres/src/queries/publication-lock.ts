import { type Db, extendTimeouts } from "../transactions.js";

/** Transactions that hold the lock. */
const locked = new WeakSet<Db>();

/**
 * Takes the lock of a tenant's publications until the end of the transaction. Every change of a connection together with its refresh plan or
 * data takes it first, before rows of either: removals, refreshes, logins that create a connection, and changes that depend on other files. So
 * these cannot deadlock.
 */
export async function lockPublications(db: Db, tenant_id: string): Promise<void> {
  if (locked.has(db)) return;
  await extendTimeouts(db);
  await db.selectFrom("tenant_revisions").select("revision").where("tenant_id", "=", tenant_id).forUpdate().execute();
  locked.add(db);
}
