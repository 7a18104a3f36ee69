import { CoreError } from "../errors.js";
import { clientsWithin, type LimitedActor } from "../ports/client-limit.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import type { DataPage, DataQuery, DataReader } from "./data-reader.js";

/** How often the connections of clients are looked up for one read. */
const MAX_TRIES = 3;

/**
 * Returns the clients that a call is of: those that it names, else those that its caller is limited to; null = no limit, and none named.
 * @throws CoreError NOT_FOUND for one outside of the limit
 */
export function clientsNamed(
  actor: LimitedActor,
  named: string | readonly string[] | undefined,
): readonly string[] | null {
  const asked = named === undefined ? null : [...new Set([named].flat())];
  const theirs = clientsWithin(actor, asked);
  const outside = asked?.filter((one) => !theirs?.includes(one)) ?? [];
  if (outside.length > 0) throw unknownIds("client_ref", outside);
  return theirs;
}

/**
 * Reads what a query asks for, of clients alone. To a caller that is limited to clients, what is of others is unknown.
 * @throws CoreError as {@link connectionsOfClients}
 */
export async function readOfClients<Q extends DataQuery & Parents>(
  reader: DataReader,
  caller: Caller,
  clientRefs: readonly string[],
  query: Q,
  rows: (query: Q) => Promise<DataPage>,
): Promise<DataPage> {
  const named = query.connection_ids;
  for (let tries = 1; ; tries++) {
    if (named !== null) await requireOwn(reader, caller, named);
    const connection_ids = await connectionsOfClients(reader, caller.tenant_id, clientRefs, named);
    const page = await rows({ ...query, connection_ids });
    // A connection that was deleted after it was looked up is no longer the client's.
    const isGone = page.kind === "unknown" && page.field === "credentials_token";
    if (!isGone || tries === MAX_TRIES) return unlessParentIsOutside(reader, caller, query, page);
  }
}

type Caller = LimitedActor & { readonly tenant_id: string };

/** Whose rows a query is for. */
interface Parents {
  readonly portfolio_id?: Uuid | null;
  readonly holding_id?: Uuid | null;
}

/** @throws CoreError NOT_FOUND for connections outside of the caller's limit */
async function requireOwn(reader: DataReader, { tenant_id, client_refs }: Caller, ids: readonly Uuid[]): Promise<void> {
  if (client_refs === undefined) return;
  const own = new Set(await connectionsOfClients(reader, tenant_id, client_refs, ids));
  const outside = ids.filter((id) => !own.has(id));
  if (outside.length > 0) throw unknownIds("credentials_token", outside);
}

/** A parent outside of the caller's limit has no rows, which does not tell it from one that is empty: the caller's own are looked through. */
async function unlessParentIsOutside(
  reader: DataReader,
  { tenant_id, client_refs }: Caller,
  { portfolio_id = null, holding_id = null, now }: DataQuery & Parents,
  page: DataPage,
): Promise<DataPage> {
  const id = portfolio_id ?? holding_id;
  if (client_refs === undefined || id === null || page.kind !== "page" || page.total > 0) return page;
  const connection_ids = await connectionsOfClients(reader, tenant_id, client_refs, null);
  const [field, parents] =
    portfolio_id === null ? (["investment_id", "holdings"] as const) : (["portfolio_id", "portfolios"] as const);
  for (let number = 1; ; number += 1) {
    const query = { ...allParents, connection_ids, page: number, revision: page.revision, now };
    const found = await reader[parents](tenant_id, query);
    if (found.kind !== "page") return found;
    if ((JSON.parse(found.items_json) as { id: string }[]).some((one) => one.id === id)) return page;
    if (number * allParents.page_size >= found.total) return { kind: "unknown", field, ids: [id] };
  }
}

const allParents = {
  page_size: 500,
  fields: ["id"],
  with_facts: false,
  include_source_token: false,
  name: null,
  sort: null,
  totals_by: [],
  totals_only: false,
  currencies: null,
  types: null,
  subtypes: null,
  isins: null,
  min_balance: null,
  portfolio_id: null,
} as const;

/**
 * Returns the connections of clients, oldest first; with `named`, those among them in that order.
 * @throws CoreError NOT_FOUND for a reference that no client has, or an id that no connection has
 */
export async function connectionsOfClients(
  reader: Pick<DataReader, "connectionsOf">,
  tenantId: string,
  clientRefs: readonly string[],
  named: readonly Uuid[] | null,
): Promise<readonly Uuid[]> {
  const found = await reader.connectionsOf(tenantId, clientRefs, named);
  if (found.unknown_clients.length > 0) throw unknownIds("client_ref", found.unknown_clients);
  if (found.unknown_connections.length > 0) throw unknownIds("credentials_token", found.unknown_connections);
  if (named === null) return found.connection_ids;
  const theirs = new Set(found.connection_ids);
  return named.filter((id) => theirs.has(id));
}

/** Reads an id that a caller names, in any case. @throws CoreError NOT_FOUND for what cannot be one of our ids */
export function knownId(field: string, text: string): Uuid {
  const id = parseUuid(text.toLowerCase());
  if (id === null) throw unknownIds(field, [text]);
  return id;
}

/** Says which ids are unknown. @param field the parameter that has them */
export function unknownIds(field: string, ids: readonly string[]): CoreError {
  const rule = `no such ${field}: ${ids
    .slice(0, 5)
    .map((id) => JSON.stringify(id.slice(0, 80)))
    .join(", ")}${ids.length > 5 ? " and more" : ""}`;
  return new CoreError("NOT_FOUND", rule, { details: [{ field, error_type: "InvalidValue", message: rule }] });
}
