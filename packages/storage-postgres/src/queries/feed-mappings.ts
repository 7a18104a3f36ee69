import type { FeedMappingStore, MappingOwner } from "@org/core";
import { sql } from "kysely";
import { type Db, INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { oneAtATime } from "./one-at-a-time.js";

interface Row {
  readonly name: string;
  readonly mapping: string;
  readonly changed_at: Date;
}

/** {@link FeedMappingStore}. */
export function feedMappingStore({
  asUpkeep,
  asTenant,
}: Pick<Transactions, "asUpkeep" | "asTenant">): FeedMappingStore {
  const as = <T>(owner: MappingOwner, work: (db: Db) => Promise<T>) =>
    "connector_id" in owner ? asUpkeep(work) : asTenant(owner.tenant_id, work);
  return {
    list: (limit) =>
      asUpkeep(
        async (db) => {
          const shared = await db
            .selectFrom("installation_feed_mappings")
            .selectAll()
            .orderBy("connector_id")
            .orderBy("name")
            .limit(limit)
            .execute();
          const own = await db
            .selectFrom("connection_feed_mappings")
            .selectAll()
            .orderBy("tenant_id")
            .orderBy("connection_id")
            .orderBy("name")
            .limit(limit - shared.length)
            .execute();
          return [
            ...shared.map(({ connector_id, ...row }) => storedOf({ connector_id }, row)),
            ...own.map(({ tenant_id, connection_id, ...row }) => storedOf({ tenant_id, connection_id }, row)),
          ];
        },
        "lookups",
        INSTALLATION_KEY,
      ),

    of: (owner) => as(owner, async (db) => (await rowsOf(db, owner)).map((row) => storedOf(owner, row))),

    ofAny: ({ connector_ids, connection_ids }) =>
      asUpkeep(
        async (db) => {
          const shared = await db
            .selectFrom("installation_feed_mappings")
            .selectAll()
            .where(sql<boolean>`connector_id = any (${[...connector_ids]}::text[])`)
            .orderBy("name")
            .execute();
          const own = await db
            .selectFrom("connection_feed_mappings")
            .selectAll()
            .where(sql<boolean>`connection_id = any (${[...connection_ids]}::uuid[])`)
            .orderBy("name")
            .execute();
          return [
            ...shared.map(({ connector_id, ...row }) => storedOf({ connector_id }, row)),
            ...own.map(({ tenant_id, connection_id, ...row }) => storedOf({ tenant_id, connection_id }, row)),
          ];
        },
        "lookups",
        INSTALLATION_KEY,
      ),

    keep: ({ owner, name, mapping, changed_at }, entry, precondition) =>
      as(owner, async (db) => {
        const row = { mapping: JSON.stringify(mapping), changed_at };
        await oneAtATime(db, "feed_mappings", JSON.stringify(owner), name);
        if (precondition) {
          const there = (await rowsOf(db, owner)).find((each) => each.name === name);
          if (!precondition(there ? storedOf(owner, there) : null)) return "overtaken";
        }
        if ("connector_id" in owner)
          await db
            .insertInto("installation_feed_mappings")
            .values({ ...owner, name, ...row })
            .onConflict((conflict) => conflict.columns(["connector_id", "name"]).doUpdateSet(row))
            .execute();
        else {
          // Removing the connection takes the same lock: the mapping either exists and is deleted with it, or is never stored.
          const { rows } = await sql`select 1 from connections
            where tenant_id = ${owner.tenant_id} and connection_id = ${owner.connection_id} for key share`.execute(db);
          if (rows.length === 0) return "unknown";
          await db
            .insertInto("connection_feed_mappings")
            .values({ ...owner, name, ...row })
            .onConflict((conflict) => conflict.columns(["tenant_id", "connection_id", "name"]).doUpdateSet(row))
            .execute();
        }
        await db
          .insertInto("audit_log")
          .values({ tenant_id: tenantOf(owner), ...entry })
          .execute();
        return "kept";
      }),

    remove: (owner, name, entry) =>
      as(owner, async (db) => {
        const { numDeletedRows } = await ("connector_id" in owner
          ? db
              .deleteFrom("installation_feed_mappings")
              .where("connector_id", "=", owner.connector_id)
              .where("name", "=", name)
          : db
              .deleteFrom("connection_feed_mappings")
              .where("tenant_id", "=", owner.tenant_id)
              .where("connection_id", "=", owner.connection_id)
              .where("name", "=", name)
        ).executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await db
          .insertInto("audit_log")
          .values({ tenant_id: tenantOf(owner), ...entry })
          .execute();
        return true;
      }),
  };
}

/** An owner's mappings, sorted by name. */
async function rowsOf(db: Db, owner: MappingOwner): Promise<readonly Row[]> {
  if ("connector_id" in owner)
    return db
      .selectFrom("installation_feed_mappings")
      .selectAll()
      .where("connector_id", "=", owner.connector_id)
      .orderBy("name")
      .execute();
  return db
    .selectFrom("connection_feed_mappings")
    .selectAll()
    .where("tenant_id", "=", owner.tenant_id)
    .where("connection_id", "=", owner.connection_id)
    .orderBy("name")
    .execute();
}

function storedOf(owner: MappingOwner, { name, mapping, changed_at }: Row) {
  return { owner, name, mapping: JSON.parse(mapping) as object, changed_at };
}

function tenantOf(owner: MappingOwner): string | null {
  return "connector_id" in owner ? null : owner.tenant_id;
}
