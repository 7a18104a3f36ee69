import {
  CONSENT_RENEWAL_MS,
  type PendingFetch,
  type RefreshLease,
  type RefreshQueue,
  type RefreshStore,
  type Uuid,
} from "@org/core";
import { sql } from "kysely";
import { type Db, type Transactions, takeTime } from "../transactions.js";
import { anyOf } from "./lists.js";

/** {@link RefreshStore} of `tenant_id` inside its transaction. */
export function refreshStore(db: Db, tenant_id: string): RefreshStore {
  const planOf = (connectionId: Uuid) =>
    db.selectFrom("connection_refreshes").where("tenant_id", "=", tenant_id).where("connection_id", "=", connectionId);

  return {
    async find(connectionId) {
      const found = await planOf(connectionId)
        .select(["due_at", "lease", "failures", "attempted_at", "outcome", "notified_at"])
        .select(["sealed_pending", "pending_since"])
        .executeTakeFirst();
      if (!found) return null;
      const { sealed_pending, pending_since, ...plan } = found;
      const isPending = sealed_pending !== null && pending_since !== null;
      return { ...plan, pending: isPending ? { sealed_state: sealed_pending, since: pending_since } : null };
    },

    async plan(connectionId, { pending, ...plan }) {
      const planned = { ...plan, ...columnsOf(pending), lease: null, failures: 0 };
      // Selected from the connections, so that one that does not exist gets none.
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("connection_refreshes")
        .columns([
          "tenant_id",
          "connection_id",
          "due_at",
          "sealed_pending",
          "pending_since",
          "user_hash",
          "reference_hash",
          "consent_expires_at",
        ])
        .expression((from) =>
          from
            .selectFrom("connections")
            .select([
              "tenant_id",
              "connection_id",
              sql<Date>`${planned.due_at}::timestamptz`.as("due_at"),
              sql<string | null>`${planned.sealed_pending}::text`.as("sealed_pending"),
              sql<Date | null>`${planned.pending_since}::timestamptz`.as("pending_since"),
              sql<string | null>`${planned.user_hash}::text`.as("user_hash"),
              sql<string | null>`${planned.reference_hash}::text`.as("reference_hash"),
              sql<Date | null>`${planned.consent_expires_at}::timestamptz`.as("consent_expires_at"),
            ])
            .where("tenant_id", "=", tenant_id)
            .where("connection_id", "=", connectionId),
        )
        .onConflict((conflict) => conflict.columns(["tenant_id", "connection_id"]).doUpdateSet(planned))
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async take(connectionId, { lease, now, until }) {
      const { numUpdatedRows } = await db
        .updateTable("connection_refreshes")
        .set({ lease, due_at: until, attempted_at: now, outcome: null })
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .where((row) => row.or([row("lease", "is", null), row("due_at", "<=", now)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async hold(connectionId, lease) {
      await takeTime(db);
      // The lock of publications and removals, then the plan's own.
      await db
        .selectFrom("tenant_revisions")
        .select("revision")
        .where("tenant_id", "=", tenant_id)
        .forUpdate()
        .execute();
      const held = await planOf(connectionId).select("lease").forUpdate().executeTakeFirst();
      return held?.lease === lease;
    },

    async settle(connectionId, { pending, ...next }) {
      await db
        .updateTable("connection_refreshes")
        .set({ ...next, ...columnsOf(pending), lease: null })
        .where("tenant_id", "=", tenant_id)
        .where("connection_id", "=", connectionId)
        .execute();
    },
  };
}

function columnsOf(pending: PendingFetch | null) {
  return { sealed_pending: pending?.sealed_state ?? null, pending_since: pending?.since ?? null };
}

/** {@link RefreshQueue}: the rows of {@link refreshStore}, over all tenants. */
export function refreshQueue({ asUpkeep }: Transactions): RefreshQueue {
  return {
    claim: ({ lease, now, until, limit, except_tenants }) =>
      asUpkeep(async (db) => {
        // What another worker claims at this moment is locked, and passed over.
        const { rows } = await sql<RefreshLease & { due_at: Date }>`
          update connection_refreshes r set lease = ${lease}, due_at = ${until}, attempted_at = ${now}, outcome = null
          from (
            select tenant_id, connection_id, due_at from connection_refreshes
            where due_at <= ${now} and not tenant_id = ${anyOf(except_tenants, "uuid")}
            order by due_at limit ${limit} for update skip locked
          ) due
          where r.tenant_id = due.tenant_id and r.connection_id = due.connection_id
          returning r.tenant_id, r.connection_id, r.lease, due.due_at`.execute(db);
        return rows
          .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
          .map(({ tenant_id, connection_id }) => ({ tenant_id, connection_id, lease }));
      }),

    hurry: ({ user_hashes, reference_hashes, tenant_id, now, pause_ms }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ named: string }>`
          select hurry_refreshes(
            ${user_hashes}::text[], ${reference_hashes}::text[], ${tenant_id}::uuid, ${now}, ${pause_ms} * interval '1 millisecond'
          ) as named`.execute(db);
        return Number(rows[0]?.named ?? 0);
      }),

    backlog: (now) =>
      asUpkeep(async (db) => {
        const consentBefore = new Date(now.getTime() + CONSENT_RENEWAL_MS);
        const { rows } = await sql<
          Record<"due" | "relogin_needed" | "consents_to_renew", string> & { oldest_due_at: Date | null }
        >`
          select count(*) as due, min(due_at) as oldest_due_at,
            (select count(*) from connection_refreshes where due_at is null) as relogin_needed,
            (select count(*) from connection_refreshes where due_at is not null and consent_expires_at < ${consentBefore}) as consents_to_renew
          from connection_refreshes where due_at <= ${now}`.execute(db);
        const [row] = rows;
        return {
          due: Number(row?.due ?? 0),
          oldest_due_at: row?.oldest_due_at ?? null,
          relogin_needed: Number(row?.relogin_needed ?? 0),
          consents_to_renew: Number(row?.consents_to_renew ?? 0),
        };
      }),
  };
}
