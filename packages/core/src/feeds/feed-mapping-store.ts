import type { VersionPrecondition } from "../content-version.js";
import type { AuditEntry } from "../ports/audit-log.js";
import type { Uuid } from "../schemas/identifier.js";

/** Whose files a mapping is for: those of a connector in any tenant, or of one connection. */
export type MappingOwner =
  | { readonly connector_id: string }
  | { readonly tenant_id: string; readonly connection_id: Uuid };

/** A mapping of CSV or fixed columns as it is stored. */
export interface StoredFeedMapping {
  readonly owner: MappingOwner;
  readonly name: string;
  /** As it was given, checked. */
  readonly mapping: object;
  readonly changed_at: Date;
}

/** Mappings of custodians' files: the installation's, and those of connections, which go with them. */
export interface FeedMappingStore {
  /** At most `limit`, by owner and name. */
  list(limit: number): Promise<readonly StoredFeedMapping[]>;
  /** Those of one owner, by name. */
  of(owner: MappingOwner): Promise<readonly StoredFeedMapping[]>;
  /** Those of any of these, by name within each owner. */
  ofAny(owners: {
    readonly connector_ids: readonly string[];
    readonly connection_ids: readonly Uuid[];
  }): Promise<readonly StoredFeedMapping[]>;
  /**
   * Inserts or replaces, and keeps `entry`, both or neither: neither where there is no such connection, or what is there under its name
   * is not as it was seen.
   */
  keep(
    mapping: StoredFeedMapping,
    entry: AuditEntry,
    precondition?: VersionPrecondition<StoredFeedMapping>,
  ): Promise<"kept" | "unknown" | "overtaken">;
  /** Removes, and keeps `entry`; false when there was nothing to remove. */
  remove(owner: MappingOwner, name: string, entry: AuditEntry): Promise<boolean>;
}
