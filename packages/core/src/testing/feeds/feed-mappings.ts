import type { FeedMappingStore, MappingOwner, StoredFeedMapping } from "../../feeds/feed-mapping-store.js";
import type { AuditEntry } from "../../ports/audit-log.js";

/**
 * {@link FeedMappingStore} in memory.
 * @param keepEntry records a line of the audit trail
 * @param hasConnection whether a connection still exists
 */
export function memoryFeedMappings(
  keepEntry: (tenantId: string | null, entry: AuditEntry) => Promise<void>,
  hasConnection: (tenantId: string, connectionId: string) => boolean,
): FeedMappingStore {
  const kept = new Map<string, StoredFeedMapping>();
  const keyOf = (owner: MappingOwner) =>
    "connector_id" in owner ? `a ${owner.connector_id}` : `b ${owner.tenant_id} ${owner.connection_id}`;
  const tenantOf = (owner: MappingOwner) => ("connector_id" in owner ? null : owner.tenant_id);
  const isThere = (owner: MappingOwner) =>
    "connector_id" in owner || hasConnection(owner.tenant_id, owner.connection_id);
  const all = () =>
    [...kept]
      .filter(([, { owner }]) => isThere(owner))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, mapping]) => mapping);
  return {
    list: async (limit) => all().slice(0, limit),
    of: async (owner) => all().filter((mapping) => keyOf(mapping.owner) === keyOf(owner)),
    ofAny: async ({ connector_ids, connection_ids }) =>
      all().filter(({ owner }) =>
        "connector_id" in owner
          ? connector_ids.includes(owner.connector_id)
          : connection_ids.includes(owner.connection_id),
      ),
    async keep(mapping, entry, precondition = () => true) {
      if (!isThere(mapping.owner)) return "unknown";
      const key = `${keyOf(mapping.owner)} ${mapping.name}`;
      if (!precondition(kept.get(key) ?? null)) return "overtaken";
      kept.set(key, mapping);
      await keepEntry(tenantOf(mapping.owner), entry);
      return "kept";
    },
    async remove(owner, name, entry) {
      if (!kept.delete(`${keyOf(owner)} ${name}`)) return false;
      await keepEntry(tenantOf(owner), entry);
      return true;
    },
  };
}
