import type { ClientRecord, CountedClient, TenantClientStore } from "../../connections/client-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import { searchKey } from "../../search-key.js";
import { compareText, requireTenant, type TenantState } from "../state.js";

/** Refuses a reference that no client has, as a foreign key would. */
export function requireClient(state: TenantState, clientRef: string | null): void {
  if (clientRef !== null && !state.clients.has(clientRef)) throw new Error("there is no such client");
}

/** The name of a client; null if there is none. */
export function clientName(state: TenantState, clientRef: string | null): string | null {
  return state.clients.get(clientRef ?? "")?.name ?? null;
}

/** {@link TenantClientStore} over a draft. */
export function memoryClients(state: TenantState): TenantClientStore {
  const rowsWithReference = [state.connections, state.letters, state.sessions] as readonly Map<
    string,
    { readonly client_ref: string | null }
  >[];

  function counted(clientRef: string): CountedClient | null {
    const client = state.clients.get(clientRef);
    const of = (rows: ReadonlyMap<string, { readonly client_ref: string | null }>) =>
      [...rows.values()].filter(({ client_ref }) => client_ref === clientRef).length;
    return client ? { ...client, connections: of(state.connections), letters: of(state.letters) } : null;
  }

  function replace(from: string, to: string | null): void {
    for (const rows of rowsWithReference)
      for (const [key, row] of rows) if (row.client_ref === from) rows.set(key, { ...row, client_ref: to });
    state.newReferences.push({ from, to });
  }

  function idsOf(
    rows: ReadonlyMap<string, { readonly client_ref: string | null }>,
    of: { readonly client_ref: string; readonly after: Uuid | null; readonly limit: number },
  ): readonly Uuid[] {
    return [...rows]
      .flatMap(([id, { client_ref }]) => (client_ref === of.client_ref ? [id as Uuid] : []))
      .filter((id) => of.after === null || id > of.after)
      .sort(compareText)
      .slice(0, of.limit);
  }

  return {
    async note(client_ref, created_at) {
      requireTenant(state);
      if (state.clients.has(client_ref)) return false;
      state.clients.set(client_ref, { client_ref, name: null, created_at });
      return true;
    },

    used: async () => state.clients.size,

    find: async (clientRef) => counted(clientRef),

    async list({ name, client_refs, order, page, page_size }) {
      const key = name === null ? "" : searchKey(name);
      const nameKey = (client: ClientRecord) =>
        order.endsWith("name") ? searchKey(client.name ?? client.client_ref) : "";
      const found = [...state.clients.values()]
        .filter(({ client_ref }) => client_refs === null || client_refs.includes(client_ref))
        .filter((client) => searchKey(client.client_ref).includes(key) || searchKey(client.name ?? "").includes(key))
        .sort((a, b) => compareText(nameKey(a), nameKey(b)) || compareText(a.client_ref, b.client_ref));
      if (order.startsWith("-")) found.reverse();
      const items = found.slice((page - 1) * page_size, page * page_size);
      return { items: items.flatMap(({ client_ref }) => counted(client_ref) ?? []), total: found.length };
    },

    async update(clientRef, { name, client_ref = clientRef }) {
      const client = state.clients.get(clientRef);
      if (!client) return "unknown";
      if (client_ref !== clientRef && state.clients.has(client_ref)) return "taken";
      state.clients.delete(clientRef);
      state.clients.set(client_ref, { ...client, client_ref, ...(name !== undefined && { name }) });
      replace(clientRef, client_ref);
      return "changed";
    },

    connectionsOf: async (client_ref, after, limit) => idsOf(state.connections, { client_ref, after, limit }),
    lettersOf: async (client_ref, after, limit) => idsOf(state.letters, { client_ref, after, limit }),

    async remove(clientRef) {
      replace(clientRef, null);
      return state.clients.delete(clientRef);
    },
  };
}
