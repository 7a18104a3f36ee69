import type { MovementStore } from "../data/movement-store.js";
import type { SnapshotStore } from "../data/snapshot-store.js";
import type { InTenant } from "../ports/in-tenant.js";
import type { ProfileStores, TenantsStorage } from "../tenants/storage.js";
import type { TenantClientStore } from "./client-store.js";
import type { ConnectionAdminQueries } from "./connection-admin-queries.js";
import type { ConnectionFinder, ConnectionStore } from "./connection-store.js";
import type { RefreshQueue, RefreshStore } from "./refresh-store.js";

/** The part of the storage that connections and their refreshes need. */
export interface ConnectionStorage extends TenantsStorage {
  readonly inTenant: InTenant<ConnectionStores>;
  readonly refreshQueue: RefreshQueue;
  readonly connectionFinder: ConnectionFinder;
  /** Lists connections of all tenants, for operators. */
  readonly connectionAdmin: ConnectionAdminQueries;
}

/** The stores of a tenant's connections and their data. */
export interface ConnectionStores extends ProfileStores {
  readonly clients: TenantClientStore;
  readonly connections: ConnectionStore;
  readonly snapshots: SnapshotStore;
  readonly movements: MovementStore;
  readonly refreshes: RefreshStore;
}
