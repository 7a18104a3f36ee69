import type { Connectors, FeedMappingStore, Storage, StoredFeedMapping } from "@org/core";
import { parseUuid, type Uuid } from "@org/core";
import type { FeedOrigin } from "./feed-delivery.js";
import type { MappingLanguage } from "./feed-mappings.js";

/** Finds the mappings that apply to a custodian's file. */
export interface AppliedMappings {
  /**
   * Mappings for a file of a connection or letter that no format recognises, best first: the connection's own, its connector's, and the shipped
   * ones that the connector's `feed_mapping` names.
   */
  appliesTo(origin: FeedOrigin): Promise<readonly object[]>;
  /** The same for a file that may belong to any of several feeds: one list per feed, without duplicates and without empty lists. */
  appliesToAny(feeds: readonly MappedFeed[]): Promise<readonly (readonly object[])[]>;
}

/** A feed that a file may belong to: a connection or, with null, any feed of the connector that has no connection. */
export interface MappedFeed {
  readonly connector_id: string;
  readonly connection_id: Uuid | null;
}

export function createAppliedMappings(deps: {
  storage: Pick<Storage, "feedMappings" | "inTenant">;
  connectors: Pick<Connectors, "find">;
  shipped: MappingLanguage["shipped"];
}): AppliedMappings {
  const { storage, connectors, shipped: all } = deps;
  const store: FeedMappingStore = storage.feedMappings;

  return {
    async appliesTo({ tenant_id, feed_id }) {
      const id = parseUuid(feed_id);
      if (id === null) return [];
      const { connection, letter } = await storage.inTenant(tenant_id, async ({ connections, letters }) => {
        const connection = await connections.find(id);
        return { connection, letter: connection ? null : await letters.find(id) };
      });
      const connectorId = connection?.connector_id ?? letter?.connector_id;
      if (connectorId === undefined) return [];
      const connectionId = connection?.connection_id ?? letter?.connection_id ?? null;
      const own = connectionId === null ? [] : await store.of({ tenant_id, connection_id: connectionId });
      const shared = await store.of({ connector_id: connectorId });
      return [...[...own, ...shared].map(({ mapping }) => mapping), ...(await shippedFor(connectorId))];
    },

    async appliesToAny(feeds) {
      const connector_ids = [...new Set(feeds.map(({ connector_id }) => connector_id))];
      const connection_ids = [...new Set(feeds.flatMap(({ connection_id }) => connection_id ?? []))];
      if (connector_ids.length === 0) return [];
      const stored = await store.ofAny({ connector_ids, connection_ids });
      const shipped = new Map<string, readonly object[]>();
      for (const id of connector_ids) shipped.set(id, await shippedFor(id));
      const owning = new Set(stored.flatMap(({ owner }) => ("connection_id" in owner ? owner.connection_id : [])));
      const kinds = new Map(
        feeds.map(({ connector_id, connection_id }) => {
          const own = connection_id !== null && owning.has(connection_id) ? connection_id : null;
          return [`${connector_id} ${own}`, { connector_id, own }];
        }),
      );
      const lists = [...kinds.values()].map(({ connector_id, own }) => [
        ...stored.filter(({ owner }) => "connection_id" in owner && owner.connection_id === own).map(textOf),
        ...stored.filter(({ owner }) => "connector_id" in owner && owner.connector_id === connector_id).map(textOf),
        ...(shipped.get(connector_id) ?? []),
      ]);
      const different = new Map(lists.map((list) => [JSON.stringify(list), list]));
      return [...different.values()].filter((list) => list.length > 0);
    },
  };

  /** Shipped mappings that the connector's `feed_mapping` names. */
  async function shippedFor(connectorId: string): Promise<readonly object[]> {
    const named = (await connectors.find(connectorId))?.metadata.feed_mapping;
    if (named === undefined) return [];
    const names = Array.isArray(named) ? named : [named];
    return all().filter(({ name }) => names.includes(name));
  }
}

function textOf({ mapping }: StoredFeedMapping): object {
  return mapping;
}
