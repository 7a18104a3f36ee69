import type { AuditStorage } from "./audit/storage.js";
import type { CatalogueStore } from "./catalogue/catalogue-store.js";
import type { ConnectingStorage, ConnectingStores } from "./connecting/storage.js";
import type { DataReader } from "./data/data-reader.js";
import type { MovementStore } from "./data/movement-store.js";
import type { RateStore } from "./data/rate-store.js";
import type { WealthReader } from "./data/wealth-reader.js";
import type { FigureReader } from "./data/why.js";
import type { FeedAccountStore } from "./feeds/feed-account-store.js";
import type { FeedDifferenceStore } from "./feeds/feed-difference-store.js";
import type { FeedMappingStore } from "./feeds/feed-mapping-store.js";
import type { FeedPageStore, WaitingStatements } from "./feeds/feed-page-store.js";
import type { WorkMarkStore } from "./operating/work-mark-store.js";
import type { InTenant } from "./ports/in-tenant.js";
import type { ProviderCircuits } from "./providers/provider-circuits.js";
import type { CallTurns, ProviderSettingsStore } from "./providers/provider-settings-store.js";

/**
 * Everything that core stores. Each backend implements it and runs `describeStorage` of `@org/core/testing`. An error whose `code` is
 * `unavailable` means that the storage is temporarily unavailable and that the same call may succeed later; `limited` means that the tenant
 * asks for more at the same time than its share. `retryAfterSeconds` says when to retry, and `shown`, if present, what callers are told.
 */
export interface Storage extends ConnectingStorage, AuditStorage {
  readonly inTenant: InTenant<TenantStores>;
  /** Reads of the data tools, outside any transaction: each is one statement with its own consistent view. */
  readonly reader: DataReader;
  /** What figures over days are computed from, outside any transaction. */
  readonly wealthReader: WealthReader;
  /** Where single numbers come from, outside any transaction. */
  readonly figureReader: FigureReader;
  /** Environment-wide: the catalogue of connectors. */
  readonly catalogue: CatalogueStore;
  /** Sealed settings of providers, the installation's and the tenants'. */
  readonly providerSettings: ProviderSettingsStore;
  readonly callTurns: CallTurns;
  readonly providerCircuits: ProviderCircuits;
  /** Environment-wide. */
  readonly exchangeRates: RateStore;
  readonly feedMappings: FeedMappingStore;
  readonly waitingStatements: WaitingStatements;
  readonly workMarks: WorkMarkStore;
}

/** The stores of one tenant inside one transaction. */
export interface TenantStores extends ConnectingStores {
  readonly feedAccounts: FeedAccountStore;
  readonly feedDifferences: FeedDifferenceStore;
  readonly feedPages: FeedPageStore;
  readonly movements: MovementStore;
}
