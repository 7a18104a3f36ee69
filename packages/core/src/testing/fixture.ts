import type { SessionQuery, SessionRecord } from "../connecting/session-store.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import type { RefreshPlan } from "../connections/refresh-store.js";
import type { HoldingQuery, PortfolioQuery, TransactionQuery } from "../data/data-reader.js";
import type { MovementStatement } from "../data/movement-store.js";
import { holdingFields, portfolioFields, transactionFields } from "../data/rows.js";
import type { HoldingRow, PortfolioRow, TransactionRow } from "../data/snapshot-store.js";
import type { FeedAccount } from "../feeds/feed-account-store.js";
import type { PositionDifference } from "../feeds/feed-difference-store.js";
import type { LetterMove, LetterQuery, LetterRecord } from "../letters/letter-store.js";
import type { MailRecord } from "../letters/mail-store.js";
import type { AuditEntry } from "../ports/audit-log.js";
import { pendingStatus } from "../schemas/credential-status.js";
import type { NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import type { Storage, TenantStores } from "../storage.js";

/** What {@link describeStorage} runs on: an empty storage, and how to close it. */
export interface StorageFixture {
  readonly storage: Storage;
  /** The events that were committed to a log, in the order in which they were appended. */
  readonly eventsOf: (tenantId: string) => Promise<readonly NewEvent[]>;
  readonly close?: () => Promise<void>;
}

/** The time of the samples. */
export const now = new Date("2026-03-01T12:00:00.000Z");

/** A moment `seconds` after {@link now}. */
export function later(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

let ids = 0;

/** A new id in the form of a UUIDv7, greater than all before. */
export function newId(): Uuid {
  ids += 1;
  return `01990000-0000-7000-8000-${ids.toString(16).padStart(12, "0")}` as Uuid;
}

/** A tenant for one case, and its transactions. */
export class TenantUnderTest {
  constructor(
    readonly storage: Storage,
    readonly tenant_id: string,
  ) {}

  run<T>(work: (stores: TenantStores) => Promise<T>): Promise<T> {
    return this.storage.inTenant(this.tenant_id, work);
  }

  /** Stores a connection and returns it. */
  async connect(over: Partial<ConnectionRecord> = {}): Promise<ConnectionRecord> {
    const record = connection(over);
    await this.run(({ connections }) => connections.create(record));
    return record;
  }
}

/** Creates a tenant that no other case uses. */
export async function newTenant(storage: Storage): Promise<TenantUnderTest> {
  const tenant_id = newId();
  await storage.tenants.create({ tenant_id, name: `Tenant ${tenant_id}`, created_at: now });
  return new TenantUnderTest(storage, tenant_id);
}

export function connection(over: Partial<ConnectionRecord> = {}): ConnectionRecord {
  return {
    connection_id: newId(),
    connector_id: "esp:bank",
    bank: "Banco Ejemplo",
    provider: "sandbox",
    labels: { desk: "north" },
    status: pendingStatus(now.toISOString()),
    identity_hash: null,
    sealed_access: "sealed",
    created_at: now,
    client_ref: null,
    ...over,
  };
}

/** A refresh plan with nothing but its time. */
export function plan(due_at: Date, over: Partial<RefreshPlan> = {}): RefreshPlan {
  return { due_at, pending: null, user_hash: null, reference_hash: null, consent_expires_at: null, ...over };
}

export function session(over: Partial<SessionRecord> = {}): SessionRecord {
  const session_id = newId();
  return {
    session_id,
    application_id: newId(),
    status: "Waiting:ProvideCredentials",
    error_code: null,
    remark: null,
    connector_id: null,
    connection_id: null,
    relogin: false,
    connector_filter: { rules: [{ action: "exclude", field: "connector_id", value: "*" }] },
    redirect_url: "https://app.example/back?a=1",
    labels: { desk: "north" },
    language: "en",
    privacy_notice: null,
    link_hash: `link of ${session_id}`,
    sealed_link: "sealed link",
    owner_hash: null,
    opened_at: null,
    challenge: null,
    sealed_challenge: null,
    sealed_state: null,
    sealed_accesses: null,
    callback_hash: null,
    poll_after: null,
    working_until: null,
    attempts: 0,
    restarts: 0,
    created_at: now,
    updated_at: now,
    expires_at: later(1800),
    version: 1,
    client_ref: null,
    ...over,
  };
}

export function letter(over: Partial<LetterRecord> = {}): LetterRecord {
  return {
    letter_id: newId(),
    connector_id: "esp:bank",
    status: "Signed",
    previous_status: null,
    ever_connected: false,
    labels: {},
    contact_info: { banker_email: "banker@example.com" },
    connection_id: null,
    observations: null,
    created_at: now,
    updated_at: now,
    status_since: now,
    version: 0,
    client_ref: null,
    ...over,
  };
}

export function move(of: LetterRecord, over: Partial<LetterMove> = {}): LetterMove {
  return {
    move_id: newId(),
    letter_id: of.letter_id,
    at: now,
    actor: "application",
    event: "sign",
    from: null,
    to: of.status,
    note: null,
    connection_id: null,
    ...over,
  };
}

export function mail(of: LetterRecord, over: Partial<MailRecord> = {}): MailRecord {
  return {
    mail_id: newId(),
    letter_id: of.letter_id,
    kind: "authorization_letter",
    state: "queued",
    recipient: "banker@example.com",
    created_at: now,
    due_at: now,
    lease: null,
    handing_over: false,
    attempts: 0,
    last_error: null,
    settled_at: null,
    ...over,
  };
}

export function auditEntry(over: Partial<AuditEntry> = {}): AuditEntry {
  return {
    audit_id: newId(),
    at: now,
    actor: "application",
    action: "connection.delete",
    object_type: "connection",
    object_id: newId(),
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    address: "203.0.113.7",
    facts: { from: "a", count: 1, done: true, none: null },
    ...over,
  };
}

export function portfolio(over: Partial<PortfolioRow> = {}): PortfolioRow {
  return {
    portfolio_id: newId(),
    name: "Growth",
    balance: "100.00",
    currency: "EUR",
    ref_account: "ES91 2100",
    type: "UM",
    ...over,
  };
}

export function feedAccount(over: Partial<FeedAccount> = {}): FeedAccount {
  const { parts: _, ...row } = portfolio();
  return { ...row, number: "2100", is_cash: false, as_of: now, ...over };
}

export function feedDifference(over: Partial<PositionDifference> = {}): PositionDifference {
  const days = { from_day: "2026-01-30", to_day: "2026-02-03" };
  const numbers = { before: "1", moved: "0", stated: "2" };
  return { portfolio_id: newId(), holding_id: newId(), ...days, name: "Share", isin: null, ...numbers, ...over };
}

export function holding(over: Partial<HoldingRow> = {}): HoldingRow {
  return {
    holding_id: newId(),
    portfolio_id: "01990000-0000-7000-9000-000000000001",
    name: "Global Equity Fund",
    isin: "LU0000000001",
    amount: "10.5",
    balance: "100.00",
    currency: "EUR",
    valuation_date: "2026-02-27",
    type: "F",
    subtype: null,
    ...over,
  };
}

export function transaction(over: Partial<TransactionRow> = {}): TransactionRow {
  return {
    transaction_id: newId(),
    portfolio_id: "01990000-0000-7000-9000-000000000001",
    holding_id: null,
    operation_date: "2026-02-01",
    description: "Purchase",
    amount: "2",
    balance: "-200.00",
    currency: "EUR",
    unit_price: "100.00",
    ...over,
  };
}

/** A message about a movement; its row has the message's own id. */
export function movement(over: Partial<MovementStatement> = {}): MovementStatement {
  const statement_id = newId();
  return {
    statement_id,
    references: [newId()],
    cancels: [],
    key: null,
    stage: "posted",
    slot: statement_id,
    row: transaction({ transaction_id: statement_id }),
    ...over,
  };
}

const everything = {
  connection_ids: null,
  page: 1,
  page_size: 50,
  with_facts: false,
  include_source_token: false,
  revision: null,
  name: null,
  sort: null,
  totals_by: [],
  totals_only: false,
  now,
};

export function portfolioQuery(over: Partial<PortfolioQuery> = {}): PortfolioQuery {
  return { ...everything, fields: portfolioFields, currencies: null, types: null, min_balance: null, ...over };
}

export function holdingQuery(over: Partial<HoldingQuery> = {}): HoldingQuery {
  return { ...portfolioQuery(), fields: holdingFields, portfolio_id: null, subtypes: null, isins: null, ...over };
}

export function transactionQuery(over: Partial<TransactionQuery> = {}): TransactionQuery {
  const filters = { holding_id: null, isins: null, kinds: null, start_date: null, end_date: null };
  return { ...everything, fields: transactionFields, ...filters, ...over };
}

export function letterQuery(over: Partial<LetterQuery> = {}): LetterQuery {
  return {
    connector_id_in: null,
    status_in: null,
    id_in: null,
    labels: {},
    client_ref_in: null,
    created_from: null,
    created_before: null,
    updated_from: null,
    updated_before: null,
    page: 1,
    page_size: 20,
    ...over,
  };
}

export function sessionQuery(over: Partial<SessionQuery> = {}): SessionQuery {
  return {
    session_id_in: null,
    status_in: null,
    connection_id_in: null,
    error_code_in: null,
    is_opened: null,
    client_ref_in: null,
    order: "newest",
    after: null,
    limit: 100,
    ...over,
  };
}
