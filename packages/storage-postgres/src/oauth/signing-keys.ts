import type { SigningKeyStore, StoredSigningKey } from "@org/oauth-server";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";

/** Signing keys, shared by all replicas. */
export function signingKeyQueries({ asAuth }: Pick<Transactions, "asAuth">): SigningKeyStore {
  return {
    listSigningKeys: () =>
      asAuth((db) => db.selectFrom("signing_keys").selectAll().orderBy("created_at").orderBy("kid").execute(), "feeds"),
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
    revokeSigningKey: (kid, { at, signs_now, successors }) =>
      asAuth(async (db) => {
        const kids = signs_now === null ? [kid] : [kid, signs_now];
        const locked = await db
          .selectFrom("signing_keys")
          .select(["kid", "signs_from"])
          .where("kid", "in", kids)
          .orderBy("kid")
          .forUpdate()
          .execute();
        const next = locked.find((key) => key.kid === signs_now);
        if (locked.length < kids.length || (next?.signs_from && next.signs_from <= at)) return false;
        await db.deleteFrom("signing_keys").where("kid", "=", kid).execute();
        if (signs_now !== null)
          await db.updateTable("signing_keys").set({ signs_from: at }).where("kid", "=", signs_now).execute();
        if (successors.length > 0) await db.insertInto("signing_keys").values(successors.map(rowOf)).execute();
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
