import type { LimitOverride, LimitStore } from "@org/core";
import { sql } from "kysely";
import type { Db, Transactions } from "../transactions.js";
import { oneAtATime } from "./one-at-a-time.js";

/** {@link LimitStore}. */
export function limitStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): LimitStore {
  return {
    overrides: () =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ tenant_id: string | null; name: string; value: string }>`
          select tenant_id, name, value from tenant_limits
          union all select null, name, value from installation_limits`.execute(db);
        return rows.map((row) => ({ ...row, value: Number(row.value) }));
      }),

    change: (tenant_id, { set, reset }, entry, precondition) =>
      asUpkeep(async (db) => {
        await oneAtATime(db, "limits", tenant_id);
        if (precondition && !precondition(await overridesIn(db, tenant_id))) return false;
        for (const [name, value] of Object.entries(set))
          if (tenant_id === null)
            await db
              .insertInto("installation_limits")
              .values({ name, value: String(value) })
              .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: String(value) }))
              .execute();
          else
            await db
              .insertInto("tenant_limits")
              .values({ tenant_id, name, value: String(value) })
              .onConflict((conflict) => conflict.columns(["tenant_id", "name"]).doUpdateSet({ value: String(value) }))
              .execute();
        if (reset.length > 0)
          await (tenant_id === null
            ? db.deleteFrom("installation_limits").where("name", "in", reset)
            : db.deleteFrom("tenant_limits").where("tenant_id", "=", tenant_id).where("name", "in", reset)
          ).execute();
        await db
          .insertInto("audit_log")
          .values({ tenant_id, ...entry })
          .execute();
        return true;
      }),

    use: (tenantId, at) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<
          Record<
            | "tenant_id"
            | "grants"
            | "open_sessions"
            | "session_bytes"
            | "letters"
            | "document_bytes"
            | "clients"
            | "webhook_endpoints",
            string
          >
        >`
          select tenant_id, grants, open_sessions, session_bytes, letters, document_bytes, clients,
            (select count(*) from webhook_endpoints e where e.tenant_id = u.tenant_id and e.removed_at is null) as webhook_endpoints
          from tenants_use(${tenantId}, ${at}) u`.execute(db);
        return rows.map(({ tenant_id, ...used }) => ({
          tenant_id,
          grants: Number(used.grants),
          open_sessions: Number(used.open_sessions),
          session_bytes: Number(used.session_bytes),
          letters: Number(used.letters),
          document_bytes: Number(used.document_bytes),
          clients: Number(used.clients),
          webhook_endpoints: Number(used.webhook_endpoints),
        }));
      }),
  };
}

async function overridesIn(db: Db, tenant_id: string | null): Promise<readonly LimitOverride[]> {
  const rows = await (tenant_id === null
    ? db.selectFrom("installation_limits").select(["name", "value"]).execute()
    : db.selectFrom("tenant_limits").select(["name", "value"]).where("tenant_id", "=", tenant_id).execute());
  return rows.map(({ name, value }) => ({ tenant_id, name, value: Number(value) }));
}
