import { evaluateRelogin } from "@org/relogin-rule";
import type { ConnectionRecord } from "../ports/connection-store.js";
import type { Product, Publication, Published } from "../ports/snapshot-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import type { ConnectionCondition, NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";

/** What a change of a connection needs: the change and its events belong to one transaction. */
type Stores = Pick<TenantStores, "connections" | "snapshots" | "events">;

/** Which connection events tell of. */
export type ToldConnection = Pick<ConnectionRecord, "connection_id" | "connector_id" | "labels">;

/** Why a connection changes. */
export interface Occasion {
  readonly source?: "login" | "refresh" | "feed";
  /** The letter that feeds it; null where a customer logged in. */
  readonly letter_id: Uuid | null;
  /** Whether data came, the same as before or not. */
  readonly isFresh?: boolean;
}

/** How a connection is, in one word: what blocks comes before what its customer can mend, and that before what is awaited. */
export function connectionConditionOf(status: CredentialStatus): Exclude<ConnectionCondition, "removed"> {
  if (status.blocked) return "blocked";
  if (evaluateRelogin(status).needs_relogin) return "needs_relogin";
  return status.pending ? "pending" : "ready";
}

/** Keeps a new connection; an existing one of the same identity is answered, and nothing changes. */
export async function createConnection(
  { connections, events }: Stores,
  connection: ConnectionRecord,
  occasion: Occasion,
): ReturnType<Stores["connections"]["create"]> {
  const made = await connections.create(connection);
  if (made.created)
    await events.append([told("connection.created", connection, connectionConditionOf(connection.status), occasion)]);
  return made;
}

/**
 * Replaces the status of a connection, and its access when given.
 * @param connection as it was before
 */
export async function saveConnection(
  { connections, events }: Stores,
  connection: ToldConnection & Pick<ConnectionRecord, "status">,
  change: { readonly status: CredentialStatus; readonly sealed_access?: string },
  occasion: Occasion,
): Promise<void> {
  if (!(await connections.save(connection.connection_id, change))) return;
  const from = connectionConditionOf(connection.status);
  const to = connectionConditionOf(change.status);
  const reason = evaluateRelogin(change.status).reasons[0]?.code;
  const happened = changesOf(from, to, occasion.isFresh === true);
  if (happened.length > 0)
    await events.append(happened.map((type) => told(type, connection, to, { ...occasion, ...(reason && { reason }) })));
}

/** What a connection that was in one state and is in another has gone through. */
function changesOf(from: ConnectionCondition, to: ConnectionCondition, isFresh: boolean): readonly ConnectionEvent[] {
  const wasStopped = from === "blocked" || from === "needs_relogin";
  if (to === "blocked" || to === "needs_relogin") return from === to ? [] : [`connection.${to}` as const];
  return [
    ...(wasStopped ? ["connection.recovered" as const] : []),
    // One that waited for its first data does so no longer, whatever came.
    ...(isFresh || (from === "pending" && to === "ready") ? ["connection.refreshed" as const] : []),
  ];
}

/** Deletes a connection with its data. */
export async function removeConnection(
  { connections, events }: Stores,
  connection: ToldConnection,
  letterId: Uuid | null,
): Promise<void> {
  if (await connections.remove(connection.connection_id))
    await events.append([told("connection.removed", connection, "removed", { letter_id: letterId })]);
}

/** Types whose events tell how a connection is from now on. */
type ConnectionEvent = Exclude<Extract<NewEvent["type"], `connection.${string}`>, "connection.consent_expiring">;

function told(
  type: ConnectionEvent,
  { connection_id, connector_id, labels }: ToldConnection,
  status: ConnectionCondition,
  { source, letter_id, reason }: Occasion & { readonly reason?: string },
): NewEvent {
  const data = { connection_id, connector_id, status, letter_id, ...(reason && { reason }), ...(source && { source }) };
  return { type, object_id: connection_id, labels, data };
}

/** Publishes data of a connection, and says which of its products are others than before, where any is. */
export async function publishData(
  stores: Pick<Stores, "snapshots" | "events">,
  connection: Pick<ConnectionRecord, "connection_id" | "labels">,
  publication: Publication,
): Promise<void> {
  await tellChanges(stores, connection, await stores.snapshots.publish(publication));
}

/** Says what publications of one transaction have changed. */
export async function tellChanges(
  { events }: Pick<Stores, "events">,
  { connection_id, labels }: Pick<ConnectionRecord, "connection_id" | "labels">,
  { revision, changed }: Published,
): Promise<void> {
  if (changed.length === 0) return;
  const products = changed.map((product) => productNames[product]);
  const data = { connection_id, snapshot_revision: Number(revision), products };
  await events.append([{ type: "data.changed", object_id: connection_id, labels, data }]);
}

const productNames = {
  portfolio: "portfolios",
  investment: "holdings",
  transaction: "transactions",
} as const satisfies Record<Product, string>;
