import type { AccessRefusal, FetchedData } from "@org/provider-kit";
import { evaluateRelogin } from "@org/relogin-rule";
import type { PreparedPublication } from "../data/publication.js";
import { type Product, type Published, products } from "../data/snapshot-store.js";
import { withCorrections } from "../data/transaction-corrections.js";
import { invalidAll } from "../errors.js";
import { type LimitedActor, limitFaults } from "../ports/client-limit.js";
import type { Runtime } from "../ports/runtime.js";
import type { VaultContext } from "../ports/vault.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import type { ConnectionCondition, NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import { tenantLimitRefusal } from "../tenants/tenant-limits.js";
import type { ConnectionRecord } from "./connection-store.js";
import type { ConnectionStorage, ConnectionStores } from "./storage.js";

/** The stores that a change of a connection needs; the change and its events are in one transaction. */
type Stores = Pick<ConnectionStores, "connections" | "snapshots" | "movements" | "events">;

/** The connection that events are about. */
export type EventConnection = Pick<ConnectionRecord, "connection_id" | "connector_id" | "labels" | "client_ref">;

/** Why a connection changes. */
export interface Occasion {
  readonly source?: "login" | "refresh" | "feed";
  /** The letter whose custodian sends its data; null for a bank login. */
  readonly letter_id: Uuid | null;
  /** Whether data arrived, changed or not. */
  readonly isFresh?: boolean;
}

/**
 * Returns the condition of a connection. `blocked` takes precedence over `needs_relogin`, which its customer can fix, and that over
 * `pending`.
 */
export function connectionConditionOf(status: CredentialStatus): Exclude<ConnectionCondition, "removed"> {
  if (status.blocked) return "blocked";
  if (evaluateRelogin(status).needs_relogin) return "needs_relogin";
  return status.pending ? "pending" : "ready";
}

/**
 * Returns the client of what makes a connection, and keeps the client from being renamed or removed until the transaction ends.
 * @param read reads the reference where it is now: the one that the caller knows may be an old one
 */
export async function keepClient(
  { clients }: Pick<ConnectionStores, "clients">,
  read: () => Promise<string | null>,
): Promise<string | null> {
  for (;;) {
    const clientRef = await read();
    if (clientRef === null || (await clients.update(clientRef, {})) === "changed") return clientRef;
    // It has just been renamed or removed; look again.
  }
}

/**
 * Makes a client unless there is one; returns whether it did.
 * @param most the tenant's limit of clients. @throws CoreError RATE_LIMITED beyond it
 */
export async function makeClient(
  { clients }: Pick<ConnectionStores, "clients">,
  clientRef: string,
  at: Date,
  most: number | undefined,
): Promise<boolean> {
  const isNew = await clients.note(clientRef, at);
  if (isNew && most !== undefined && (await clients.used()) > most) throw tenantLimitRefusal("clients", most);
  return isNew;
}

/**
 * Makes the client of a new letter or session if there is none. One that an actor is limited to is there; if it has just been removed, or renamed, it
 * is not made again by a caller who was let in before.
 * @throws CoreError VALIDATION_ERROR on `client_ref`, RATE_LIMITED beyond the tenant's limit of clients
 */
export async function noteClient(
  { clients }: Pick<ConnectionStores, "clients">,
  { client_refs }: LimitedActor,
  clientRef: string,
  at: Date,
  most: number | undefined,
): Promise<void> {
  if (client_refs === undefined) await makeClient({ clients }, clientRef, at, most);
  else if ((await clients.update(clientRef, {})) === "unknown")
    throw invalidAll(limitFaults({ client_refs: [] }, clientRef, "client_ref"));
}

/** Stores a new connection; {@link keepClient} has kept its client. If one with the same identity exists, returns that one and changes nothing. */
export async function createConnection(
  { connections, events }: Pick<ConnectionStores, "connections" | "events">,
  connection: ConnectionRecord,
  occasion: Occasion,
): ReturnType<Stores["connections"]["create"]> {
  const made = await connections.create(connection);
  if (made.created)
    await events.append([told("connection.created", connection, connectionConditionOf(connection.status), occasion)]);
  return made;
}

/**
 * Replaces the status of a connection, and its access if given.
 * @param connection the connection before the change
 */
