import { type LocatedFeed, parseUuid, type Storage } from "@org/core";
import type { MappedFeed } from "@org/data-feeds";
import type { RouteStore } from "./ports/source-store.js";
import type { Route } from "./routing.js";

const MAX_KNOWN = 50_000;

/** Finds the connector of a connection or letter; null if the id is unknown. */
type ConnectorOfFeed = (id: string, tenantId?: string) => Promise<string | null>;

/** Caches each result: a connection or letter never changes its connector. */
export function connectorOfFeed(storage: Pick<Storage, "directory" | "inTenant">): ConnectorOfFeed {
  const known = new Map<string, string>();
  return async (text, tenantId) => {
    const id = parseUuid(text.toLowerCase());
    if (id === null) return null;
    const before = known.get(id);
    if (before !== undefined) return before;
    const { directory } = storage;
    const tenant = tenantId ?? (await directory.tenantOfConnection(id)) ?? (await directory.tenantOfLetter(id));
    if (tenant === null) return null;
    const found = await storage.inTenant(
      tenant,
      async ({ connections, letters }) => (await connections.find(id)) ?? (await letters.find(id)),
    );
    if (!found) return null;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(id, found.connector_id);
    return found.connector_id;
  };
}

/**
 * Finds the possible targets of a source's files: connections and letters that its rules name, and connectors whose letters the rules search. Takes
 * two statements, however many rules the source has.
 */
export function feedsOfSource({
  storage: { directory },
  routes,
}: {
  storage: Pick<Storage, "directory">;
  routes: Pick<RouteStore, "list">;
}): (source: string) => Promise<readonly MappedFeed[]> {
  return async (source) => {
    const targets = (await routes.list(source)).map(({ rule }) => (rule as Route).to);
    const ids = targets.flatMap((to) =>
      "connector_id" in to
        ? []
        : (parseUuid(("letter_id" in to ? to.letter_id : to.connection_id).toLowerCase()) ?? []),
    );
    const named: readonly LocatedFeed[] = ids.length === 0 ? [] : await directory.feedsOf([...new Set(ids)]);
    const connectors = targets.flatMap((to) => ("connector_id" in to ? [to.connector_id] : []));
    return [
      ...named.map(({ connector_id, connection_id }) => ({ connector_id, connection_id })),
      ...[...new Set(connectors)].map((connector_id) => ({ connector_id, connection_id: null })),
    ];
  };
}
