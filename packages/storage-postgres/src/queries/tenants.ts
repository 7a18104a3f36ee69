import type { AuditEntry, TenantStore, Uuid } from "@org/core";
import { sql } from "kysely";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";

/** {@link TenantStore}. */
export function tenantStore({ asUpkeep }: Transactions): TenantStore {
  return {
    create: (tenant) =>
      asUpkeep(async (db) => {
        const inserted = await db
          .insertInto("tenants")
          .values({ ...tenant, name_key: tenant.name.toLowerCase() })
          .onConflict((conflict) => conflict.column("name_key").doNothing())
          .executeTakeFirst();
        if (!inserted.numInsertedOrUpdatedRows) return false;
        await db.insertInto("tenant_revisions").values({ tenant_id: tenant.tenant_id }).execute();
        return true;
      }),

    find: (tenantId) =>
      asUpkeep(
        async (db) => {
          const found = tenantsIn(db).where("tenant_id", "=", tenantId);
          return (await found.executeTakeFirst()) ?? null;
        },
        "lookups",
        tenantId,
      ),

    list: () =>
      asUpkeep((db) => tenantsIn(db).orderBy("created_at").orderBy("tenant_id").execute(), "lookups", INSTALLATION_KEY),

    // Writers take their locks in various orders: after a deadlock with one of them the transaction is retried.
    remove: (tenantId, entry) => asUpkeep((db) => removeTenant(db, tenantId, entry)),
  };
}

function tenantsIn(db: Db) {
  return db.selectFrom("tenants").select(["tenant_id", "name", "created_at"]).$narrowType<{ tenant_id: Uuid }>();
}

async function removeTenant(db: Db, tenantId: string, entry: AuditEntry): Promise<boolean> {
  // Deleting years of data takes longer than the limit for a request.
  await sql`set local statement_timeout = '1h'`.execute(db);
  const { rows } = await sql<{ removed: boolean }>`
    select remove_tenant(${tenantId}, ${entry.at}) as removed`.execute(db);
  if (!rows[0]?.removed) return false;
  await db
    .insertInto("audit_log")
    .values({ tenant_id: tenantId, ...entry })
    .execute();
  return true;
}
