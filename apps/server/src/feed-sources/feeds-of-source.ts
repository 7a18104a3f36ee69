import { type LocatedFeed, type MappedFeed, type Storage, uuidOf } from "@org/core";
import type { Route, RouteStore } from "@org/feed-sources";

/**
 * Finds whom the files of a source may be for: connections and letters that its rules name, and connectors whose letters they look
 * through. Two statements, however many rules the source has.
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
      "connector_id" in to ? [] : (uuidOf(("letter_id" in to ? to.letter_id : to.connection_id).toLowerCase()) ?? []),
    );
    const named: readonly LocatedFeed[] = ids.length === 0 ? [] : await directory.feedsOf([...new Set(ids)]);
    const connectors = targets.flatMap((to) => ("connector_id" in to ? [to.connector_id] : []));
    return [
      ...named.map(({ connector_id, connection_id }) => ({ connector_id, connection_id })),
      ...[...new Set(connectors)].map((connector_id) => ({ connector_id, connection_id: null })),
    ];
  };
}
