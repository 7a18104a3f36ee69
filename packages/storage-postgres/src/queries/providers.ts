import type { CallTurns, ProviderSettingsStore, StoredProviderSettings } from "@org/core";
import { sql } from "kysely";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { oneAtATime } from "./one-at-a-time.js";

/** {@link ProviderSettingsStore}. */
export function providerSettingsStore({
  asUpkeep,
  read,
}: Pick<Transactions, "asUpkeep" | "read">): ProviderSettingsStore {
  return {
    async revision() {
      const [row] = await read<[string]>(null, {
        text: "select revision from provider_changes",
        rowMode: "array",
      });
      return String(row?.[0]);
    },

    all: () =>
      asUpkeep(
        async (db) => {
          const { revision } = await db.selectFrom("provider_changes").select("revision").executeTakeFirstOrThrow();
          const columns = ["provider", "sealed_settings as sealed", "changed_at"] as const;
          const installation = await db.selectFrom("installation_provider_settings").select(columns).execute();
          const tenants = await db
            .selectFrom("tenant_provider_settings")
            .select(["tenant_id", ...columns])
            .execute();
          return { revision, settings: [...installation.map((row) => ({ tenant_id: null, ...row })), ...tenants] };
        },
        "lookups",
        INSTALLATION_KEY,
      ),

    keep: ({ tenant_id, provider, sealed: sealed_settings, changed_at }, entry, precondition) =>
      asUpkeep(async (db) => {
        await oneAtATime(db, "provider_settings", tenant_id, provider);
        if (precondition && !precondition(await settingsIn(db, tenant_id, provider))) return false;
        const row = { sealed_settings, changed_at };
        if (tenant_id === null)
          await db
            .insertInto("installation_provider_settings")
            .values({ provider, ...row })
            .onConflict((conflict) => conflict.column("provider").doUpdateSet(row))
            .execute();
        else
          await db
            .insertInto("tenant_provider_settings")
            .values({ tenant_id, provider, ...row })
            .onConflict((conflict) => conflict.columns(["tenant_id", "provider"]).doUpdateSet(row))
            .execute();
        await db
          .insertInto("audit_log")
          .values({ tenant_id, ...entry })
          .execute();
        return true;
      }),

    remove: (tenant_id, provider, entry) =>
      asUpkeep(async (db) => {
        const { numDeletedRows } = await (tenant_id === null
          ? db.deleteFrom("installation_provider_settings").where("provider", "=", provider)
          : db
              .deleteFrom("tenant_provider_settings")
              .where("tenant_id", "=", tenant_id)
              .where("provider", "=", provider)
        ).executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await db
          .insertInto("audit_log")
          .values({ tenant_id, ...entry })
          .execute();
        return true;
      }),
  };
}

async function settingsIn(db: Db, tenant_id: string | null, provider: string): Promise<StoredProviderSettings | null> {
  const columns = ["provider", "sealed_settings as sealed", "changed_at"] as const;
  const found = await (tenant_id === null
    ? db.selectFrom("installation_provider_settings").select(columns).where("provider", "=", provider).forUpdate()
    : db
        .selectFrom("tenant_provider_settings")
        .select(columns)
        .where("tenant_id", "=", tenant_id)
        .where("provider", "=", provider)
        .forUpdate()
  ).executeTakeFirst();
  return found ? { tenant_id, ...found } : null;
}

/** {@link CallTurns}. */
export function callTurns({ asUpkeep }: Pick<Transactions, "asUpkeep">): CallTurns {
  return {
    take: (key, limits, longestMs) =>
      asUpkeep(async (db) => {
        const every = limits.map(({ every_ms }) => every_ms);
        const calls = limits.map(({ calls: each }) => each);
        const { rows } = await sql<{ granted: boolean; wait_ms: string }>`
          select granted, wait_ms from take_provider_slot(${key}, ${every}::bigint[], ${calls}::integer[], ${longestMs})`.execute(
          db,
        );
        const [row] = rows;
        if (!row) throw new Error("a turn that is neither granted nor refused");
        return { granted: row.granted, wait_ms: Number(row.wait_ms) };
      }),
  };
}
