import { type AdminConnection, type ConnectionAdminQueries, LOOKED_THROUGH } from "@org/core";
import { sql } from "kysely";
import { askedFor, type Transactions } from "../transactions.js";

/** {@link ConnectionAdminQueries}, through a function of the database, because the role that calls it cannot read connections. */
export function connectionAdmin({ asUpkeep }: Transactions): ConnectionAdminQueries {
  return {
    list: (query) =>
      asUpkeep(
        async (db) => {
          // Lower than the limit of jobs: a person waits.
          await sql`set local statement_timeout = '10s'`.execute(db);
          const { rows } = await sql<FoundRow>`
          select * from search_connections_of_all(
            ${query.tenant_id}::uuid, ${query.connection_id}::uuid, ${query.connector_id_in}::text[], ${query.state_in}::text[],
            ${query.consent_ends_before}::timestamptz, ${query.is_failing}::boolean, ${query.order}::text,
            ${query.after?.connection_id ?? null}::uuid, ${query.after?.at ?? null}::text, ${query.limit}::integer, ${query.client_ref_in}::text[])`.execute(
            db,
          );
          return rows.map(connectionOf);
        },
        ...askedFor(query.asked_by),
      ),

    lookUpClients: (tenantId, words, limit) =>
      asUpkeep(
        async (db) => {
          await sql`set local statement_timeout = '10s'`.execute(db);
          const query = words.map((word) => `'${word}':*`).join(" & ");
          const { rows } = await sql<{ client_ref: string; name: string | null }>`
          select * from look_up_clients(${tenantId}::uuid, ${query}::text, ${LOOKED_THROUGH}::integer, ${limit}::integer)`.execute(
            db,
          );
          return rows;
        },
        ...askedFor(tenantId),
      ),

    // Writers take their locks in various orders: after a deadlock with one of them the transaction is retried.
    forgetClient: (tenantId, clientRef, label, limit) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<{ changed: number }>`
          select forget_client(${tenantId}::uuid, ${clientRef}, ${label}, ${limit}) as changed`.execute(db);
        return rows[0]?.changed ?? 0;
      }),
  };
}

type FoundRow = Omit<AdminConnection, "tenant" | "refresh"> &
  NonNullable<AdminConnection["refresh"]> & { readonly tenant_name: string; readonly is_planned: boolean };

function connectionOf({
  tenant_name,
  is_planned,
  due_at,
  lease,
  attempted_at,
  outcome,
  ...row
}: FoundRow): AdminConnection {
  return { ...row, tenant: tenant_name, refresh: is_planned ? { due_at, lease, attempted_at, outcome } : null };
}
