import type { FeedKeyRecord, FeedKeyStore, Signer, SigningRule } from "@org/feed-sources";
import { sql } from "kysely";
import { oneAtATime } from "../queries/one-at-a-time.js";
import { INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { note } from "./audit-note.js";

/** {@link FeedKeyStore}. */
export function feedKeyStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): FeedKeyStore {
  return {
    list: () =>
      asUpkeep(
        async (db) => {
          const rows = await db
            .selectFrom("feed_keys")
            .select(columns)
            .orderBy("added_at")
            .orderBy("fingerprint")
            .execute();
          return rows as unknown as FeedKeyRecord[];
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    rules: () =>
      asUpkeep(
        async (db) => {
          const rows = await db.selectFrom("feed_signing_rules").selectAll().orderBy("kind").orderBy("owner").execute();
          return rows as unknown as SigningRule[];
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    signing: (signers) =>
      asUpkeep(
        async (db) => {
          const of = sql<boolean>`(kind, owner) in (select kind, owner from jsonb_to_recordset(${placesOf(signers)}::jsonb) s (kind text, owner text))`;
          const keys = await db
            .selectFrom("feed_keys")
            .select(columns)
            .where(of)
            .orderBy("added_at")
            .orderBy("fingerprint")
            .execute();
          const rule = await db
            .selectFrom("feed_signing_rules")
            .select("kind")
            .where(of)
            .where("must_be_signed", "=", true)
            .limit(1)
            .executeTakeFirst();
          return { keys: keys as unknown as FeedKeyRecord[], mustBeSigned: rule !== undefined };
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    sealed: (keyIds) =>
      asUpkeep(
        async (db) => {
          let query = db
            .selectFrom("feed_keys")
            .select(["fingerprint", "sealed_private_key"])
            .where("kind", "=", "own");
          if (keyIds !== null) query = query.where(sql<boolean>`key_ids && ${keyIds}::text[]`);
          const rows = await query.orderBy("added_at").orderBy("fingerprint").execute();
          return rows.flatMap(({ fingerprint, sealed_private_key }) =>
            sealed_private_key === null ? [] : { fingerprint, sealed_private_key },
          );
        },
        "lookups",
        INSTALLATION_KEY,
      ),
    keep: ({ key_ids, user_ids, ...record }, sealedPrivateKey, entry, precondition) =>
      asUpkeep(async (db) => {
        const {
          kind,
          owner,
          fingerprint,
          added_at: _,
          ...facts
        } = { ...record, key_ids: [...key_ids], user_ids: [...user_ids] };
        await oneAtATime(db, "feed_keys", kind, owner, fingerprint);
        if (precondition) {
          const there = await db
            .selectFrom("feed_keys")
            .select(columns)
            .where("kind", "=", kind)
            .where("owner", "=", owner)
            .where("fingerprint", "=", fingerprint)
            .forUpdate()
            .executeTakeFirst();
          if (!precondition((there as unknown as FeedKeyRecord | undefined) ?? null)) return false;
        }
        // Not an upsert: its proposed row would be checked too, and it lacks the private half if that one stays.
        const { numUpdatedRows } = await db
          .updateTable("feed_keys")
          .set({ ...facts, ...(sealedPrivateKey !== null && { sealed_private_key: sealedPrivateKey }) })
          .where("kind", "=", kind)
          .where("owner", "=", owner)
          .where("fingerprint", "=", fingerprint)
          .executeTakeFirst();
        if (numUpdatedRows === 0n)
          await db
            .insertInto("feed_keys")
            .values({ ...record, key_ids: [...key_ids], user_ids: [...user_ids], sealed_private_key: sealedPrivateKey })
            .execute();
        return note(db, entry);
      }),
    remove: ({ kind, owner }, fingerprint, entry) =>
      asUpkeep(async (db) => {
        const { numDeletedRows } = await db
          .deleteFrom("feed_keys")
          .where("kind", "=", kind)
          .where("owner", "=", owner)
          .where("fingerprint", "=", fingerprint)
          .executeTakeFirst();
        return numDeletedRows > 0n && note(db, entry);
      }),
    require: ({ must_be_signed, changed_at, ...signer }, entry, precondition) =>
      asUpkeep(async (db) => {
        await oneAtATime(db, "feed_signing_rules", signer.kind, signer.owner);
        if (precondition) {
          const there = await db
            .selectFrom("feed_signing_rules")
            .selectAll()
            .where("kind", "=", signer.kind)
            .where("owner", "=", signer.owner)
            .forUpdate()
            .executeTakeFirst();
          if (!precondition((there as unknown as SigningRule | undefined) ?? null)) return false;
        }
        await db
          .insertInto("feed_signing_rules")
          .values({ ...signer, must_be_signed, changed_at })
          .onConflict((conflict) => conflict.columns(["kind", "owner"]).doUpdateSet({ must_be_signed, changed_at }))
          .execute();
        return note(db, entry);
      }),
  };
}

/** All but the private half. */
const columns = [
  ...(["kind", "owner", "fingerprint", "key_ids", "user_ids", "algorithm", "created_at", "expires_at"] as const),
  ...(["revoked_at", "public_key", "added_at"] as const),
] as const;

function placesOf(signers: readonly Signer[]): string {
  return JSON.stringify(signers.map(({ kind, owner }) => ({ kind, owner })));
}
