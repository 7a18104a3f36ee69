import type { SessionRecord } from "../connecting/session-store.js";
import type { ClientRecord } from "../connections/client-store.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import type { ConsentNotified, RefreshPlan, RefreshRecord } from "../connections/refresh-store.js";
import type { MovementStatement } from "../data/movement-store.js";
import type {
  FeedFile,
  HoldingRow,
  PortfolioRow,
  Product,
  StatedValuation,
  TransactionRow,
} from "../data/snapshot-store.js";
import type { ValuedHoldings } from "../data/valuations.js";
import type { AccountLink, FeedAccount } from "../feeds/feed-account-store.js";
import type { FeedGap, PositionDifference } from "../feeds/feed-difference-store.js";
import type { KeptPage } from "../feeds/feed-page-store.js";
import type { IdempotencyRecord, LetterDocument, LetterMove, LetterRecord } from "../letters/letter-store.js";
import type { MailRecord } from "../letters/mail-store.js";
import type { AuditEntry } from "../ports/audit-log.js";
import type { NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import type { TenantProfile } from "../tenants/tenant-profile.js";
import type { LogoContent } from "../tenants/tenant-profile-store.js";
import type { TenantRecord } from "../tenants/tenant-store.js";

/** An account, the arrival number of the file that stated it, and its holdings in the statement before. */
export interface StoredAccount extends FeedAccount {
  readonly arrival: number;
}

/** An account as it was valued on one day; `holdings` as JSON, null = none were listed. */
export interface StoredValuation extends Omit<StatedValuation, "holdings"> {
  readonly connection_id: Uuid;
  readonly ordinal: number;
  readonly stated_at: Date;
  readonly came_at: Date;
  readonly arrival: number;
  readonly holdings: ValuedHoldings | null;
}

/** What a valuation said before, until a time. */
export interface FormerValuation extends StoredValuation {
  readonly replaced_at: Date;
}

/** Any row of a product. */
export type DataRow = PortfolioRow | HoldingRow | TransactionRow;

/** A refresh record with the fields that only the store reads. */
export type StoredRefresh = RefreshRecord &
  Pick<RefreshPlan, "user_hash" | "reference_hash" | "consent_expires_at"> &
  ConsentNotified;

/** All rows of one product of a connection, valid from revision `from` until before revision `until`. */
export interface StoredSnapshot {
  readonly connection_id: Uuid;
  readonly product: Product;
  readonly from: number;
  readonly until: number | null;
  readonly as_of: Date;
  /** From then on the data are overdue; null = never. */
  readonly stale_at: Date | null;
  readonly replaced_at: Date | null;
  readonly rows: readonly DataRow[];
  readonly digest: string | null;
}

/** A transaction as it was from revision `from` until before revision `until`. */
export interface FormerTransaction {
  readonly connection_id: Uuid;
  readonly row: TransactionRow;
  readonly from: number;
  readonly until: number;
  readonly read_at: Date;
  /** SHA-256 of the file that stated it, in hex, and where in it. */
  readonly file?: string | undefined;
  readonly place?: string | undefined;
  readonly ended_at: Date;
}

/** Everything stored for one tenant. Records are replaced and never changed, so that copying the containers is a full copy. */
export interface TenantState {
  readonly tenant: TenantRecord | null;
  profile: TenantProfile;
  logo: LogoContent | null;
  revision: number;
  /** Revisions below this one can no longer be read. */
  pruned: number;
  snapshots: readonly StoredSnapshot[];
  /** By connection and id: the revision that brought the transaction as it is now, and when. */
  readonly transactionsRead: Map<string, Pick<FormerTransaction, "from" | "read_at" | "file" | "place">>;
  /** By connection and account: valuations by day, and what any of them ever listed. */
  readonly valuations: Map<string, ReadonlyMap<string, StoredValuation>>;
  /** The oldest first. */
  formerValuations: readonly FormerValuation[];
  readonly valuedKinds: Map<string, Pick<ValuedHoldings, "lists_securities" | "lists_cash">>;
  /** The oldest first. */
  formerTransactions: readonly FormerTransaction[];
  readonly clients: Map<string, ClientRecord>;
  readonly connections: Map<string, ConnectionRecord>;
  readonly feedFiles: Map<string, FeedFile>;
  /** By connection and id: the latest statement of the account, and the number of its file. */
  readonly feedAccounts: Map<string, StoredAccount>;
  /** By connection, account, day and holding; the keys of gaps have no holding. */
  readonly feedDifferences: Map<string, PositionDifference & { readonly found_at: Date }>;
  readonly feedGaps: Map<string, FeedGap & { readonly found_at: Date }>;
  /** By connection. */
  readonly feedAccountLinks: Map<string, readonly AccountLink[]>;
  /** By target and SHA-256: the number of the file in the order of arrival. */
  readonly feedArrivals: Map<string, number>;
  latestArrival: number;
  /** By connection, statement and number. */
  readonly feedPages: Map<
    string,
    KeptPage & { connection_id: Uuid; kept_at: Date; expired_at: Date | null; arrival: number; finish_at: Date | null }
  >;
  /** By connection and id, in the order in which they were stored. */
  readonly movements: Map<string, MovementStatement & { readonly connection_id: string }>;
  /** Ids of transactions, by connection and correction. */
  readonly correctedTransactions: Map<string, string>;
  readonly refreshes: Map<Uuid, StoredRefresh>;
  readonly sessions: Map<string, SessionRecord>;
  readonly letters: Map<string, LetterRecord>;
  readonly moves: Map<string, LetterMove>;
  readonly documents: Map<string, LetterDocument>;
  /** Keys of objects to remove, and when. */
  readonly orphanedObjects: Map<string, Date>;
  readonly details: Map<string, string>;
  readonly mails: Map<string, MailRecord>;
  readonly idempotency: Map<string, IdempotencyRecord>;
  readonly audit: Map<string, AuditEntry>;
  /** The events of the current transaction, in the order in which they were appended. */
  readonly newEvents: NewEvent[];
  /** The references that the current transaction has replaced in past events, null for those of clients that it has deleted. */
  readonly newReferences: { readonly from: string; readonly to: string | null }[];
}

const noProfile: TenantProfile = {
  display_name: null,
  legal_name: null,
  postal_address: null,
  privacy_url: null,
  support_contact: null,
  logo: null,
};

/** A tenant that has nothing yet; `null` is one that was never created. */
export function emptyState(tenant: TenantRecord | null): TenantState {
  return {
    tenant,
    profile: noProfile,
    logo: null,
    revision: 0,
    pruned: 0,
    snapshots: [],
    transactionsRead: new Map(),
    valuations: new Map(),
    valuedKinds: new Map(),
    formerTransactions: [],
    formerValuations: [],
    clients: new Map(),
    connections: new Map(),
    feedFiles: new Map(),
    feedAccounts: new Map(),
    feedAccountLinks: new Map(),
    feedDifferences: new Map(),
    feedGaps: new Map(),
    feedArrivals: new Map(),
    latestArrival: 0,
    feedPages: new Map(),
    movements: new Map(),
    correctedTransactions: new Map(),
    refreshes: new Map(),
    sessions: new Map(),
    letters: new Map(),
    moves: new Map(),
    documents: new Map(),
    orphanedObjects: new Map(),
    details: new Map(),
    mails: new Map(),
    idempotency: new Map(),
    audit: new Map(),
    newEvents: [],
    newReferences: [],
  };
}

/** The copy that a transaction works on; the original stays as it is until the draft takes its place. */
export function draftOf(state: TenantState): TenantState {
  return {
    ...state,
    transactionsRead: new Map(state.transactionsRead),
    valuations: new Map(state.valuations),
    valuedKinds: new Map(state.valuedKinds),
    clients: new Map(state.clients),
    connections: new Map(state.connections),
    feedFiles: new Map(state.feedFiles),
    feedAccounts: new Map(state.feedAccounts),
    feedAccountLinks: new Map(state.feedAccountLinks),
    feedDifferences: new Map(state.feedDifferences),
    feedGaps: new Map(state.feedGaps),
    feedArrivals: new Map(state.feedArrivals),
    feedPages: new Map(state.feedPages),
    movements: new Map(state.movements),
    correctedTransactions: new Map(state.correctedTransactions),
    refreshes: new Map(state.refreshes),
    sessions: new Map(state.sessions),
    letters: new Map(state.letters),
    moves: new Map(state.moves),
    documents: new Map(state.documents),
    orphanedObjects: new Map(state.orphanedObjects),
    details: new Map(state.details),
    mails: new Map(state.mails),
    idempotency: new Map(state.idempotency),
    audit: new Map(state.audit),
    newEvents: [],
    newReferences: [],
  };
}

/** Refuses a row for a tenant that does not exist, as a foreign key would. */
export function requireTenant(state: TenantState): void {
  if (!state.tenant) throw new Error("there is no such tenant");
}

/** Adds a row, refusing a key that is taken, as a primary key would. */
export function insert<V>(rows: Map<string, V>, key: string, row: V): void {
  if (rows.has(key)) throw new Error(`duplicate key ${key}`);
  rows.set(key, row);
}

/** Code point order, which is what PostgreSQL's `collate "C"` gives. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether `value` passes a filter list: null matches all, an empty list nothing. */
export function isIn(list: readonly string[] | null, value: string | null): boolean {
  return list === null || (value !== null && list.includes(value));
}
