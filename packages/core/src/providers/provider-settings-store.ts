import type { VersionPrecondition } from "../content-version.js";
import type { AuditEntry } from "../ports/audit-log.js";

/** Stored settings of a provider: the installation's (tenant null), or a tenant's own, which replace them. */
export interface StoredProviderSettings {
  readonly tenant_id: string | null;
  readonly provider: string;
  /** The settings as sealed JSON. Resealing them under another key is not a change of the settings. */
  readonly sealed: string;
  readonly changed_at: Date;
}

/** Provider settings of the installation and of all tenants; a server that calls institutions needs all of them. */
export interface ProviderSettingsStore {
  /** Increases whenever settings change; cheap to query. */
  revision(): Promise<string>;
  all(): Promise<{ readonly revision: string; readonly settings: readonly StoredProviderSettings[] }>;
  /** Inserts or replaces the settings and stores `entry`, both or neither. Returns false if the stored settings fail the precondition. */
  keep(
    settings: StoredProviderSettings,
    entry: AuditEntry,
    precondition?: VersionPrecondition<StoredProviderSettings>,
  ): Promise<boolean>;
  /** Removes the settings and stores `entry`. Returns false if there was nothing to remove. */
  remove(tenantId: string | null, provider: string, entry: AuditEntry): Promise<boolean>;
}

/** A rate limit of an institution: `calls` in any window of `every_ms`. */
export interface CallLimit {
  readonly every_ms: number;
  readonly calls: number;
}

/** Turns for calling institutions, shared by all servers. */
export interface CallTurns {
  /**
   * Takes the next turn of a key that respects all limits, if it is at most `longestMs` away; otherwise takes none. `wait_ms` is
   * how far away it is.
   */
  take(
    key: string,
    limits: readonly CallLimit[],
    longestMs: number,
  ): Promise<{ readonly granted: boolean; readonly wait_ms: number }>;
}
