import type { AuditEntry } from "../ports/audit-log.js";
import type { Uuid } from "../schemas/identifier.js";

/** A tenant owns connections, letters, sessions and data (contract §2). */
export interface TenantRecord {
  readonly tenant_id: Uuid;
  readonly name: string;
  readonly created_at: Date;
}

/** All tenants of the installation. Names are unique, compared without case. */
export interface TenantStore {
  /** False, changing nothing, when the name is taken. */
  create(tenant: TenantRecord): Promise<boolean>;
  find(tenantId: Uuid): Promise<TenantRecord | null>;
  /** Oldest first. */
  list(): Promise<readonly TenantRecord[]>;
  /**
   * Removes a tenant that is switched off, with everything stored for it anywhere; only its audit trail stays and gets `entry`, all in one
   * transaction. Its access tokens remain revoked. False when there is no such tenant.
   */
  remove(tenantId: string, entry: AuditEntry): Promise<boolean>;
}
