import type { VersionPrecondition } from "../content-version.js";
import type { AuditEntry } from "../ports/audit-log.js";

/** Settings of a provider as they are stored: the installation's (tenant null), or what a tenant has in their place. */
export interface StoredProviderSettings {
  readonly tenant_id: string | null;
  readonly provider: string;
  /** The settings as JSON, sealed. Sealing them again under another key is no change of the settings. */
  readonly sealed: string;
  readonly changed_at: Date;
}

/** Settings of providers, of the installation and of all tenants: whoever calls an institution has to know them all. */
export interface ProviderSettingsStore {
  /** Grows whenever settings change; cheap to ask. */
  revision(): Promise<string>;
  all(): Promise<{ readonly revision: string; readonly settings: readonly StoredProviderSettings[] }>;
  /** Inserts or replaces, and keeps `entry`, both or neither; false where what is there is not as it was seen. */
  keep(
    settings: StoredProviderSettings,
    entry: AuditEntry,
    precondition?: VersionPrecondition<StoredProviderSettings>,
  ): Promise<boolean>;
  /** Removes, and keeps `entry`; false when there was nothing to remove. */
  remove(tenantId: string | null, provider: string, entry: AuditEntry): Promise<boolean>;
}

/** A limit of an institution: so many calls in any window of so many milliseconds. */
export interface CallLimit {
  readonly every_ms: number;
  readonly calls: number;
}

/** Turns to call institutions, shared by all servers. */
export interface CallTurns {
  /**
   * Takes the next turn under a key that keeps to all limits, if it is not more than `longestMs` away; otherwise none is taken.
   * `wait_ms` says how far away it is.
   */
  take(
    key: string,
    limits: readonly CallLimit[],
    longestMs: number,
  ): Promise<{ readonly granted: boolean; readonly wait_ms: number }>;
}