export async function saveConnection(
  { connections, events }: Stores,
  connection: EventConnection & Pick<ConnectionRecord, "status">,
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

/** Returns the events of a change from one condition to another. */
function changesOf(from: ConnectionCondition, to: ConnectionCondition, isFresh: boolean): readonly ConnectionEvent[] {
  const wasStopped = from === "blocked" || from === "needs_relogin";
  if (to === "blocked" || to === "needs_relogin") return from === to ? [] : [`connection.${to}` as const];
  return [
    ...(wasStopped ? ["connection.recovered" as const] : []),
    // A pending connection that becomes ready counts as refreshed, whatever data arrived.
    ...(isFresh || (from === "pending" && to === "ready") ? ["connection.refreshed" as const] : []),
  ];
}

/** Deletes a connection with its data. */
export async function removeConnection(
  { connections, events }: Stores,
  connection: EventConnection,
  letterId: Uuid | null,
): Promise<void> {
  if (await connections.remove(connection.connection_id))
    await events.append([told("connection.removed", connection, "removed", { letter_id: letterId })]);
}

/** Events that report the new condition of a connection. */
type ConnectionEvent = Exclude<Extract<NewEvent["type"], `connection.${string}`>, "connection.consent_expiring">;

function told(
  type: ConnectionEvent,
  { connection_id, connector_id, labels, client_ref }: EventConnection,
  status: ConnectionCondition,
  { source, letter_id, reason }: Occasion & { readonly reason?: string },
): NewEvent {
  const about = { connection_id, connector_id, client_ref, status, letter_id };
  const data = { ...about, ...(reason && { reason }), ...(source && { source }) };
  return { type, object_id: connection_id, labels, data };
}

/** Publishes data of a connection, and emits an event about the products that changed, if any. */
export async function publishData(
  stores: Pick<Stores, "snapshots" | "movements" | "events">,
  connection: Pick<ConnectionRecord, "connection_id" | "labels" | "client_ref">,
  publication: PreparedPublication,
): Promise<void> {
  const published = await stores.snapshots.publish(withCorrections(stores, publication));
  await emitConnectionChanges(stores, connection, [published]);
}

/** Emits the event about what was published in one transaction. */
export async function emitConnectionChanges(
  { events }: Pick<Stores, "events">,
  { connection_id, labels, client_ref }: Pick<ConnectionRecord, "connection_id" | "labels" | "client_ref">,
  publications: readonly Published[],
): Promise<void> {
  const changed = products.filter((product) => publications.some((one) => one.changed.includes(product)));
  if (changed.length === 0) return;
  const sum = (count: "corrected" | "withdrawn") => publications.reduce((total, one) => total + one[count], 0);
  const [corrected, withdrawn] = [sum("corrected"), sum("withdrawn")];
  const data = {
    connection_id,
    client_ref,
    snapshot_revision: Number(publications.at(-1)?.revision),
    products: changed.map((product) => productNames[product]),
    ...(corrected > 0 && { corrected_transactions: corrected }),
    ...(withdrawn > 0 && { withdrawn_transactions: withdrawn }),
  };
  await events.append([{ type: "data.changed", object_id: connection_id, labels, data }]);
}

const productNames = {
  portfolio: "portfolios",
  investment: "holdings",
  transaction: "transactions",
} as const satisfies Record<Product, string>;

/**
 * Returns the status of a connection after a successful login or delivery: what arrived is created, what did not is errored,
 * nothing blocks.
 * @param isPart the data are part of a history that is read in several fetches: what did not arrive was not asked for, and stays as it was
 */
export function statusAfter(
  before: CredentialStatus,
  result: Pick<FetchedData, "snapshot" | "consent_expires_at">,
  now: Date,
  isPart = false,
): CredentialStatus {
  const { portfolios, holdings, transactions } = result.snapshot;
  const { created, errored } = before;
  const isMissing = (list: readonly unknown[] | null, wasErrored: boolean) => list === null && (!isPart || wasErrored);
  return {
    ...before,
    pending: false,
    blocked: false,
    reset_token: null,
    sca_token: null,
    last_update: now.toISOString(),
    errored: flags(
      isMissing(portfolios, errored.product.portfolio),
      isMissing(holdings, errored.product.investment),
      isMissing(transactions, errored.transaction.investment),
      false,
    ),
    created: flags(
      created.product.portfolio || portfolios !== null,
      created.product.investment || holdings !== null,
      created.transaction.investment || transactions !== null,
      true,
    ),
    consent_expires_at: result.consent_expires_at?.toISOString() ?? stillAhead(before.consent_expires_at, now),
  };
}

/**
 * Returns the status of a connection whose customer has logged in while the bank still prepares the data: nothing blocks, and
 * existing data stay.
 */
export function statusAfterLogin(
  before: CredentialStatus,
  { consent_expires_at: consent }: { readonly consent_expires_at?: Date | null },
): CredentialStatus {
  return {
    ...before,
    blocked: false,
    reset_token: null,
    sca_token: null,
    errored: { ...before.errored, product: { ...before.errored.product, auth: false } },
    consent_expires_at: consent?.toISOString() ?? null,
  };
}

/**
 * Returns the status of a connection after a refresh without data. If `refused` is null the bank could not be asked, and only the
 * extraction has failed. Otherwise the flag is set that makes the relogin rule ask for the customer (contract §4). An expired
 * consent is renewed by strong customer authentication.
 * @param token the new value of `sca_token` or `reset_token`: an opaque id
 */
export function statusAfterFailure(
  before: CredentialStatus,
  refused: AccessRefusal | null,
  token: string,
  now: Date,
): CredentialStatus {
  const failed = { ...before, errored: flags(true, true, true, refused === "rejected" || before.errored.product.auth) };
  switch (refused) {
    case null:
    case "rejected":
      return failed;
    case "blocked":
      return { ...failed, blocked: true };
    case "sca_required":
      return { ...failed, sca_token: token };
    case "reset":
      return { ...failed, reset_token: token };
    case "consent_expired":
      return { ...failed, sca_token: token, consent_expires_at: earlier(before.consent_expires_at, now) };
  }
}

/** Keeps the end of a consent that a fetch does not repeat. An end that has passed while the bank still delivers is dropped. */
function stillAhead(consentExpiresAt: string | null, now: Date): string | null {
  return consentExpiresAt !== null && Date.parse(consentExpiresAt) > now.getTime() ? consentExpiresAt : null;
}

/** Returns when a consent ended: as the bank had announced, or now if it ended earlier. */
function earlier(announced: string | null, now: Date): string {
  return announced !== null && Date.parse(announced) < now.getTime() ? announced : now.toISOString();
}

function flags(
  portfolio: boolean,
  investment: boolean,
  transaction: boolean,
  auth: boolean,
): CredentialStatus["errored"] {
  return {
    product: { auth, account: false, card: false, portfolio, investment, liability: false, holders: false },
    transaction: { account: false, card: false, investment: transaction, liability: false },
  };
}

/** The context in which a connection's access is sealed. */
export function accessContext(connectionId: string): VaultContext {
  return { purpose: "connection-access", row: connectionId };
}

const CONSENT_BATCH = 100;

/** Emits events seven days and one day before a customer's consent expires, once each. */
export interface ConsentNotices {
  /** Emits the events that are due; any replica may do it. Returns how many. */
  notifyEndingConsents(): Promise<number>;
}

export function createConsentNotices({
  storage,
  runtime: { clock },
}: {
  storage: ConnectionStorage;
  runtime: Pick<Runtime, "clock">;
}): ConsentNotices {
  return {
    async notifyEndingConsents() {
      let told = 0;
      for (let found = CONSENT_BATCH; found === CONSENT_BATCH; ) {
        const ending = await storage.refreshQueue.endingConsents(clock(), CONSENT_BATCH);
        const before = told;
        for (const one of ending) if (await tell(one)) told += 1;
        // Stop if none could be claimed: another replica is emitting them.
        found = told === before ? 0 : ending.length;
      }
      return told;
    },
  };

  function tell({ tenant_id, connection_id }: { tenant_id: string; connection_id: Uuid }): Promise<boolean> {
    return storage.inTenant(tenant_id, async ({ connections, refreshes, events }) => {
      const due = await refreshes.noteConsentEnd(connection_id, clock());
      const connection = due && (await connections.find(connection_id));
      if (!connection) return false;
      const { connector_id, labels, client_ref } = connection;
      const status = connectionConditionOf(connection.status);
      const ending = { consent_expires_at: due.end.toISOString(), days: due.days };
      const data = { connection_id, connector_id, client_ref, status, ...ending };
      await events.append([{ type: "connection.consent_expiring", object_id: connection_id, labels, data }]);
      return true;
    });
  }
}
