import type { VersionPrecondition } from "../content-version.js";
import type { AuditEntry } from "../ports/audit-log.js";

/** A limit of one tenant, or of the installation (null), that differs from what would hold otherwise. */
export interface LimitOverride {
  readonly tenant_id: string | null;
  readonly name: string;
  readonly value: number;
}

/** What a tenant has of the things that are limited and counted in storage. */
export interface TenantUse {
  readonly tenant_id: string;
  /** Live ones: neither ended nor expired. */
  readonly grants: number;
  readonly open_sessions: number;
  readonly letters: number;
  readonly document_bytes: number;
  readonly webhook_endpoints: number;
}

/** What tenants may have at most, and what they have. */
export interface LimitStore {
  /** All overrides, of the installation and of every tenant. */
  overrides(): Promise<readonly LimitOverride[]>;
  /**
   * Sets and removes overrides of one tenant (null = of the installation) and keeps `entry`, all or nothing; false, keeping nothing,
   * where its overrides are not as they were seen.
   */
  change(
    tenantId: string | null,
    change: { readonly set: Readonly<Record<string, number>>; readonly reset: readonly string[] },
    entry: AuditEntry,
    precondition?: VersionPrecondition<readonly LimitOverride[]>,
  ): Promise<boolean>;
  /** What one tenant has at a moment, or (null) each. */
  use(tenantId: string | null, at: Date): Promise<readonly TenantUse[]>;
}
