import type { Uuid } from "../schemas/identifier.js";
import type { ClientRecord } from "./client-store.js";
import type { ConnectionOrder, ConnectionState } from "./connection-search.js";
import type { ConnectionRecord } from "./connection-store.js";
import type { RefreshRecord } from "./refresh-store.js";

/** Which connections are listed; null = any, and all conditions are ANDed. */
export interface ConnectionAdminQuery {
  /** Null = of all tenants. */
  readonly tenant_id: string | null;
  /** The tenant whose own people or programs ask, and whose share of the database it takes; null = operators. */
  readonly asked_by: string | null;
  readonly connection_id: Uuid | null;
  readonly client_ref_in: readonly string[] | null;
  readonly connector_id_in: readonly string[] | null;
  /** As computed by `connectionConditionOf`. */
  readonly state_in: readonly ConnectionState[] | null;
  readonly consent_ends_before: Date | null;
  /** Whether the last refresh failed. */
  readonly is_failing: boolean | null;
  readonly order: ConnectionOrder;
  /** Only connections after this one in `order`. */
  readonly after: ConnectionPlace | null;
  readonly limit: number;
}

/** A connection's position in an order. */
export interface ConnectionPlace {
  readonly connection_id: Uuid;
  /** The time that the order is by, see `placeInOrder`; null also where it is by id. */
  readonly at: string | null;
}

/** The position of a connection in `order`. */
export function placeInOrder(
  { connection_id, status }: Pick<ConnectionRecord, "connection_id" | "status">,
  order: ConnectionOrder,
): ConnectionPlace {
  if (order === "newest" || order === "oldest") return { connection_id, at: null };
  return { connection_id, at: order.startsWith("data") ? status.last_update : status.consent_expires_at };
}

/** A connection of any tenant, without access and identity. */
export interface AdminConnection extends Omit<ConnectionRecord, "identity_hash" | "sealed_access"> {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
  readonly client_name: string | null;
  readonly letter_id: Uuid | null;
  /** Null if it cannot be refreshed. */
  readonly refresh: Pick<RefreshRecord, "due_at" | "lease" | "attempted_at" | "outcome"> | null;
}

/** Lists the connections of one tenant or of all, for operators. */
export interface ConnectionAdminQueries {
  /** By id, or by a time of the status and id; connections without that time come last. */
  list(query: ConnectionAdminQuery): Promise<readonly AdminConnection[]>;
  /**
   * A few clients of a tenant, by reference: those whose name and reference have words with these beginnings (`searchWords`), of the first
   * `LOOKED_THROUGH` that match. The cost does not depend on the number of clients.
   */
  lookUpClients(
    tenantId: string,
    words: readonly string[],
    limit: number,
  ): Promise<readonly Pick<ClientRecord, "client_ref" | "name">[]>;
  /**
   * Takes the reference of a client who is about to be removed from some of the client's events, and the label from some of the client's letters
   * and from what it says is the client's, each with its events. Returns how many rows changed: 0 = none is left.
   * @param label the setting `CLIENT_LABEL`
   * @param limit of events, letters and connections each
   */
  forgetClient(tenantId: string, clientRef: string, label: string, limit: number): Promise<number>;
}
