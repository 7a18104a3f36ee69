import { type Storage, uuidOf } from "@org/core";

const MOST_KNOWN = 50_000;

/** Finds the connector of a connection or letter; null where there is none of this id. */
type ConnectorOfFeed = (id: string, tenantId?: string) => Promise<string | null>;

/** A connection or letter never changes its connector: each is looked up once. */
export function connectorOfFeed(storage: Pick<Storage, "directory" | "inTenant">): ConnectorOfFeed {
  const known = new Map<string, string>();
  return async (text, tenantId) => {
    const id = uuidOf(text.toLowerCase());
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
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(id, found.connector_id);
    return found.connector_id;
  };
}
