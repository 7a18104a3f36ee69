import type { AuditEntry, TenantStore } from "@org/core";
import { sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";

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
      asUpkeep(async (db) => {
        const found = db.selectFrom("tenants").select(columns).where("tenant_id", "=", tenantId);
        return (await found.executeTakeFirst()) ?? null;
      }),

    list: () =>
      asUpkeep((db) => db.selectFrom("tenants").select(columns).orderBy("created_at").orderBy("tenant_id").execute()),

    async remove(tenantId, entry) {
      for (let attempt = 1; ; attempt++)
        try {
          return await asUpkeep((db) => removeTenant(db, tenantId, entry));
        } catch (error) {
          // Writers take their locks in more than one order; the one that we stood in the way of is through by now.
          if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
        }
    },
  };
}

const columns = ["tenant_id", "name", "created_at"] as const;

const MAX_ATTEMPTS = 10;

async function removeTenant(db: Db, tenantId: string, entry: AuditEntry): Promise<boolean> {
  // Years of data take longer than a request may.
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

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "40P01";
}
