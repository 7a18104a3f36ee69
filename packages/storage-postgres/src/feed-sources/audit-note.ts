import type { AuditEntry } from "@org/core";
import type { Db } from "../transactions.js";

/** Adds a line to the installation's part of the audit trail, in the transaction of the change. */
export async function note(db: Db, entry: AuditEntry): Promise<true> {
  await db
    .insertInto("audit_log")
    .values({ tenant_id: null, ...entry })
    .execute();
  return true;
}
