import type {
  CatalogueConnector,
  ClientRecord,
  ConnectionRecord,
  ConsentNotified,
  ContactInfo,
  Labels,
  LetterDocument,
  LetterRecord,
  Logo,
  MailRecord,
  Product,
  RefreshPlan,
  RefreshRecord,
  SessionErrorCode,
  SessionLanguage,
  SessionRecord,
  SessionRemark,
  SessionStatus,
  SignatureEvidence,
  Uuid,
  WorkMark,
} from "@org/core";
import type { Generated, GeneratedAlways } from "kysely";
import type { EventTables } from "./events/event-tables.js";
import type { SourceTables } from "./feed-sources/source-tables.js";
import type { FeedTables } from "./feed-tables.js";
import type { OAuthTables } from "./oauth/oauth-tables.js";
import type { PeopleTables } from "./people/people-tables.js";
import type { AuditTables } from "./queries/audit-tables.js";
import type { SnapshotTables } from "./snapshot-tables.js";
import type { WebhookTables } from "./webhooks/webhook-tables.js";

type LetterStatus = LetterRecord["status"];

interface TenantTable {
  tenant_id: string;
}

interface Tenants extends TenantTable {
  name: string;
  name_key: string;
  created_at: Date;
  display_name: string | null;
  legal_name: string | null;
  postal_address: string[] | null;
  privacy_url: string | null;
  support_contact: string | null;
}

interface TenantLogos extends TenantTable {
  sha256: string;
  media_type: Logo["media_type"];
  width: number;
  height: number;
  content: Uint8Array;
}

interface TenantRevisions extends TenantTable {
  revision: Generated<string>;
  pruned_revision: Generated<string>;
  counts: TenantCounts | null;
  counted_revision: string | null;
  months_kept_on: Generated<string>;
  months_kept_connection: Uuid | null;
  months_kept_portfolio: string | null;
}

/** Counts and sums over the latest snapshots of all of a tenant's connections, maintained by publications. */
type TenantCounts = { [product in Product]?: ProductCounts };

interface ProductCounts {
  readonly snapshots: number;
  readonly rows: number;
  /** By currency, then by number of decimals, since a sum that is removed takes its decimals along. */
  readonly sums: Readonly<Record<string, Readonly<Record<string, { snapshots: number; balance: string }>>>>;
}

interface Connectors {
  connector_id: string;
  name: string;
  type: string;
  countries: string[];
  available: boolean;
  provider: string;
  provider_ref: string | null;
  metadata: CatalogueConnector["metadata"];
}

interface Catalogue {
  only_row: Generated<boolean>;
  revision: Generated<string>;
}

interface SessionLinks extends TenantTable {
  link_hash: string;
  session_id: Uuid;
}

interface ObjectOwners extends TenantTable {
  object_id: string;
  kind: "connection" | "letter";
}

interface InstallationProviderSettings {
  provider: string;
  sealed_settings: string;
  changed_at: Date;
}

interface TenantProviderSettings extends TenantTable, InstallationProviderSettings {}

interface ProviderChanges {
  only_row: Generated<boolean>;
  revision: Generated<string>;
}

interface ProviderSlots {
  slot_key: string;
  turns: Generated<string[]>;
  last_at: Generated<Date>;
}

interface TenantLimits extends TenantTable {
  name: string;
  value: string;
}

interface InstallationLimits {
  name: string;
  value: string;
}

interface TenantUsage extends TenantTable {
  document_bytes: Generated<string>;
  clients: Generated<string>;
}

interface ServerKeys {
  name: string;
  sealed: string;
  active_from: Date | null;
}

interface Connections extends TenantTable, ConnectionRecord {
  bank_key: string;
  pending: GeneratedAlways<boolean>;
  blocked: GeneratedAlways<boolean>;
  needs_relogin: GeneratedAlways<boolean>;
  portfolio_errored: GeneratedAlways<boolean>;
  investment_errored: GeneratedAlways<boolean>;
  transaction_errored: GeneratedAlways<boolean>;
  consent_expires_at: GeneratedAlways<string | null>;
  last_update: GeneratedAlways<string | null>;
}

interface ConnectionRefreshes
  extends TenantTable,
    Omit<RefreshRecord, "pending">,
    Omit<RefreshPlan, "due_at" | "pending">,
    ConsentNotified {
  connection_id: Uuid;
  connector_id: string;
  sealed_pending: string | null;
  pending_since: Date | null;
}

interface Sessions extends TenantTable {
  session_id: Uuid;
  application_id: string;
  status: SessionStatus;
  error_code: SessionErrorCode | null;
  remark: SessionRemark | null;
  connector_id: string | null;
  connection_id: Uuid | null;
  relogin: boolean;
  connector_filter: SessionRecord["connector_filter"];
  redirect_url: string | null;
  labels: Labels;
  language: SessionLanguage;
  /** Whether the program requested `language` or left it to the browser. */
  language_given: boolean | null;
  privacy_notice: string | null;
  link_hash: string;
  sealed_link: string | null;
  owner_hash: string | null;
  opened_at: Date | null;
  challenge: SessionRecord["challenge"];
  sealed_challenge: string | null;
  sealed_accesses: string | null;
  sealed_state: string | null;
  callback_hash: string | null;
  look_after: Date | null;
  working_until: Date | null;
  attempts: number;
  restarts: Generated<number>;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  version: number;
  client_ref: string | null;
  finished: GeneratedAlways<boolean>;
  session_bytes: Generated<number>;
}

