/**
 * Wealth Connect's stores on PostgreSQL: `sql/` (migrations), `queries/`, `oauth/` and `feed-sources/` (one file per noun) and
 * `transactions.ts` (roles and row-level security), over `connections/` (the connection quota and the database monitor). {@link
 * openStorage} opens a PostgreSQL database, or an embedded one in a directory.
 */
export { type ClusterState, clusterState, distributeCluster } from "./cluster.js";
export { databaseUrlFault } from "./connections/hosts.js";
export { createTemplate } from "./embedded/index.js";
export { createSourceStores } from "./feed-sources/source-stores.js";
export { type MigrationState, migrate, migrationState } from "./migrate.js";
export type { SharedEndedSessions } from "./oauth/ended-sessions.js";
export { createOAuthStore } from "./oauth/oauth-store.js";
export {
  type DatabaseLoad,
  type OpenedStorage,
  openStorage,
  type ServerKeys,
  type StorageLocation,
  type StorageOptions,
} from "./open-storage.js";
export { createPostgresStorage } from "./postgres-storage.js";
export { findUnprotected, type Unprotected } from "./protect-tables.js";
export type { SealedPlace, SealedValue, SealedValues } from "./sealed-values.js";
export { StorageError, type StorageErrorCode } from "./storage-error.js";
export { createTransactions, type Transactions } from "./transactions.js";
