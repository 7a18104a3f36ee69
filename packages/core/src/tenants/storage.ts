import type { AuditTrail } from "../ports/audit-log.js";
import type { LogStores } from "../ports/in-tenant.js";
import type { Upkeep } from "../ports/upkeep.js";
import type { Directory } from "./directory.js";
import type { LimitStore } from "./limit-store.js";
import type { LogoStore, TenantProfileStore } from "./tenant-profile-store.js";
import type { TenantStore } from "./tenant-store.js";

/** The stores of tenants that work outside any transaction. */
export interface TenantsStorage {
  readonly tenants: TenantStore;
  /** Logos of all tenants: pages show them to people who are not signed in. */
  readonly logos: LogoStore;
  /** Finds the tenant that an id belongs to, for links and operators that do not know it. */
  readonly directory: Directory;
  readonly limits: LimitStore;
  readonly upkeep: Upkeep;
  readonly auditTrail: AuditTrail;
}

/** The stores of one tenant's own profile. */
export interface ProfileStores extends LogStores {
  readonly profile: TenantProfileStore;
}
