import type { ClientRecord, CountedClient, TenantClientStore } from "../../connections/client-store.js";
import type { NewEvent } from "../../schemas/event.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Labels } from "../../schemas/labels.js";
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

/** Takes a label from a client's letters, and from what it says is the client's. Returns their ids. */
export function withoutClientLabel(
  { letters, connections }: TenantState,
  clientRef: string,
  label: string,
): ReadonlySet<string> {
  const changed = new Set<string>();
  const without = <Row extends LabelledRow>(rows: Map<string, Row>, isOf: (row: Row) => boolean) => {
    for (const [id, row] of rows) {
      if (!(label in row.labels) || !isOf(row)) continue;
      const { [label]: _, ...labels } = row.labels;
      rows.set(id, { ...row, labels });
      changed.add(id);
    }
  };
  without(letters, ({ client_ref, labels }) => client_ref === clientRef || labels[label] === clientRef);
  without(connections, ({ labels }) => labels[label] === clientRef);
  return changed;
}

interface LabelledRow {
  readonly labels: Labels;
}

/** An event without the reference if it is of the client, and without the label if it is of the client or of one of some objects. */
export function withoutClient(
  event: NewEvent,
  { clientRef, label, ids }: { clientRef: string; label: string; ids: ReadonlySet<string> },
): NewEvent | null {
  const { data, object_id, labels } = event;
  const isOf = "client_ref" in data && data.client_ref === clientRef;
  const connection = "connection_id" in data ? String(data.connection_id) : "";
  if (!isOf && !ids.has(object_id) && !(event.type === "session.finished" && ids.has(connection))) return null;
  const kept = (all: Labels) => Object.fromEntries(Object.entries(all).filter(([key]) => key !== label));
  return {
    ...event,
    ...(labels && { labels: kept(labels) }),
    data: { ...data, ...(isOf && { client_ref: null }), ...("labels" in data && { labels: kept(data.labels) }) },
  } as NewEvent;
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
