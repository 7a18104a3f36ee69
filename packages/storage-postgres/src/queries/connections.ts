import { type ConnectionRecord, type ConnectionStore, searchKey } from "@org/core";
import { type ExpressionBuilder, sql } from "kysely";
import type { Database } from "../schema.js";
import type { Db } from "../transactions.js";
import { anyOf } from "./lists.js";
import { lockPublications } from "./publication-lock.js";
import { deleteConnectionRows } from "./remove-connection.js";

/** {@link ConnectionStore} of `tenant_id` inside its transaction. */
export function connectionStore(db: Db, tenant_id: string): ConnectionStore {
  return {
    async create(record) {
      // If two logins of one customer arrive concurrently, the second waits here and not for the other's unique key.
      if (record.identity_hash !== null) await lockPublications(db);
      for (;;) {
        const inserted = await db
          .insertInto("connections")
          .values({ tenant_id, ...record, bank_key: record.bank.toLowerCase() })
          .onConflict((conflict) => conflict.columns(["tenant_id", "connector_id", "identity_hash"]).doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows) {
          const owner = { object_id: record.connection_id, kind: "connection", tenant_id } as const;
          await db.insertInto("object_owners").values(owner).execute();
          return { created: true };
        }
        const twin = await db
          .selectFrom("connections")
          .select("connection_id")
          .where("tenant_id", "=", tenant_id)
          .where("connector_id", "=", record.connector_id)
          .where("identity_hash", "=", record.identity_hash)
          .executeTakeFirst();
        // If there is no twin, it has been removed meanwhile, and the place is free again.
        if (twin) return { created: false, existing: twin.connection_id };
      }
    },

    async find(connectionId) {
      const row = await db
        .selectFrom("connections")
        .select(recordColumns)
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .executeTakeFirst();
      return row ?? null;
    },

    async page({ bank, ready_only, page, page_size }) {
      const banks = bank === null ? null : await banksNamed(bank);
      const matching = db
        .selectFrom("connections")
        .where("tenant_id", "=", tenant_id)
        .where((row) =>
          row.and([
            ...(banks ? [row("bank", "=", anyOf<string>(banks, "text"))] : []),
            ...(ready_only ? isReady(row) : []),
          ]),
        );
      const before = (page - 1) * page_size;
      const items: ConnectionRecord[] = await matching
        .select(recordColumns)
        .orderBy("created_at")
        .orderBy("connection_id")
        .limit(page_size)
        .offset(before)
        .execute();
      // The last page says how many there are.
      if (items.length < page_size && (items.length > 0 || page === 1)) return { items, total: before + items.length };
      const { total } = await matching.select(sql<string>`count(*)`.as("total")).executeTakeFirstOrThrow();
      return { items, total: Number(total) };
    },

    async withAccess(after, limit) {
      const all = db
        .selectFrom("connections")
        .select(recordColumns)
        .where("tenant_id", "=", tenant_id)
        .where("sealed_access", "is not", null)
        .orderBy("connection_id")
        .limit(limit);
      return (after === null ? all : all.where("connection_id", ">", after)).execute();
    },

    async save(connectionId, change) {
      const { numUpdatedRows } = await db
        .updateTable("connections")
        .set(change)
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async identify(connectionId, identity_hash) {
      const own = db
        .selectFrom("connections")
        .select("connector_id")
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId);
      const twin = await db
        .selectFrom("connections")
        .select("connection_id")
        .where("tenant_id", "=", tenant_id)
        .where("connector_id", "=", own)
        .where("identity_hash", "=", identity_hash)
        .where("connection_id", "!=", connectionId)
        .executeTakeFirst();
      if (twin) return twin.connection_id;
      await db
        .updateTable("connections")
        .set({ identity_hash })
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .execute();
      return null;
    },

    remove: async (connectionId) => deleteConnectionRows(db, tenant_id, connectionId),
  };

  /** The tenant's bank names that match: one function strips accents for all searches, and the database has none. */
  async function banksNamed(part: string): Promise<readonly string[]> {
    const rows = await db
      .selectFrom("connections")
      .select("bank")
      .distinct()
      .where("tenant_id", "=", tenant_id)
      .execute();
    const wanted = searchKey(part);
    return rows.flatMap(({ bank }) => (searchKey(bank).includes(wanted) ? [bank] : []));
  }
}

export const recordColumns = [
  "connection_id",
  "connector_id",
  "bank",
  "provider",
  "labels",
  "status",
  "identity_hash",
  "sealed_access",
  "created_at",
] as const satisfies readonly (keyof ConnectionRecord)[];

type Row = ExpressionBuilder<Database, "connections">;

/** Neither pending nor in need of a login: the rule of `@org/relogin-rule` in SQL. */
function isReady(row: Row) {
  const isUnset = (token: string) => sql<boolean>`coalesce(${row.ref("status")} ->> ${sql.lit(token)}, '') = ''`;
  return [
    row("pending", "=", false),
    row("blocked", "=", false),
    isUnset("sca_token"),
    isUnset("reset_token"),
    sql<boolean>`not coalesce((${row.ref("status")} #>> '{errored,product,auth}')::boolean, false)`,
  ];
}
