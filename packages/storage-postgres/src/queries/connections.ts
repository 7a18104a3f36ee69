import type { ConnectionRecord, ConnectionStore } from "@org/core";
import type { Db } from "../transactions.js";
import { lockPublications } from "./publication-lock.js";
import { deleteConnectionRows } from "./remove-connection.js";

/** {@link ConnectionStore} of `tenant_id` inside its transaction. */
export function connectionStore(db: Db, tenant_id: string): ConnectionStore {
  const findIdentified = async (connectorId: string, identityHash: string | null) => {
    const row = await db
      .selectFrom("connections")
      .select(recordColumns)
      .where("tenant_id", "=", tenant_id)
      .where("connector_id", "=", connectorId)
      .where("identity_hash", "=", identityHash)
      .executeTakeFirst();
    return row ?? null;
  };

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
        const twin = await findIdentified(record.connector_id, record.identity_hash);
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

    findIdentified,

    async findReferenced(referenceHash) {
      return db
        .selectFrom("connections as c")
        .innerJoin("connection_refreshes as r", (join) =>
          join.onRef("r.tenant_id", "=", "c.tenant_id").onRef("r.connection_id", "=", "c.connection_id"),
        )
        .select(recordColumns.map((column) => `c.${column}` as const))
        .where("c.tenant_id", "=", tenant_id)
        .where("r.reference_hash", "=", referenceHash)
        .execute();
    },

    async findMany(connectionIds) {
      if (connectionIds.length === 0) return [];
      return db
        .selectFrom("connections")
        .select(recordColumns)
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "in", connectionIds)
        .execute();
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

    async assign(connectionId, client_ref) {
      const { numUpdatedRows } = await db
        .updateTable("connections")
        .set({ client_ref })
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    remove: async (connectionId) => deleteConnectionRows(db, tenant_id, connectionId),
  };
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
  "client_ref",
] as const satisfies readonly (keyof ConnectionRecord)[];
