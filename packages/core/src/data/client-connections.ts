import { CoreError } from "../errors.js";
import type { Uuid } from "../schemas/identifier.js";
import type { DataPage, DataQuery, DataReader } from "./data-reader.js";

/** How often the connections of clients are looked up for one read. */
const MAX_TRIES = 3;

/** Reads what a query asks for, of clients alone. @throws CoreError as {@link connectionsOfClients} */
export async function readOfClients<Q extends DataQuery>(
  reader: Pick<DataReader, "connectionsOf">,
  tenantId: string,
  clientRefs: string | readonly string[],
  query: Q,
  rows: (query: Q) => Promise<DataPage>,
): Promise<DataPage> {
  for (let tries = 1; ; tries++) {
    const connection_ids = await connectionsOfClients(reader, tenantId, clientRefs, query.connection_ids);
    const page = await rows({ ...query, connection_ids });
    // A connection that was deleted after it was looked up is no longer the client's.
    const isGone = page.kind === "unknown" && page.field === "credentials_token";
    if (!isGone || tries === MAX_TRIES) return page;
  }
}

/**
 * Returns the connections of clients, oldest first; with `named`, those among them in that order.
 * @throws CoreError NOT_FOUND for a reference that no client has, or an id that no connection has
 */
export async function connectionsOfClients(
  reader: Pick<DataReader, "connectionsOf">,
  tenantId: string,
  clientRefs: string | readonly string[],
  named: readonly Uuid[] | null,
): Promise<readonly Uuid[]> {
  const found = await reader.connectionsOf(tenantId, [...new Set([clientRefs].flat())], named);
  if (found.unknown_clients.length > 0) throw unknownIds("client_ref", found.unknown_clients);
  if (found.unknown_connections.length > 0) throw unknownIds("credentials_token", found.unknown_connections);
  if (named === null) return found.connection_ids;
  const theirs = new Set(found.connection_ids);
  return named.filter((id) => theirs.has(id));
}

/** Says which ids are unknown. @param field the parameter that has them */
export function unknownIds(field: string, ids: readonly string[]): CoreError {
  const rule = `no such ${field}: ${ids
    .slice(0, 5)
    .map((id) => JSON.stringify(id.slice(0, 80)))
    .join(", ")}${ids.length > 5 ? " and more" : ""}`;
  return new CoreError("NOT_FOUND", rule, { details: [{ field, error_type: "InvalidValue", message: rule }] });
}