interface Letters extends TenantTable {
  letter_id: Uuid;
  connector_id: string;
  status: LetterStatus;
  previous_status: LetterStatus | null;
  ever_connected: boolean;
  labels: Labels;
  contact_info: ContactInfo;
  connection_id: Uuid | null;
  observations: string | null;
  created_at: Date;
  updated_at: Date;
  status_since: Date;
  version: Generated<number>;
  client_ref: string | null;
}

interface LetterLabels extends TenantTable {
  letter_id: Uuid;
  key: string;
  value: string;
  created_at: Date;
  status: LetterStatus;
}

interface LetterCounts extends TenantTable {
  status: LetterStatus;
  part: Generated<string>;
  /** The number that this row adds to the count. */
  letters: string;
}

interface LetterDocuments extends TenantTable {
  letter_id: Uuid;
  kind: LetterDocument["kind"];
  sha256: string;
  size: number;
  signature: SignatureEvidence;
  sealed_key: string;
  ciphertext: Uint8Array | null;
  object_key: string | null;
}

interface OrphanedObjects extends TenantTable {
  object_key: string;
  due_at: Date;
}

interface LetterDetailsTable extends TenantTable {
  letter_id: Uuid;
  sealed_details: string;
}

interface Mails extends TenantTable, MailRecord {}

interface LetterMoves extends TenantTable {
  letter_id: Uuid;
  at: Date;
  move_id: string;
  actor: string;
  event: string;
  from_status: LetterStatus | null;
  to_status: LetterStatus;
  note: string | null;
  connection_id: Uuid | null;
}

interface IdempotencyKeys extends TenantTable {
  application_id: string;
  key: string;
  request_hash: string;
  letter_id: Uuid;
  expires_at: Date;
}

interface ProviderCircuits extends TenantTable {
  connector_id: string;
  provider: string;
  seen_at: Date;
  opened_at: Generated<Date>;
}

interface WorkMarks extends Omit<WorkMark, "id"> {
  subject_id: string;
}

/** Outcomes of logins and refreshes at an institution within an hour. */
interface InstitutionOutcomeTable {
  hour: Date;
  connector_id: string;
  kind: "login" | "refresh";
  succeeded: Generated<string>;
  failed: Generated<string>;
  customer: Generated<string>;
}

interface ExchangeRates {
  date: string;
  base: string;
  quote: string;
  rate: string;
  source: string;
}

interface ExchangeRateFetches {
  service: string;
  due_at: Date;
  succeeded_at: Date | null;
  failures: Generated<number>;
}

/** A request with an `Idempotency-Key`, and its sealed answer. */
interface KeyedRequestTable {
  owner: string;
  key: string;
  request_hash: string;
  claim_id: string;
  leased_until: Date;
  made_by: Generated<number[]>;
  answer: string | null;
  expires_at: Date;
}

/**
 * Every table as the migrations create it; a test compares it with the database's catalogue. The driver returns bigints and numerics as text.
 */
export interface Database
  extends AuditTables,
    EventTables,
    FeedTables,
    OAuthTables,
    PeopleTables,
    SnapshotTables,
    SourceTables,
    WebhookTables {
  tenants: Tenants;
  tenant_logos: TenantLogos;
  tenant_revisions: TenantRevisions;
  connectors: Connectors;
  catalogue: Catalogue;
  session_links: SessionLinks;
  object_owners: ObjectOwners;
  server_keys: ServerKeys;
  clients: TenantTable & ClientRecord & { search_key: string; name_key: Generated<string> };
  connections: Connections;
  connection_refreshes: ConnectionRefreshes;
  sessions: Sessions;
  letters: Letters;
  letter_labels: LetterLabels;
  letter_counts: LetterCounts;
  installation_provider_settings: InstallationProviderSettings;
  tenant_provider_settings: TenantProviderSettings;
  provider_changes: ProviderChanges;
  provider_slots: ProviderSlots;
  provider_circuits: ProviderCircuits;
  work_marks: WorkMarks;
  institution_outcomes: InstitutionOutcomeTable;
  exchange_rates: ExchangeRates;
  exchange_rate_fetches: ExchangeRateFetches;
  tenant_limits: TenantLimits;
  installation_limits: InstallationLimits;
  tenant_usage: TenantUsage;
  letter_documents: LetterDocuments;
  orphaned_objects: OrphanedObjects;
  letter_details: LetterDetailsTable;
  letter_moves: LetterMoves;
  mails: Mails;
  idempotency_keys: IdempotencyKeys;
  keyed_requests: KeyedRequestTable;
}
