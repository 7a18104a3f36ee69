import { readFileSync } from "node:fs";
import type { Selectable } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findUnprotected } from "./protect-tables.js";
import type { Database } from "./schema.js";
import { printSchema, type TestDatabase, testBackends, testCitusWorkers } from "./testing/index.js";

/** Types as PostgreSQL writes them; a question mark where null may be. */
type Described<Table> = {
  [Column in keyof Selectable<Table>]: null extends Selectable<Table>[Column] ? `${string}?` : string;
};

/** The `Database` interface again, as a value: the compiler compares the two, and the tests compare this one with the database. */
const described: { [Table in keyof Database]: Described<Database[Table]> } = {
  tenants: {
    tenant_id: "uuid",
    name: "text",
    name_key: "text",
    created_at: "timestamptz",
    display_name: "text?",
    legal_name: "text?",
    postal_address: "_text?",
    privacy_url: "text?",
    support_contact: "text?",
  },
  tenant_logos: {
    tenant_id: "uuid",
    sha256: "text",
    media_type: "text",
    width: "int4",
    height: "int4",
    content: "bytea",
  },
  tenant_revisions: {
    tenant_id: "uuid",
    revision: "int8",
    pruned_revision: "int8",
    counts: "jsonb?",
    counted_revision: "int8?",
  },
  connectors: {
    connector_id: "text",
    name: "text",
    type: "text",
    countries: "_text",
    available: "bool",
    provider: "text",
    provider_ref: "text?",
    metadata: "jsonb",
  },
  catalogue: { only_row: "bool", revision: "int8" },
  installation_provider_settings: { provider: "text", sealed_settings: "text", changed_at: "timestamptz" },
  tenant_provider_settings: { tenant_id: "uuid", provider: "text", sealed_settings: "text", changed_at: "timestamptz" },
  provider_changes: { only_row: "bool", revision: "int8" },
  provider_slots: { slot_key: "text", turns: "_int8", last_at: "timestamptz" },
  session_links: { link_hash: "text", tenant_id: "uuid", session_id: "uuid" },
  object_owners: { object_id: "uuid", kind: "text", tenant_id: "uuid" },
  feed_sources: {
    source: "text",
    kind: "text",
    sealed_settings: "text",
    is_enabled: "bool",
    created_at: "timestamptz",
    changed_at: "timestamptz",
    due_at: "timestamptz?",
    lease: "uuid?",
    lease_until: "timestamptz?",
    attempted_at: "timestamptz?",
    succeeded_at: "timestamptz?",
    failures: "int4",
    last_error: "text?",
  },
  feed_routes: { route_id: "uuid", source: "text", rule: "jsonb", created_at: "timestamptz" },
  feed_tokens: {
    token_id: "uuid",
    source: "text",
    name: "text",
    token_hash: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz?",
  },
  feed_source_files: {
    file_id: "uuid",
    source: "text",
    name: "text",
    size: "int8",
    sha256: "text",
    modified_at: "timestamptz?",
    state: "text",
    came_at: "timestamptz",
    settled_at: "timestamptz",
    seen_at: "timestamptz",
  },
  feed_held: {
    file_id: "uuid",
    sealed_key: "text",
    ciphertext: "bytea",
    bytes: "int8",
    sealed_findings: "text",
    held_until: "timestamptz",
    tries: "int4",
    retry_at: "timestamptz",
    cause: "text",
    is_part: "bool",
  },
  events: {
    tenant_id: "uuid",
    event_id: "uuid",
    sequence: "int8?",
    type: "text",
    created_at: "timestamptz",
    object_id: "text",
    labels: "_text",
    endpoint_ids: "_uuid",
    data: "jsonb",
    written: "int8",
  },
  event_counters: { tenant_id: "uuid", last_sequence: "int8" },
  feed_keys: {
    kind: "text",
    owner: "text",
    fingerprint: "text",
    key_ids: "_text",
    user_ids: "_text",
    algorithm: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz?",
    revoked_at: "timestamptz?",
    public_key: "text",
    sealed_private_key: "text?",
    added_at: "timestamptz",
  },
  feed_signing_rules: { kind: "text", owner: "text", must_be_signed: "bool", changed_at: "timestamptz" },
  webhook_endpoints: {
    tenant_id: "uuid",
    endpoint_id: "uuid",
    url: "text",
    types: "_text",
    labels: "_text",
    description: "text?",
    is_enabled: "bool",
    disabled_reason: "text?",
    disabled_at: "timestamptz?",
    sealed_secret: "text?",
    sealed_previous_secret: "text?",
    previous_until: "timestamptz?",
    sealed_earlier_secret: "text?",
    earlier_until: "timestamptz?",
    created_at: "timestamptz",
    changed_at: "timestamptz",
    removed_at: "timestamptz?",
    failing_since: "timestamptz?",
    delivered_at: "timestamptz?",
    last_failed_at: "timestamptz?",
    last_failed_status: "int4?",
    last_failed_error: "text?",
    is_proven: "bool",
    due_at: "timestamptz?",
    not_before: "timestamptz?",
    lease: "uuid?",
    lease_until: "timestamptz?",
  },
  webhook_deliveries: {
    tenant_id: "uuid",
    endpoint_id: "uuid",
    sequence: "int8",
    delivery_id: "uuid",
    state: "text",
    attempts: "int4",
    due_at: "timestamptz?",
    attempted_at: "timestamptz?",
    status: "int4?",
    ms: "int4?",
    error: "text?",
    answer: "text?",
  },
  people: {
    tenant_id: "uuid",
    person_id: "uuid",
    email: "text",
    name: "text",
    role: "text",
    issuer: "text?",
    subject: "text?",
    invitation_hash: "text?",
    invitation_expires_at: "timestamptz?",
    created_at: "timestamptz",
    joined_at: "timestamptz?",
    seen_at: "timestamptz?",
    ended_at: "timestamptz?",
    let_go_at: "timestamptz?",
  },
  people_passkeys: {
    tenant_id: "uuid",
    person_id: "uuid",
    credential_id: "text",
    public_key: "bytea",
    counter: "int8",
    transports: "_text",
    name: "text",
    is_backed_up: "bool",
    created_at: "timestamptz",
    used_at: "timestamptz?",
  },
  people_recovery_codes: { tenant_id: "uuid", person_id: "uuid", code_hash: "text" },
  people_sessions: {
    tenant_id: "uuid",
    session_id: "uuid",
    session_hash: "text",
    person_id: "uuid",
    method: "text",
    created_at: "timestamptz",
    seen_at: "timestamptz",
    confirmed_at: "timestamptz",
    expires_at: "timestamptz",
    provider_sid: "text?",
    device: "text",
    id_token_hint: "text?",
  },
  people_views: { tenant_id: "uuid", person_id: "uuid", screen: "text", name: "text", view: "jsonb" },
  people_ceremonies: { tenant_id: "uuid", ceremony_id: "uuid", expires_at: "timestamptz" },
  server_keys: { name: "text", sealed: "text", active_from: "timestamptz?" },
  clients: {
    tenant_id: "uuid",
    client_ref: "text",
    name: "text?",
    search_key: "text",
    created_at: "timestamptz",
    ref_since: "timestamptz",
    name_key: "text",
  },
  connections: {
    tenant_id: "uuid",
    connection_id: "uuid",
    connector_id: "text",
    bank: "text",
    bank_key: "text",
    provider: "text",
    labels: "jsonb",
    status: "jsonb",
    pending: "bool",
    blocked: "bool",
    needs_relogin: "bool",
    portfolio_errored: "bool",
    investment_errored: "bool",
    transaction_errored: "bool",
    consent_expires_at: "text?",
    last_update: "text?",
    identity_hash: "text?",
    sealed_access: "text?",
    created_at: "timestamptz",
    client_ref: "text?",
  },
  connection_refreshes: {
    tenant_id: "uuid",
    connection_id: "uuid",
    due_at: "timestamptz?",
    lease: "uuid?",
    failures: "int4",
    attempted_at: "timestamptz?",
    outcome: "text?",
    sealed_pending: "text?",
    pending_since: "timestamptz?",
    user_hash: "text?",
    reference_hash: "text?",
    notified_at: "timestamptz?",
    consent_expires_at: "timestamptz?",
    connector_id: "text",
    lost_leases: "int4",
    consent_told_end: "timestamptz?",
    consent_told_days: "int2?",
  },
  provider_circuits: {
    tenant_id: "uuid",
    connector_id: "text",
    provider: "text",
    seen_at: "timestamptz",
    opened_at: "timestamptz",
  },
  work_marks: {
    tenant_id: "uuid",
    kind: "text",
    subject_id: "text",
    owner_id: "text?",
    snoozed_until: "timestamptz?",
    reason: "text?",
    cause: "text?",
    version: "int4",
    changed_at: "timestamptz",
  },
  institution_outcomes: {
    hour: "timestamptz",
    connector_id: "text",
    kind: "text",
    succeeded: "int8",
    failed: "int8",
    customer: "int8",
  },
  exchange_rates: { date: "date", base: "text", quote: "text", rate: "numeric", source: "text" },
  exchange_rate_fetches: { service: "text", due_at: "timestamptz", succeeded_at: "timestamptz?", failures: "int4" },
  sessions: {
    tenant_id: "uuid",
    session_id: "uuid",
    application_id: "text",
    status: "text",
    error_code: "text?",
    connector_id: "text?",
    connection_id: "uuid?",
    relogin: "bool",
    connector_filter: "jsonb?",
    redirect_url: "text?",
    labels: "jsonb",
    language: "text",
    privacy_notice: "text?",
    link_hash: "text",
    sealed_link: "text?",
    owner_hash: "text?",
    challenge: "jsonb?",
    sealed_state: "text?",
    callback_hash: "text?",
    attempts: "int4",
    restarts: "int4",
    created_at: "timestamptz",
    updated_at: "timestamptz",
    expires_at: "timestamptz",
    version: "int4",
    client_ref: "text?",
    finished: "bool",
    session_bytes: "int4",
    opened_at: "timestamptz?",
    look_after: "timestamptz?",
    working_until: "timestamptz?",
    remark: "text?",
    language_given: "bool?",
    sealed_challenge: "text?",
    sealed_accesses: "text?",
  },
  snapshots: {
    tenant_id: "uuid",
    connection_id: "uuid",
    product: "text",
    revision: "int8",
    until_revision: "int8?",
    as_of: "timestamptz",
    stale_at: "timestamptz?",
    oldest_day: "date?",
    newest_day: "date?",
    replaced_at: "timestamptz?",
    row_count: "int4",
    totals: "jsonb",
    digest: "text?",
  },
  portfolios: {
    tenant_id: "uuid",
    connection_id: "uuid",
    revision: "int8",
    ordinal: "int4",
    portfolio_id: "uuid",
    name: "text",
    balance: "numeric?",
    currency: "text",
    ref_account: "text?",
    type: "text",
    item: "text",
    parts: "_uuid?",
    name_key: "text",
  },
  holdings: {
    tenant_id: "uuid",
    connection_id: "uuid",
    revision: "int8",
    ordinal: "int4",
    holding_id: "uuid",
    portfolio_id: "uuid",
    name: "text",
    isin: "text?",
    amount: "numeric?",
    balance: "numeric?",
    currency: "text",
    valuation_date: "date?",
    type: "text",
    subtype: "text?",
    is_notional: "bool",
    item: "text",
    facts: "text?",
    name_key: "text",
  },
  transactions: {
    tenant_id: "uuid",
    connection_id: "uuid",
    transaction_id: "uuid",
    revision: "int8",
    portfolio_id: "uuid",
    holding_id: "uuid?",
    operation_date: "date",
    description: "text",
    amount: "numeric?",
    balance: "numeric?",
    currency: "text",
    unit_price: "numeric?",
    item: "text",
    facts: "text?",
    description_key: "text?",
    kind: "text?",
    isin: "text?",
    read_at: "timestamptz",
  },
  valued_accounts: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    ordinal: "int4",
    name: "text",
    ref_account: "text?",
    currency: "text",
    type: "text",
    is_cash: "bool",
    lists_securities: "bool",
    lists_cash: "bool",
    content: "uuid?",
    value: "jsonb?",
    revision: "int8?",
  },
  valuations: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    day: "date",
    stated_at: "timestamptz",
    arrival: "int8",
    balance: "numeric?",
    currency: "text",
    value: "jsonb?",
    content: "uuid?",
    source: "jsonb",
  },
  valued_holdings: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    content: "uuid",
    first_day: "date",
    last_day: "date",
    items: "text",
  },
  feed_files: {
    tenant_id: "uuid",
    connection_id: "uuid",
    sha256: "text",
    name: "text",
    format: "text",
    taken_at: "timestamptz",
    left_out: "jsonb",
  },
  feed_arrivals: { tenant_id: "uuid", target_id: "uuid", sha256: "text", arrival: "int8", arrived_at: "timestamptz" },
  feed_portfolios: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    as_of: "timestamptz",
    arrival: "int8",
    stated_arrival: "int8?",
    number: "text?",
    is_cash: "bool?",
    name: "text?",
    balance: "numeric?",
    currency: "text?",
    ref_account: "text?",
    type: "text?",
    before_day: "date?",
    positions_day: "date?",
  },
  transaction_statements: {
    tenant_id: "uuid",
    connection_id: "uuid",
    statement_id: "uuid",
    arrival: "int8",
    content: "text",
  },
  transaction_references: { tenant_id: "uuid", connection_id: "uuid", reference: "uuid", statement_id: "uuid" },
  replaced_transactions: {
    tenant_id: "uuid",
    connection_id: "uuid",
    transaction_id: "uuid",
    revision: "int8",
    until_revision: "int8",
    portfolio_id: "uuid",
    holding_id: "uuid?",
    operation_date: "date",
    description: "text",
    amount: "numeric?",
    balance: "numeric?",
    currency: "text",
    unit_price: "numeric?",
    item: "text",
    facts: "text?",
    description_key: "text?",
    kind: "text?",
    isin: "text?",
    read_at: "timestamptz",
    replaced_at: "timestamptz",
  },
  feed_positions: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    day: "date",
    holding_id: "uuid",
    units: "numeric",
    name: "text",
    isin: "text?",
  },
  feed_differences: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    holding_id: "uuid",
    from_day: "date",
    to_day: "date",
    name: "text",
    isin: "text?",
    before: "numeric",
    moved: "numeric",
    stated: "numeric",
    found_at: "timestamptz",
  },
  feed_gaps: {
    tenant_id: "uuid",
    connection_id: "uuid",
    portfolio_id: "uuid",
    from_day: "date",
    to_day: "date",
    days: "_date",
    found_at: "timestamptz",
  },
  feed_account_links: {
    tenant_id: "uuid",
    connection_id: "uuid",
    account: "text",
    portfolio: "text?",
    origin: "text",
  },
  installation_feed_mappings: { connector_id: "text", name: "text", mapping: "text", changed_at: "timestamptz" },
  connection_feed_mappings: {
    tenant_id: "uuid",
    connection_id: "uuid",
    name: "text",
    mapping: "text",
    changed_at: "timestamptz",
  },
  feed_pages: {
    tenant_id: "uuid",
    connection_id: "uuid",
    statement: "text",
    page: "int4",
    is_last: "bool",
    place: "text",
    content: "text",
    kept_at: "timestamptz",
    title: "text?",
    expired_at: "timestamptz?",
    finish_at: "timestamptz?",
    arrival: "int8?",
  },
  letters: {
    tenant_id: "uuid",
    letter_id: "uuid",
    connector_id: "text",
    status: "text",
    previous_status: "text?",
    ever_connected: "bool",
    labels: "jsonb",
    contact_info: "jsonb",
    connection_id: "uuid?",
    observations: "text?",
    created_at: "timestamptz",
    updated_at: "timestamptz",
    version: "int4",
    client_ref: "text?",
    status_since: "timestamptz",
  },
  letter_details: { tenant_id: "uuid", letter_id: "uuid", sealed_details: "text" },
  mails: {
    tenant_id: "uuid",
    mail_id: "uuid",
    letter_id: "uuid",
    kind: "text",
    state: "text",
    recipient: "text?",
    created_at: "timestamptz",
    due_at: "timestamptz",
    lease: "uuid?",
    handing_over: "bool",
    attempts: "int4",
    last_error: "text?",
    settled_at: "timestamptz?",
  },
  letter_labels: {
    tenant_id: "uuid",
    letter_id: "uuid",
    key: "text",
    value: "text",
    created_at: "timestamptz",
    status: "text",
  },
  letter_counts: { tenant_id: "uuid", status: "text", part: "int8", letters: "int8" },
  tenant_limits: { tenant_id: "uuid", name: "text", value: "int8" },
  installation_limits: { name: "text", value: "int8" },
  tenant_usage: { tenant_id: "uuid", document_bytes: "int8", clients: "int8" },
  letter_documents: {
    tenant_id: "uuid",
    letter_id: "uuid",
    kind: "text",
    sha256: "text",
    size: "int4",
    sealed_key: "text",
    ciphertext: "bytea?",
    signature: "text",
    object_key: "text?",
  },
  orphaned_objects: { tenant_id: "uuid", object_key: "text", due_at: "timestamptz" },
  letter_moves: {
    tenant_id: "uuid",
    letter_id: "uuid",
    at: "timestamptz",
    move_id: "uuid",
    actor: "text",
    event: "text",
    from_status: "text?",
    to_status: "text",
    note: "text?",
    connection_id: "uuid?",
  },
  idempotency_keys: {
    tenant_id: "uuid",
    application_id: "text",
    key: "text",
    request_hash: "text",
    letter_id: "uuid",
    expires_at: "timestamptz",
  },
  keyed_requests: {
    owner: "text",
    key: "text",
    request_hash: "text",
    claim_id: "uuid",
    leased_until: "timestamptz",
    made_by: "_int4",
    answer: "text?",
    expires_at: "timestamptz",
  },
  audit_log: {
    tenant_id: "uuid?",
    audit_id: "uuid",
    at: "timestamptz",
    actor: "text",
    action: "text",
    object_type: "text",
    object_id: "text",
    trace_id: "text?",
    address: "text?",
    facts: "jsonb",
    line_number: "int8?",
  },
  audit_chain: {
    sequence: "int8",
    line_number: "int8",
    audit_id: "uuid",
    hash: "bytea",
    refused_at: "timestamptz?",
    content_hash: "bytea?",
    sealed_at: "timestamptz",
  },
  audit_sealing: { only_row: "bool", settled: "int8", awaited: "int8", writers: "_text" },
  applications: {
    application_id: "uuid",
    tenant_id: "uuid?",
    client_id: "text",
    name: "text",
    scopes: "_text",
    enabled: "bool",
    redirect_urls: "_text",
    created_at: "timestamptz",
    of_people: "bool",
    limited: "bool",
  },
  client_limits: { tenant_id: "uuid", holder_id: "uuid", client_ref: "text" },
  application_secrets: { application_id: "uuid", secret_id: "uuid", secret_hash: "text", created_at: "timestamptz" },
  disabled_tenants: { tenant_id: "uuid", disabled_at: "timestamptz" },
  grants: {
    grant_id: "uuid",
    tenant_id: "uuid?",
    application_id: "uuid",
    client_id: "text",
    secret_id: "uuid",
    flow: "text",
    scopes: "_text",
    audience: "_text",
    created_at: "timestamptz",
    refresh_seconds: "int4",
    refresh_expires_at: "timestamptz",
    last_issued_at: "timestamptz",
    token_hash: "text",
    consumed_hash: "text?",
    replay_response: "text?",
    replay_until: "timestamptz?",
    ended_at: "timestamptz?",
    ended_by: "xid8?",
    is_confidential: "bool",
    is_limited: "bool",
    person_id: "uuid?",
    expires_on: "date?",
  },
  registered_clients: {
    client_id: "text",
    client_name: "text?",
    redirect_uris: "_text",
    token_endpoint_auth_method: "text",
    secret_hash: "text?",
    jwks: "jsonb?",
    jwks_uri: "text?",
    metadata: "jsonb",
    created_at: "timestamptz",
    last_used_at: "timestamptz",
  },
  authorization_answers: {
    request_id: "uuid",
    decision: "text",
    client_id: "text",
    answered_at: "timestamptz",
    expires_at: "timestamptz",
    code_hash: "text?",
    redirect_uri: "text?",
    code_challenge: "text?",
    tenant_id: "uuid?",
    application_id: "uuid?",
    secret_id: "uuid?",
    scopes: "_text?",
    audience: "_text?",
    redeemed_as: "uuid?",
    person_id: "uuid?",
    is_limited: "bool?",
  },
  remembered_credentials: {
    remembered_id: "uuid",
    cookie_hash: "text",
    application_id: "uuid",
    secret_id: "uuid",
    sealed_credentials: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz",
  },
  used_assertions: { client_id: "text", jti: "text", expires_at: "timestamptz" },
  trusted_issuers: {
    issuer: "text",
    trust_id: "uuid",
    tenant_id: "uuid?",
    jwks_uri: "text?",
    jwks: "jsonb?",
    algorithms: "_text",
    client_ids: "_text",
    takes_public_clients: "bool",
    max_assertion_seconds: "int4",
    token_seconds: "int4",
    rules: "jsonb",
    created_at: "timestamptz",
    changed_at: "timestamptz",
  },
  registration_tokens: {
    token_id: "uuid",
    name: "text",
    token_hash: "text",
    created_at: "timestamptz",
    expires_at: "timestamptz",
  },
  guess_counts: { client_id: "text", address_prefix: "text", failures: "int4", window_ends_at: "timestamptz" },
  signing_keys: {
    kid: "text",
    algorithm: "text",
    public_jwk: "jsonb",
    sealed_private_key: "text",
    created_at: "timestamptz",
    signs_from: "timestamptz?",
  },
  ended_mcp_sessions: { nonce: "text", expires_at: "timestamptz", ended_by: "xid8" },
};

