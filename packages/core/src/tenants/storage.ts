import type { AuditTrail } from "../ports/audit-log.js";
import type { LogStores } from "../ports/in-tenant.js";
import type { Upkeep } from "../ports/upkeep.js";
import type { Directory } from "./directory.js";
import type { LimitStore } from "./limit-store.js";
import type { LogoStore, TenantProfileStore } from "./tenant-profile-store.js";
import type { TenantStore } from "./tenant-store.js";

/** What is kept of tenants, outside any transaction. */
export interface TenantsStorage {
  readonly tenants: TenantStore;
  /** Of every tenant: pages show them to people of whom no more is known. */
  readonly logos: LogoStore;
  /** Finds the tenant that an id belongs to, for links and operators that do not know it. */
  readonly directory: Directory;
  readonly limits: LimitStore;
  readonly upkeep: Upkeep;
  readonly auditTrail: AuditTrail;
}

/** The stores of a tenant itself. */
export interface ProfileStores extends LogStores {
  readonly profile: TenantProfileStore;
}
