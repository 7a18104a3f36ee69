import type { SigningKeyStore, StoredSigningKey } from "@org/oauth-server";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";

/** Signing keys, shared by all replicas. */
export function signingKeyQueries({ asAuth }: Pick<Transactions, "asAuth">): SigningKeyStore {
  return {
    listSigningKeys: () =>
      asAuth((db) => db.selectFrom("signing_keys").selectAll().orderBy("created_at").orderBy("kid").execute()),
    insertFirstSigningKeys: (algorithm, keys) =>
      asAuth(async (db) => {
        // Replicas that start together race here; the lock lets the first one finish before the others look.
        await sql`lock table signing_keys in share row exclusive mode`.execute(db);
        const some = await db
          .selectFrom("signing_keys")
          .select("kid")
          .where("algorithm", "=", algorithm)
          .limit(1)
          .executeTakeFirst();
        if (some) return false;
        await db.insertInto("signing_keys").values(keys.map(rowOf)).execute();
        return true;
      }),
    promoteSigningKey: (kid, signsFrom, successor) =>
      asAuth(async (db) => {
        const result = await db
          .updateTable("signing_keys")
          .set({ signs_from: signsFrom })
          .where("kid", "=", kid)
          .where("signs_from", "is", null)
          .executeTakeFirst();
        if (result.numUpdatedRows === 0n) return false;
        await db.insertInto("signing_keys").values(rowOf(successor)).execute();
        return true;
      }),
    removeSigningKeys: (kids) =>
      asAuth(async (db) => {
        if (kids.length > 0)
          await db
            .deleteFrom("signing_keys")
            .where("kid", "in", [...kids])
            .execute();
      }),
  };
}

function rowOf(key: StoredSigningKey) {
  return { ...key, public_jwk: JSON.stringify(key.public_jwk) };
}
