import type { PortfolioRow } from "../data/snapshot-store.js";
import type { CredentialStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";

/** A bank connection. Its id is the tools' `credentials_token` and the `connection_id` of sessions and letters. */
export interface ConnectionRecord {
  readonly connection_id: Uuid;
  readonly connector_id: string;
  /** Name of the bank when the connection was created. */
  readonly bank: string;
  readonly provider: string;
  readonly labels: Labels;
  readonly status: CredentialStatus;
  /** Keyed hash of who logged in at the bank; unique per tenant and connector. Null for custodian feeds. */
  readonly identity_hash: string | null;
  /** What a refresh needs, encrypted and bound to this row. Null for custodian feeds. */
  readonly sealed_access: string | null;
  readonly created_at: Date;
  /** Whose it is, by the tenant's reference. */
  readonly client_ref: string | null;
}

/** Bank connections of one tenant. */
export interface ConnectionStore {
  /** Stores a new connection. If the connector already has one with the same identity, changes nothing and returns that one's id. */
  create(record: ConnectionRecord): Promise<{ created: true } | { created: false; existing: Uuid }>;
  find(connectionId: Uuid): Promise<ConnectionRecord | null>;
  /** Finds the connector's connection with this identity. */
  findIdentified(connectorId: string, identityHash: string): Promise<ConnectionRecord | null>;
  /** Finds those whose access the institution refers to so (`reference_hash` of their plans): they may share it. */
  findReferenced(referenceHash: string): Promise<readonly ConnectionRecord[]>;
  /** Finds those that there are, in no order, by one statement. */
  findMany(connectionIds: readonly Uuid[]): Promise<readonly ConnectionRecord[]>;
  /** Returns connections with an access in order of id, after `after` (null = from the first), at most `limit`. */
  withAccess(after: Uuid | null, limit: number): Promise<readonly ConnectionRecord[]>;
  /** Replaces the status, and the access if given. Returns false if there is no such connection. */
  save(connectionId: Uuid, change: { status: CredentialStatus; sealed_access?: string }): Promise<boolean>;
  /**
   * Stores who logged in, once that is known, and returns null. If another connection of the same connector has this identity,
   * changes nothing and returns its id. Must be called where the tenant's publications are locked: after a publication, or under a
   * lease that `RefreshStore.hold` has confirmed.
   */
  identify(connectionId: Uuid, identityHash: string): Promise<Uuid | null>;
  /** Sets whose it is; the client exists. Returns false if there is no such connection. */
  assign(connectionId: Uuid, clientRef: string | null): Promise<boolean>;
  /** Deletes the connection with its snapshots, rows, feed files and sessions, in every table. Returns false if there is none. */
  remove(connectionId: Uuid): Promise<boolean>;
}

export interface ConnectionQuery {
  /** Part of the bank's name, compared by {@link searchKey}; null = every bank. */
  readonly bank: string | null;
  /** Clients whose connections are listed; null = of all, and of none. */
  readonly client_refs: readonly string[] | null;
  /** Leaves out connections that are pending or need a login (`evaluateRelogin`, which includes blocked ones). */
  readonly ready_only: boolean;
  /** Only those that need attention at this time, by `attentionOf`; null = all. */
  readonly attention_at: Date | null;
  readonly with_accounts: boolean;
  readonly page: number;
  readonly page_size: number;
}

/** A connection in a list. */
export interface ListedConnection extends ConnectionRecord {
  /** With `with_accounts`: the first three portfolios of its latest snapshot, in the bank's order. */
  readonly accounts?: readonly Pick<PortfolioRow, "name" | "ref_account">[];
}

/** Lists a tenant's connections outside any transaction, oldest first; ids break ties. */
export interface ConnectionFinder {
  page(tenantId: string, query: ConnectionQuery): Promise<{ items: readonly ListedConnection[]; total: number }>;
}
