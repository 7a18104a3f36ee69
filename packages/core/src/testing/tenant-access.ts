import type { TenantAccess } from "../ports/tenant-access.js";

/** A {@link TenantAccess} in memory: a switch that nothing hangs on. */
export function createMemoryTenantAccess(): TenantAccess {
  const disabled = new Set<string>();
  return {
    disabled: async () => new Set(disabled),
    async setEnabled(tenantId, enabled) {
      if (enabled) disabled.delete(tenantId);
      else disabled.add(tenantId);
    },
  };
}