/** Tables whose keys and indexes do not start with the tenant, and why that is right. */
const withoutTenantFirst: Readonly<Record<string, string>> = {
  tenants: "the list of tenants itself: names are unique among all",
  tenant_logos:
    "looked up by what it holds, before the tenant is known: pages show them to people of whom no more is known",
  "letters: letters_by_words":
    "operators find letters of all tenants by words; such an index cannot begin with a column",
  "clients: clients_by_words": "the same, for the clients' names that the work queue is searched by",
  "letters: letters_under_way": "operators are shown what needs somebody over all tenants: the work queue",
  "webhook_endpoints: webhook_endpoints_given_up": "the same",
  "feed_differences: feed_differences_by_find": "the same",
  "feed_gaps: feed_gaps_by_find": "the same",
  session_links: "looked up by the secret of a link, before the tenant is known; ids only",
  "sessions: sessions_by_callback": "looked up by the secret that a bank hands back, before the tenant is known",
  connection_refreshes: "workers ask for what is due over all tenants; ids and times only",
  mails: "senders and operators ask over all tenants; an address is in it until the mail was sent",
  "webhook_endpoints: webhook_endpoints_due": "senders ask for what is due over all tenants",
  "webhook_endpoints: webhook_endpoints_by_time": "the same",
  "people_sessions: people_sessions_expired": "the clean-up asks for what has expired over all tenants",
  "people_ceremonies: people_ceremonies_expired": "the same",
  "orphaned_objects: orphaned_objects_by_due": "the same",
  "people: people_invitations": "the same",
  "people: people_never_here": "the same",
  object_owners: "looked up by an id alone, to find its tenant; ids only",
  audit_log: "read by operators over all tenants in the order of time, and fit to be partitioned by it",
  applications: "looked up by client_id, before the tenant is known; an operator's have none",
  disabled_tenants: "the authorization server's; its only key is the tenant",
  trusted_issuers: "looked up by what an assertion says, before the tenant is known; the installation's have none",
  "people_recovery_codes: people_recovery_codes_hash":
    "looked up by the keyed hash of an address and a code, before the tenant is known",
  authorization_answers: "looked up by the id in a code, before the tenant is known; reaped a day later",
  grants: "looked up by the id in a refresh token, before the tenant is known; an operator's have none",
};

