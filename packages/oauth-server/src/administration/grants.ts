import { type Audit, type AuditOrigin, auditEvent, subjectOf } from "../audit.js";
import type { Grant, GrantStore } from "../ports/grant-store.js";
import { isUuid, type Uuid } from "../uuid.js";

/** Administration of grants. */
export interface Grants {
  /** Live grants, oldest first; without `tenant_id` of all owners, null = the operator's. */
  list(query: {
    tenant_id?: string | null;
    application_id?: string;
    after?: Uuid;
    limit: number;
  }): Promise<readonly Grant[]>;
  /**
   * Ends a grant: its refresh token at once, its access tokens within seconds. False when it is not there or has ended, or with
   * `tenantId` (null = the operator) is another owner's.
   */
  end(grantId: string, by?: AuditOrigin, tenantId?: string | null): Promise<boolean>;
}

/** The administration over a store. */
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
