import {
  type AdminConnection,
  type ConnectionAdminQueries,
  type ConnectionAdminQuery,
  type ConnectionPlace,
  placeInOrder,
} from "../../connections/connection-admin-queries.js";
import { connectionConditionOf } from "../../connections/connection-changes.js";
import { LOOKED_THROUGH } from "../../letters/letter-admin-queries.js";
import { searchWords } from "../../letters/letter-search.js";
import { compareText, isIn, type TenantState } from "../state.js";
import { clientName } from "./clients.js";

/** {@link ConnectionAdminQueries} that read, over the current state of the tenants. */
export function memoryConnectionAdmin(
  tenants: ReadonlyMap<string, TenantState>,
): Omit<ConnectionAdminQueries, "forgetClient"> {
  return {
    list: async (query) =>
      [...tenants]
        .filter(([tenant_id, { tenant }]) => tenant !== null && (query.tenant_id ?? tenant_id) === tenant_id)
        .flatMap(([tenant_id, state]) => connectionsOf(tenant_id, state, query))
        .sort((a, b) => compare(query, placeInOrder(a, query.order), placeInOrder(b, query.order)))
        .slice(0, query.limit),
    async lookUpClients(tenantId, words, limit) {
      const found = [...(tenants.get(tenantId)?.clients.values() ?? [])].filter(({ client_ref, name }) => {
        const own = searchWords(`${client_ref} ${name ?? ""}`);
        return words.every((word) => own.some((one) => one.startsWith(word)));
      });
      const through = found.slice(0, LOOKED_THROUGH).sort((a, b) => compareText(a.client_ref, b.client_ref));
      return through.slice(0, limit).map(({ client_ref, name }) => ({ client_ref, name }));
    },
  };
}

function compare({ order }: ConnectionAdminQuery, a: ConnectionPlace, b: ConnectionPlace): number {
  const way = order === "oldest" || order === "consent_ends_first" || order === "data_oldest" ? 1 : -1;
  const byId = way * compareText(a.connection_id, b.connection_id);
  if (a.at === null || b.at === null) return Number(a.at === null) - Number(b.at === null) || byId;
  return way * compareText(a.at, b.at) || byId;
}

function connectionsOf(tenant_id: string, state: TenantState, query: ConnectionAdminQuery): AdminConnection[] {
  return [...state.connections.values()].flatMap(({ identity_hash: _, sealed_access: __, ...connection }) => {
    const { connection_id, connector_id, status } = connection;
    const plan = state.refreshes.get(connection_id) ?? null;
    const ends = plan?.consent_expires_at ?? null;
    const passes =
      (query.connection_id ?? connection_id) === connection_id &&
      isIn(query.client_ref_in, connection.client_ref) &&
      (query.connector_id_in?.includes(connector_id) ?? true) &&
      (query.state_in?.includes(connectionConditionOf(status)) ?? true) &&
      (query.consent_ends_before === null || (ends !== null && ends < query.consent_ends_before)) &&
      (query.is_failing ?? (plan?.failures ?? 0) > 0) === (plan?.failures ?? 0) > 0 &&
      (query.after === null || compare(query, placeInOrder(connection, query.order), query.after) > 0);
    if (!passes) return [];
    const letter = [...state.letters.values()].find((one) => one.connection_id === connection_id);
    const client_name = clientName(state, connection.client_ref);
    const refresh = plan && {
      due_at: plan.due_at,
      lease: plan.lease,
      attempted_at: plan.attempted_at,
      outcome: plan.outcome,
    };
    return [
      {
        ...connection,
        tenant_id,
        tenant: state.tenant?.name ?? "",
        client_name,
        letter_id: letter?.letter_id ?? null,
        refresh,
      },
    ];
  });
}