describe.skipIf(testCitusWorkers.length > 0).each(testBackends)("the schema on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database?.close());
  const column = async <T>(sql: string) =>
    (await database.pool.query({ text: sql, rowMode: "array" })).rows.map(([value]) => value as T);

  it("is what the Database interface says", async () => {
    const { rows } = await database.pool.query(`
      select table_name, column_name, udt_name || case is_nullable when 'YES' then '?' else '' end as type
      from information_schema.columns
      where table_schema = 'public' and table_name <> 'schema_migrations'
        and table_name in (select relname from pg_class where relkind = 'r')`);
    const found: Record<string, Record<string, string>> = {};
    for (const { table_name, column_name, type } of rows) {
      found[table_name] = { ...found[table_name], [column_name]: type };
    }
    expect(found).toEqual(described);
  });

  it("is what schema.sql shows (renew it with `vitest run packages/storage-postgres/src/schema.test.ts -u`)", async () => {
    await expect(await printSchema(database.pool)).toMatchFileSnapshot("../schema.sql");
  });

  it("has the tenant first in every key and index of a tenant's table", async () => {
    const indexes = await column<string>(`
      select distinct c.relname || ': ' || i.indexrelid::regclass
      from pg_index i
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute tenant on tenant.attrelid = c.oid and tenant.attname = 'tenant_id'
      where i.indkey[0] <> tenant.attnum`);
    const unexplained = indexes.filter(
      (index) => !(index in withoutTenantFirst || (index.split(":")[0] ?? "") in withoutTenantFirst),
    );
    expect(unexplained).toEqual([]);
    const keyless = await column<string>(`
      select relname from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)`);
    expect(keyless).toEqual([]);
  });

  it("has row-level security on every tenant's table, by tenant for the application's role", async () => {
    const open = await column<string>(`
      select c.relname::text from pg_class c
      join pg_attribute tenant on tenant.attrelid = c.oid and tenant.attname = 'tenant_id'
      where c.relkind = 'r' and has_table_privilege('wealth_connect_app', c.oid, 'select, insert, update, delete')
        and (not c.relrowsecurity or (
          select array_agg(p.policyname || ' ' || p.qual) from pg_policies p
          where p.tablename = c.relname and 'wealth_connect_app' = any (p.roles) and p.cmd <> 'INSERT'
        ) is distinct from array['own_tenant (tenant_id = (current_setting(''wealth_connect.tenant''::text))::uuid)'])`);
    expect(open).toEqual([]);
  });

  it("lets a tenant's transactions write one thing beside their own: what operators are told", async () => {
    const writers = await column<string>(`
      select tablename || ' ' || policyname || ' ' || array_to_string(roles, ', ') || ' ' || with_check
      from pg_policies where cmd = 'INSERT' and 'wealth_connect_app' = any (roles) order by 1`);
    expect(writers).toEqual([
      "events installation_log wealth_connect_app (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)",
    ]);
  });

  it("forces row-level security on every table that has it, and gives what works over all tenants to a role of its own", async () => {
    expect(await findUnprotected(database.pool)).toEqual({ tables: [], sequences: [], functions: [] });
    const open = await column<string>(`
      select relname::text from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity`);
    expect(open).toEqual([]);
    const loose = await column<string>(`
      select proname::text from pg_proc where pronamespace = 'public'::regnamespace and prosecdef and (
        pg_get_userbyid(proowner) <> 'wealth_connect_cleanup'
        or not 'search_path=public, pg_temp' = any (proconfig)
        or has_function_privilege('wealth_connect_app', oid, 'execute')
        or has_function_privilege('wealth_connect_auth', oid, 'execute')
        or not has_function_privilege('wealth_connect_upkeep', oid, 'execute'))`);
    expect(loose).toEqual([]);
  });

  it("lets upkeep read of tenants' rows what docs/decisions/tenant-isolation.md lists, and no more", async () => {
    const readable = await column<string>(`
      select c.relname::text from pg_class c
      join pg_attribute tenant on tenant.attrelid = c.oid and tenant.attname = 'tenant_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        and has_any_column_privilege('wealth_connect_upkeep', c.oid, 'select') order by 1`);
    const listed = readFileSync(new URL("../../../docs/decisions/tenant-isolation.md", import.meta.url), "utf8");
    const rows = [...listed.matchAll(/^\| `(\w+)` \|/gm)].map(([, table]) => table);
    expect(readable).toEqual(rows.sort());
  });

  it("lets each role have its own tables only", async () => {
    const tablesOf = (role: string) =>
      column<string>(`
        select relname::text from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace
          and has_table_privilege('${role}', c.oid, 'insert, update, delete') order by 1`);
    const app = await tablesOf("wealth_connect_app");
    const auth = await tablesOf("wealth_connect_auth");
    expect(auth).toEqual([
      "application_secrets",
      "applications",
      "authorization_answers",
      "client_limits",
      "disabled_tenants",
      "ended_mcp_sessions",
      "feed_held",
      "feed_keys",
      "feed_sources",
      "grants",
      "guess_counts",
      "installation_provider_settings",
      "registered_clients",
      "registration_tokens",
      "remembered_credentials",
      "server_keys",
      "signing_keys",
      "trusted_issuers",
      "used_assertions",
    ]);
    expect(app.filter((table) => auth.includes(table))).toEqual([]);
    const readable = (role: string) =>
      column<string>(`
        select relname::text from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace
          and has_table_privilege('${role}', c.oid, 'select') order by 1`);
    expect((await readable("wealth_connect_app")).filter((table) => auth.includes(table))).toEqual([]);
    expect((await readable("wealth_connect_auth")).filter((table) => app.includes(table))).toEqual([]);
    const changeable = await column<string>(`
      select unnest(array['update', 'delete', 'truncate']) right_of
      intersect select p from unnest(array['update', 'delete', 'truncate']) p
      where has_table_privilege('wealth_connect_app', 'audit_log', p) or has_table_privilege('wealth_connect_upkeep', 'audit_log', p)`);
    expect(changeable).toEqual([]);
  });
});
