import type { VersionPrecondition } from "../content-version.js";
import type { AuditEntry } from "../ports/audit-log.js";

/** A limit that was set for one tenant, or for the installation (null). */
export interface LimitOverride {
  readonly tenant_id: string | null;
  readonly name: string;
  readonly value: number;
}

/** How much a tenant uses of the limits that are counted in storage. */
export interface TenantUse {
  readonly tenant_id: string;
  /** Live ones: neither ended nor expired. */
  readonly grants: number;
  readonly open_sessions: number;
  readonly session_bytes: number;
  readonly letters: number;
  readonly document_bytes: number;
  readonly clients: number;
  readonly webhook_endpoints: number;
}

/** The limits that were set, and how much tenants use. */
export interface LimitStore {
  /** All overrides, of the installation and of every tenant. */
  overrides(): Promise<readonly LimitOverride[]>;
  /**
   * Sets and removes overrides of one tenant (null = the installation) and records `entry`, all or nothing. Returns false and changes
   * nothing if its overrides fail `precondition`.
   */
  change(
    tenantId: string | null,
    change: { readonly set: Readonly<Record<string, number>>; readonly reset: readonly string[] },
    entry: AuditEntry,
    precondition?: VersionPrecondition<readonly LimitOverride[]>,
  ): Promise<boolean>;
  /** What one tenant uses at a moment, or each tenant if `tenantId` is null. */
  use(tenantId: string | null, at: Date): Promise<readonly TenantUse[]>;
}
