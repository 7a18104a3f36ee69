import type { LogoStore, OwnProfile, TenantProfileStore } from "@org/core";
import type { Db, Transactions } from "../transactions.js";

/** {@link TenantProfileStore} of `tenant_id` inside its transaction. */
export function tenantProfileStore(db: Db, tenant_id: string): TenantProfileStore {
  return {
    find: () => find(),
    lock: async () => {
      const held = db.selectFrom("tenants").select("tenant_id").where("tenant_id", "=", tenant_id).forNoKeyUpdate();
      return (await held.executeTakeFirst()) ? find() : null;
    },

    async change({ logo, ...texts }) {
      if (Object.keys(texts).length > 0)
        await db
          .updateTable("tenants")
          .set(texts as { display_name?: string | null })
          .where("tenant_id", "=", tenant_id)
          .execute();
      if (logo === null) await db.deleteFrom("tenant_logos").where("tenant_id", "=", tenant_id).execute();
      if (logo)
        await db
          .insertInto("tenant_logos")
          .values({ tenant_id, ...logo })
          .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet(logo))
          .execute();
    },
  };

  async function find(): Promise<OwnProfile | null> {
    const row = await db
      .selectFrom("tenants as t")
      .leftJoin("tenant_logos as l", "l.tenant_id", "t.tenant_id")
      .select(["t.name", "t.display_name", "t.legal_name", "t.postal_address", "t.privacy_url", "t.support_contact"])
      .select(["l.sha256", "l.media_type", "l.width", "l.height"])
      .where("t.tenant_id", "=", tenant_id)
      .executeTakeFirst();
    if (!row) return null;
    const { sha256, media_type, width, height, ...texts } = row;
    const hasLogo = sha256 !== null && media_type !== null && width !== null && height !== null;
    return { ...texts, logo: hasLogo ? { sha256, media_type, width, height } : null };
  }
}

/** {@link LogoStore}. */
export function logoStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): LogoStore {
  return {
    logo: (sha256, network) =>
      asUpkeep(
        async (db) => {
          // Two tenants may have the same picture.
          const found = db.selectFrom("tenant_logos").select(["media_type", "content"]).where("sha256", "=", sha256);
          return (await found.limit(1).executeTakeFirst()) ?? null;
        },
        "lookups",
        network,
      ),
  };
}
