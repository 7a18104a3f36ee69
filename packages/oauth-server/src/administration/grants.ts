import { type Audit, type AuditOrigin, auditEvent, subjectOf } from "../audit.js";
import type { Grant, GrantStore } from "../ports/grant-store.js";
import { isUuid, type Uuid } from "../uuid.js";

/** Administration of grants. */
export interface Grants {
  /** Live grants, oldest first. Without `tenant_id` it lists all owners' grants; null = the operator's. */
  list(query: {
    tenant_id?: string | null;
    application_id?: string;
    after?: Uuid;
    limit: number;
  }): Promise<readonly Grant[]>;
  /**
   * Ends a grant: its refresh token stops working immediately, its access tokens within seconds. Returns false when the grant
   * does not exist, has ended, or belongs to another owner than `tenantId` (null = the operator).
   */
  end(grantId: string, by?: AuditOrigin, tenantId?: string | null): Promise<boolean>;
}

/** Creates the administration on top of a store. */
export function createGrants(options: { store: GrantStore; clock: () => Date; audit: Audit }): Grants {
  const { store, clock, audit } = options;
  return {
    list: (query) => store.listGrants({ ...query, at: clock() }),
    async end(grantId, by = {}, tenantId) {
      const grant = isUuid(grantId) ? await store.findGrant(grantId) : null;
      if (tenantId !== undefined && grant?.tenant_id !== tenantId) return false;
      if (!grant || !(await store.endGrant(grant.grant_id, clock()))) return false;
      audit(auditEvent({ action: "grant.ended", at: clock(), ...subjectOf(grant), ...by }));
      return true;
    },
  };
}
