import type { CredentialStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";

/** A bank connection. Its id is the `credentials_token` of the tools and the `connection_id` of sessions and letters. */
export interface ConnectionRecord {
  readonly connection_id: Uuid;
  readonly connector_id: string;
  /** Name of the bank when it was connected. */
  readonly bank: string;
  readonly provider: string;
  readonly labels: Labels;
  readonly status: CredentialStatus;
  /** Keyed hash of who logged in at the bank; unique per tenant and connector. Null for custodian feeds. */
  readonly identity_hash: string | null;
  /** What a refresh needs, encrypted and bound to this row. Null for custodian feeds. */
  readonly sealed_access: string | null;
  readonly created_at: Date;
}

/** Bank connections of one tenant. */
export interface ConnectionStore {
  /** Keeps a new connection, or, when the same identity is there for that connector already, answers the existing one's id and changes nothing. */
  create(record: ConnectionRecord): Promise<{ created: true } | { created: false; existing: Uuid }>;
  find(connectionId: Uuid): Promise<ConnectionRecord | null>;
  /**
   * Oldest first, ids break ties. `bank` is a part of the bank's name, compared by {@link searchKey}; `ready_only` leaves out what is
   * pending and what needs a login (`evaluateRelogin`; whatever is blocked does).
   */
  page(query: {
    bank: string | null;
    ready_only: boolean;
    page: number;
    page_size: number;
  }): Promise<{ items: readonly ConnectionRecord[]; total: number }>;
  /** Those that have an access, by id: what follows `after` (null = from the first), at most `limit`. */
  withAccess(after: Uuid | null, limit: number): Promise<readonly ConnectionRecord[]>;
  /** Replaces status, and access when given. False when there is no such connection. */
  save(connectionId: Uuid, change: { status: CredentialStatus; sealed_access?: string }): Promise<boolean>;
  /**
   * Keeps who logged in, once that is known, and answers null; or the id of the connection that has this identity at the same
   * connector, changing nothing. Called where the tenant's publications are held: after a publication, or under a lease that
   * `RefreshStore.hold` has confirmed.
   */
  identify(connectionId: Uuid, identityHash: string): Promise<Uuid | null>;
  /** Deletes the connection with its snapshots, rows, feed files and sessions, in every table. False when there is none. */
  remove(connectionId: Uuid): Promise<boolean>;
}
