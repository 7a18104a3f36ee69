import { evaluateRelogin } from "@org/relogin-rule";
import { attentionOf } from "../../connections/attention.js";
import type {
  ConnectionQuery,
  ConnectionRecord,
  ConnectionStore,
  ListedConnection,
} from "../../connections/connection-store.js";
import type { PortfolioRow } from "../../data/snapshot-store.js";
import { searchKey } from "../../search-key.js";
import { compareText, insert, isIn, requireTenant, type TenantState } from "../state.js";
import { requireClient } from "./clients.js";

export function listConnections(state: TenantState, query: ConnectionQuery) {
  const { bank, client_refs, ready_only, attention_at, with_accounts, page, page_size } = query;
  const matching = oldestFirst(state).filter(
    (connection) =>
      isIn(client_refs, connection.client_ref) &&
      (bank === null || searchKey(connection.bank).includes(searchKey(bank))) &&
      (!ready_only || !(connection.status.pending || evaluateRelogin(connection.status).needs_relogin)) &&
      (attention_at === null || attentionOf(connection, attention_at) !== null),
  );
  const items = matching.slice((page - 1) * page_size, page * page_size);
  return { items: with_accounts ? items.map((one) => withAccounts(state, one)) : items, total: matching.length };
}

function withAccounts(state: TenantState, connection: ConnectionRecord): ListedConnection {
  const snapshot = state.snapshots.find(
    ({ connection_id, product, until }) =>
      connection_id === connection.connection_id && product === "portfolio" && until === null,
  );
  const rows = (snapshot?.rows ?? []) as readonly PortfolioRow[];
  const accounts = rows.slice(0, 3).map(({ name, ref_account }) => ({ name, ref_account }));
  return { ...connection, accounts };
}

/** {@link ConnectionStore} over a draft. */
export function memoryConnections(state: TenantState): ConnectionStore {
  return {
    async create(record) {
      requireTenant(state);
      requireClient(state, record.client_ref);
      const twin = [...state.connections.values()].find(
        (other) =>
          record.identity_hash !== null &&
          other.identity_hash === record.identity_hash &&
          other.connector_id === record.connector_id,
      );
      if (twin) return { created: false, existing: twin.connection_id };
      insert(state.connections, record.connection_id, { ...record });
      return { created: true };
    },

    async find(connectionId) {
      return state.connections.get(connectionId) ?? null;
    },

    async findIdentified(connectorId, identityHash) {
      for (const one of state.connections.values())
        if (one.connector_id === connectorId && one.identity_hash === identityHash) return one;
      return null;
    },

    async findReferenced(referenceHash) {
      return [...state.connections.values()].filter(
        ({ connection_id }) => state.refreshes.get(connection_id)?.reference_hash === referenceHash,
      );
    },

    async findMany(connectionIds) {
      return [...new Set(connectionIds)].flatMap((id) => state.connections.get(id) ?? []);
    },

    async withAccess(after, limit) {
      return [...state.connections.values()]
        .filter(
          ({ connection_id, sealed_access }) => sealed_access !== null && (after === null || connection_id > after),
        )
        .sort((a, b) => compareText(a.connection_id, b.connection_id))
        .slice(0, limit);
    },

    async save(connectionId, change) {
      const connection = state.connections.get(connectionId);
      if (!connection) return false;
      state.connections.set(connectionId, { ...connection, ...change });
      return true;
    },

    async identify(connectionId, identity_hash) {
      const own = state.connections.get(connectionId);
      if (!own) return null;
      for (const other of state.connections.values())
        if (other !== own && other.identity_hash === identity_hash && other.connector_id === own.connector_id)
          return other.connection_id;
      state.connections.set(connectionId, { ...own, identity_hash });
      return null;
    },

    async assign(connectionId, client_ref) {
      const connection = state.connections.get(connectionId);
      if (!connection) return false;
      requireClient(state, client_ref);
      state.connections.set(connectionId, { ...connection, client_ref });
      return true;
    },

    async remove(connectionId) {
      if (!state.connections.delete(connectionId)) return false;
      state.refreshes.delete(connectionId);
      const others = state.snapshots.filter((snapshot) => snapshot.connection_id !== connectionId);
      if (others.length < state.snapshots.length) {
        state.snapshots = others;
        state.revision += 1;
        state.pruned = state.revision;
      }
      for (const key of state.feedArrivals.keys())
        if (key.startsWith(`${connectionId} `)) state.feedArrivals.delete(key);
      for (const key of state.feedPages.keys()) if (key.startsWith(`${connectionId} `)) state.feedPages.delete(key);
      for (const kept of [
        state.movements,
        state.correctedTransactions,
        state.transactionsRead,
        state.valuations,
        state.valuedKinds,
      ])
        for (const key of kept.keys()) if (key.startsWith(`${connectionId} `)) kept.delete(key);
      state.formerTransactions = state.formerTransactions.filter((one) => one.connection_id !== connectionId);
      state.formerValuations = state.formerValuations.filter((one) => one.connection_id !== connectionId);
      for (const key of state.feedAccounts.keys())
        if (key.startsWith(`${connectionId} `)) state.feedAccounts.delete(key);
      state.feedAccountLinks.delete(connectionId);
      for (const rows of [state.feedDifferences, state.feedGaps])
        for (const key of rows.keys()) if (key.startsWith(`${connectionId} `)) rows.delete(key);
      for (const [key, file] of state.feedFiles) if (file.connection_id === connectionId) state.feedFiles.delete(key);
      for (const [key, session] of state.sessions) {
        if (session.connection_id === connectionId) state.sessions.delete(key);
      }
      for (const [key, letter] of state.letters) {
        if (letter.connection_id === connectionId) state.letters.set(key, { ...letter, connection_id: null });
      }
      return true;
    },
  };
}

/** Connections in list order: by creation, then id. */
export function oldestFirst(state: TenantState): readonly ConnectionRecord[] {
  return [...state.connections.values()].sort(
    (a, b) => a.created_at.getTime() - b.created_at.getTime() || compareText(a.connection_id, b.connection_id),
  );
}
