import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidValue } from "../errors.js";
import type { Storage } from "../ports/storage.js";
import type { Surroundings } from "../ports/surroundings.js";
import type { TenantRecord } from "../ports/tenant-store.js";
import { isStorableText, isUuid } from "../schemas/identifier.js";
import type { Operator } from "./letter-operations.js";

/** Tenants as an operator manages them. */
export interface Tenants {
  /** @throws CoreError VALIDATION_ERROR on `name` (1–100 characters), CONFLICT when the name is taken */
  create(operator: Operator, name: string): Promise<TenantRecord>;
  list(): Promise<readonly TenantRecord[]>;
  find(tenantId: string): Promise<TenantRecord | null>;
}

export function createTenants(deps: { storage: Storage; surroundings: Surroundings }): Tenants {
  const { storage, surroundings } = deps;

  return {
    async create(operator, name) {
      const trimmed = name.trim();
      if (trimmed === "" || trimmed.length > 100 || !isStorableText(trimmed))
        throw invalid(invalidValue("name", "must be 1 to 100 characters"));
      const tenant = { tenant_id: surroundings.newId(), name: trimmed, created_at: surroundings.clock() };
      if (!(await storage.tenants.create(tenant)))
        throw new CoreError("CONFLICT", `the name ${JSON.stringify(trimmed)} is taken`, {
          details: [invalidValue("name", "must not be the name of another tenant")],
        });
      await storage.inTenant(tenant.tenant_id, ({ audit }) =>
        audit.append(auditEntry(surroundings, operator, "tenant.create", "tenant", tenant.tenant_id)),
      );
      return tenant;
    },
    list: () => storage.tenants.list(),
    find: async (tenantId) => (isUuid(tenantId) ? storage.tenants.find(tenantId) : null),
  };
}
