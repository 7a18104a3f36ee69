import type { TenantStore } from "@org/core";
import { sql } from "kysely";
import { isUuid } from "../identifiers.js";
import type { Transactions } from "../transactions.js";

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
        if (!isUuid(tenantId)) return null;
        const found = db.selectFrom("tenants").select(columns).where("tenant_id", "=", tenantId);
        return (await found.executeTakeFirst()) ?? null;
      }),

    list: () =>
      asUpkeep((db) => db.selectFrom("tenants").select(columns).orderBy("created_at").orderBy("tenant_id").execute()),

    remove: (tenantId, entry) =>
      asUpkeep(async (db) => {
        if (!isUuid(tenantId)) return false;
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
      }),
  };
}

const columns = ["tenant_id", "name", "created_at"] as const;
