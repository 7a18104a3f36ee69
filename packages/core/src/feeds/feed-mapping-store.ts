import type { VersionPrecondition } from "../content-version.js";
import type { AuditEntry } from "../ports/audit-log.js";
import type { Uuid } from "../schemas/identifier.js";

/** Which files a mapping is for: those of a connector in any tenant, or those of one connection. */
export type MappingOwner =
  | { readonly connector_id: string }
  | { readonly tenant_id: string; readonly connection_id: Uuid };

/** A stored mapping of CSV or fixed columns. */
export interface StoredFeedMapping {
  readonly owner: MappingOwner;
  readonly name: string;
  /** As it was given, after its check. */
  readonly mapping: object;
  readonly changed_at: Date;
}

/** Mappings of custodians' files: those of the installation, and those of connections, which are deleted with them. */
export interface FeedMappingStore {
  /** At most `limit`, ordered by owner and name. */
  list(limit: number): Promise<readonly StoredFeedMapping[]>;
  /** The mappings of one owner, ordered by name. */
  of(owner: MappingOwner): Promise<readonly StoredFeedMapping[]>;
  /** The mappings of any of these owners, ordered by name within each owner. */
  ofAny(owners: {
    readonly connector_ids: readonly string[];
    readonly connection_ids: readonly Uuid[];
  }): Promise<readonly StoredFeedMapping[]>;
  /**
   * Inserts or replaces a mapping and records `entry`, both or neither. Neither if there is no such connection (`unknown`), or if the
   * stored mapping of this name fails `precondition` (`overtaken`).
   */
  keep(
    mapping: StoredFeedMapping,
    entry: AuditEntry,
    precondition?: VersionPrecondition<StoredFeedMapping>,
  ): Promise<"kept" | "unknown" | "overtaken">;
  /** Removes a mapping and records `entry`; false if there was nothing to remove. */
  remove(owner: MappingOwner, name: string, entry: AuditEntry): Promise<boolean>;
}
