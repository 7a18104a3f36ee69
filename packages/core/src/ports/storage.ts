import type { AuditChain } from "./audit-chain.js";
import type { AuditLog, AuditTrail } from "./audit-log.js";
import type { CatalogueStore } from "./catalogue-store.js";
import type { ConnectionDeskReader } from "./connection-desk.js";
import type { ConnectionStore } from "./connection-store.js";
import type { DataReader } from "./data-reader.js";
import type { Directory } from "./directory.js";
import type { EventLog } from "./event-log.js";
import type { FeedAccountStore } from "./feed-account-store.js";
import type { FeedDifferenceStore } from "./feed-difference-store.js";
import type { FeedMappingStore } from "./feed-mapping-store.js";
import type { FeedPageStore, WaitingStatements } from "./feed-page-store.js";
import type { LetterDeskReader } from "./letter-desk.js";
import type { LetterDocumentStore, LetterFinder, LetterMoveStore, LetterStore } from "./letter-store.js";
import type { LimitStore } from "./limit-store.js";
import type { MailQueue, MailStore } from "./mail-store.js";
import type { MovementStore } from "./movement-store.js";
import type { ProviderCircuits } from "./provider-circuits.js";
import type { CallTurns, ProviderSettingsStore } from "./provider-settings-store.js";
import type { RefreshQueue, RefreshStore } from "./refresh-store.js";
import type { SessionStore } from "./session-store.js";
import type { SnapshotStore } from "./snapshot-store.js";
import type { LogoStore, TenantProfileStore } from "./tenant-profile-store.js";
import type { TenantStore } from "./tenant-store.js";
import type { Upkeep } from "./upkeep.js";

/**
 * Everything that core keeps. One implementation per backend; each runs `describeStorage` of `@org/core/testing`. An error whose
 * `code` is `unavailable` says that the storage is away for the moment and that the same call may succeed later, `limited` that the
 * tenant asks for more at once than its share; `retryAfterSeconds` says when to ask again, and `shown`, where it is there, what callers
 * are told.
 */
export interface Storage {
  /**
   * Runs `work` in one transaction that sees and touches only this tenant's rows: all of it is kept, or, when `work` throws,
   * nothing. Calls must not nest (an error says so); pass `stores` down instead. `work` may run again from the start, when what
   * it did before is undone: it changes nothing outside the storage.
   */
  inTenant<T>(tenantId: string, work: (stores: TenantStores) => Promise<T>): Promise<T>;
  /** Reads of the data tools, outside any transaction: each is one statement with its own consistent view. */
  readonly reader: DataReader;
  /** Searches of letters, outside any transaction as well. */
  readonly letterFinder: LetterFinder;
  /** Environment-wide: the catalogue of connectors. */
  readonly catalogue: CatalogueStore;
  /** Sealed settings of providers, the installation's and the tenants'. */
  readonly providerSettings: ProviderSettingsStore;
  readonly callTurns: CallTurns;
  readonly providerCircuits: ProviderCircuits;
  readonly feedMappings: FeedMappingStore;
  readonly waitingStatements: WaitingStatements;
  readonly tenants: TenantStore;
  /** Of every tenant: pages show them to people of whom no more is known. */
  readonly logos: LogoStore;
  /** Finds the tenant that an id belongs to, for links and operators that do not know it. */
  readonly directory: Directory;
  readonly limits: LimitStore;
  readonly upkeep: Upkeep;
  readonly refreshQueue: RefreshQueue;
  readonly mailQueue: MailQueue;
  /** Finds letters of all tenants, for operators. */
  readonly letterDesk: LetterDeskReader;
  /** Lists connections of all tenants, for people who look after them. */
  readonly connectionDesk: ConnectionDeskReader;
  readonly auditTrail: AuditTrail;
  readonly auditChain: AuditChain;
}

/** The stores of one tenant inside one transaction. */
export interface TenantStores {
  readonly connections: ConnectionStore;
  readonly snapshots: SnapshotStore;
  readonly feedAccounts: FeedAccountStore;
  readonly feedDifferences: FeedDifferenceStore;
  readonly feedPages: FeedPageStore;
  readonly movements: MovementStore;
  readonly sessions: SessionStore;
  readonly refreshes: RefreshStore;
  readonly letters: LetterStore;
  readonly letterMoves: LetterMoveStore;
  readonly letterDocuments: LetterDocumentStore;
  readonly mails: MailStore;
  readonly profile: TenantProfileStore;
  readonly audit: AuditLog;
  readonly events: EventLog;
}
