import { type Db, extendTimeouts } from "../transactions.js";

/** Transactions that have the lock. */
const locked = new WeakSet<Db>();

/**
 * The lock of a tenant's publications, held until the end of the transaction. Whatever changes a connection with its plan or its data
 * takes it first, before rows of either: removals and refreshes, logins that make a connection, what depends on other files. So none of
 * them waits for another that waits for it.
 */
export async function lockPublications(db: Db, tenant_id: string): Promise<void> {
  if (locked.has(db)) return;
  await extendTimeouts(db);
  await db.selectFrom("tenant_revisions").select("revision").where("tenant_id", "=", tenant_id).forUpdate().execute();
  locked.add(db);
}
