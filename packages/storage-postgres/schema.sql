table application_secrets (
  application_id uuid not null,
  secret_id uuid not null,
  secret_hash text not null,
  created_at timestamp with time zone not null,
  constraint application_secrets_secret_id_key UNIQUE (secret_id),
  constraint application_secrets_pkey PRIMARY KEY (application_id, secret_id),
  constraint application_secrets_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE
)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table applications (
  application_id uuid not null,
  tenant_id uuid,
  client_id text collate "C" not null,
  name text not null,
  scopes text[] not null,
  enabled boolean not null default (true),
  redirect_urls text[] not null,
  created_at timestamp with time zone not null,
  of_people boolean not null default (false),
  limited boolean not null default (false),
  dpop_bound_access_tokens boolean not null default (false),
  constraint applications_client_id_key UNIQUE (client_id),
  constraint applications_pkey PRIMARY KEY (application_id),
  constraint applications_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
CREATE INDEX applications_limited ON applications USING btree (application_id) WHERE limited
CREATE UNIQUE INDEX applications_of_people ON applications USING btree (tenant_id) WHERE of_people
CREATE INDEX applications_of_tenant ON applications USING btree (tenant_id, application_id)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table audit_chain (
  sequence bigint not null,
  line_number bigint not null,
  audit_id uuid not null,
  hash bytea not null,
  refused_at timestamp with time zone,
  content_hash bytea,
  sealed_at timestamp with time zone not null,
  constraint audit_chain_pkey PRIMARY KEY (sequence)
)
CREATE INDEX audit_chain_by_number ON audit_chain USING btree (line_number)
CREATE INDEX audit_chain_of_refusals ON audit_chain USING btree (refused_at) WHERE ((refused_at IS NOT NULL) AND (content_hash IS NULL))
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select

table audit_log (
  tenant_id uuid,
  audit_id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  trace_id text,
  address text,
  facts jsonb not null,
  line_number bigint default (nextval('audit_log_numbers'::regclass)),
  constraint audit_log_pkey PRIMARY KEY (at, audit_id)
)
CREATE INDEX audit_log_by_number ON audit_log USING btree (line_number) WHERE (line_number IS NOT NULL)
CREATE INDEX audit_log_by_trace ON audit_log USING hash (trace_id)
CREATE INDEX audit_log_of_tenant ON audit_log USING btree (tenant_id, at, audit_id)
CREATE INDEX audit_log_unnumbered ON audit_log USING btree (at, audit_id) WHERE (line_number IS NULL)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select

table audit_sealing (
  only_row boolean not null default (true),
  settled bigint not null,
  awaited bigint not null,
  writers text[] not null,
  constraint audit_sealing_pkey PRIMARY KEY (only_row),
  constraint audit_sealing_only_row_check CHECK (only_row)
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table authorization_answers (
  request_id uuid not null,
  decision text not null,
  client_id text not null,
  answered_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  code_hash text,
  redirect_uri text,
  code_challenge text,
  dpop_jkt text,
  tenant_id uuid,
  application_id uuid,
  secret_id uuid,
  scopes text[],
  audience text[],
  redeemed_as uuid,
  person_id uuid,
  is_limited boolean,
  constraint authorization_answers_pkey PRIMARY KEY (request_id),
  constraint authorization_answers_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE,
  constraint authorization_answers_decision_check CHECK ((decision = ANY (ARRAY['approved'::text, 'denied'::text])))
)
CREATE INDEX authorization_answers_of_application ON authorization_answers USING btree (application_id)
CREATE INDEX authorization_answers_of_person ON authorization_answers USING btree (tenant_id, person_id) WHERE (person_id IS NOT NULL)
CREATE INDEX authorization_answers_to_reap ON authorization_answers USING btree (expires_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table catalogue (
  only_row boolean not null default (true),
  revision bigint not null default (0),
  constraint catalogue_pkey PRIMARY KEY (only_row),
  constraint catalogue_only_row_check CHECK (only_row)
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select, update
rights of everybody: select

table client_limits (
  tenant_id uuid not null,
  holder_id uuid not null,
  client_ref text collate "C" not null,
  constraint client_limits_pkey PRIMARY KEY (tenant_id, holder_id, client_ref),
  constraint client_limits_tenant_id_client_ref_fkey FOREIGN KEY (tenant_id, client_ref) REFERENCES clients(tenant_id, client_ref) ON UPDATE CASCADE ON DELETE CASCADE
)
CREATE INDEX client_limits_of_client ON client_limits USING btree (tenant_id, client_ref)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy for_tokens for wealth_connect_auth using true
rights of wealth_connect_auth: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table clients (
  tenant_id uuid not null,
  client_ref text collate "C" not null,
  name text,
  search_key text collate "C" not null,
  created_at timestamp with time zone not null,
  name_key text collate "C" not null generated as ("left"(split_part(search_key, chr(10),
CASE
    WHEN (name IS NULL) THEN 1
    ELSE 2
END), 100)),
  constraint clients_pkey PRIMARY KEY (tenant_id, client_ref),
  constraint clients_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
CREATE INDEX clients_by_name ON clients USING btree (tenant_id, name_key, client_ref)
CREATE INDEX clients_by_words ON clients USING gin (client_words(tenant_id, search_key))
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table connection_feed_mappings (
  tenant_id uuid not null,
  connection_id uuid not null,
  name text collate "C" not null,
  mapping text not null,
  changed_at timestamp with time zone not null,
  constraint connection_feed_mappings_pkey PRIMARY KEY (tenant_id, connection_id, name),
  constraint connection_feed_mappings_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select

table connection_refreshes (
  tenant_id uuid not null,
  connection_id uuid not null,
  due_at timestamp with time zone,
  lease uuid,
  failures integer not null default (0),
  attempted_at timestamp with time zone,
  outcome text,
  sealed_pending text,
  pending_since timestamp with time zone,
  user_hash text collate "C",
  reference_hash text collate "C",
  notified_at timestamp with time zone,
  consent_expires_at timestamp with time zone,
  connector_id text not null,
  lost_leases integer not null default (0),
  consent_told_end timestamp with time zone,
  consent_told_days smallint,
  constraint connection_refreshes_pkey PRIMARY KEY (tenant_id, connection_id),
  constraint connection_refreshes_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
CREATE INDEX connection_refreshes_by_consent ON connection_refreshes USING btree (consent_expires_at) WHERE ((due_at IS NOT NULL) AND (consent_expires_at IS NOT NULL))
CREATE INDEX connection_refreshes_due ON connection_refreshes USING btree (due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX connection_refreshes_of_reference ON connection_refreshes USING btree (reference_hash) WHERE (reference_hash IS NOT NULL)
CREATE INDEX connection_refreshes_of_user ON connection_refreshes USING btree (user_hash) WHERE (user_hash IS NOT NULL)
CREATE INDEX connection_refreshes_relogin ON connection_refreshes USING btree (attempted_at, connection_id) WHERE ((due_at IS NULL) AND (outcome IS DISTINCT FROM 'already_exists'::text))
CREATE INDEX connection_refreshes_waiting ON connection_refreshes USING btree (tenant_id) WHERE (due_at IS NULL)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table connections (
  tenant_id uuid not null,
  connection_id uuid not null,
  connector_id text not null,
  bank text not null,
  bank_key text not null,
  provider text not null,
  labels jsonb not null,
  status jsonb not null,
  pending boolean not null generated as (((status ->> 'pending'::text))::boolean),
  blocked boolean not null generated as (((status ->> 'blocked'::text))::boolean),
  needs_relogin boolean not null generated as ((((status ->> 'blocked'::text))::boolean OR (COALESCE((status ->> 'sca_token'::text), ''::text) <> ''::text) OR (COALESCE((status ->> 'reset_token'::text), ''::text) <> ''::text) OR ((status #>> '{errored,product,auth}'::text[]))::boolean)),
  portfolio_errored boolean not null generated as ((((status #>> '{errored,product,portfolio}'::text[]))::boolean OR ((status #>> '{errored,product,auth}'::text[]))::boolean)),
  investment_errored boolean not null generated as ((((status #>> '{errored,product,investment}'::text[]))::boolean OR ((status #>> '{errored,product,auth}'::text[]))::boolean)),
  transaction_errored boolean not null generated as ((((status #>> '{errored,transaction,investment}'::text[]))::boolean OR ((status #>> '{errored,product,auth}'::text[]))::boolean)),
  consent_expires_at text collate "C" generated as ((status ->> 'consent_expires_at'::text)),
  last_update text collate "C" generated as ((status ->> 'last_update'::text)),
  identity_hash text,
  sealed_access text,
  created_at timestamp with time zone not null,
  client_ref text collate "C",
  constraint connections_pkey PRIMARY KEY (tenant_id, connection_id),
  constraint connections_tenant_id_client_ref_fkey FOREIGN KEY (tenant_id, client_ref) REFERENCES clients(tenant_id, client_ref) ON UPDATE CASCADE,
  constraint connections_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
CREATE INDEX connections_by_age_of_data ON connections USING btree (tenant_id, last_update, connection_id)
CREATE INDEX connections_by_client ON connections USING btree (tenant_id, client_ref, created_at, connection_id) WHERE (client_ref IS NOT NULL)
CREATE INDEX connections_by_consent ON connections USING btree (tenant_id, consent_expires_at, connection_id)
CREATE UNIQUE INDEX connections_identity ON connections USING btree (tenant_id, connector_id, identity_hash)
CREATE INDEX connections_oldest_first ON connections USING btree (tenant_id, created_at, connection_id)
CREATE INDEX connections_to_tell ON connections USING btree (tenant_id, created_at, connection_id) WHERE (pending OR blocked OR needs_relogin OR portfolio_errored OR investment_errored OR transaction_errored)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table connectors (
  connector_id text collate "C" not null,
  name text not null,
  type text not null,
  countries text[] not null,
  available boolean not null,
  provider text not null,
  metadata jsonb not null,
  provider_ref text,
  constraint connectors_pkey PRIMARY KEY (connector_id)
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select, update
rights of everybody: select

table disabled_tenants (
  tenant_id uuid not null,
  disabled_at timestamp with time zone not null,
  constraint disabled_tenants_pkey PRIMARY KEY (tenant_id),
  constraint disabled_tenants_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table ended_mcp_sessions (
  nonce text collate "C" not null,
  expires_at timestamp with time zone not null,
  ended_by xid8 not null default (pg_current_xact_id()),
  constraint ended_mcp_sessions_pkey PRIMARY KEY (nonce)
)
CREATE INDEX ended_mcp_sessions_feed ON ended_mcp_sessions USING btree (ended_by)
CREATE INDEX ended_mcp_sessions_to_reap ON ended_mcp_sessions USING btree (expires_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table event_counters (
  tenant_id uuid not null,
  last_sequence bigint not null default (0),
  constraint event_counters_pkey PRIMARY KEY (tenant_id)
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table events (
  tenant_id uuid not null,
  event_id uuid not null default (new_event_id()),
  sequence bigint,
  type text collate "C" not null,
  created_at timestamp with time zone not null default (clock_timestamp()),
  object_id text collate "C" not null,
  labels text[] not null default ('{}'::text[]),
  endpoint_ids uuid[] not null default ('{}'::uuid[]),
  data jsonb not null,
  written bigint not null default (nextval('event_writes'::regclass)),
  constraint events_pkey PRIMARY KEY (tenant_id, event_id)
)
CREATE INDEX events_by_client ON events USING btree (tenant_id, ((data ->> 'client_ref'::text)) COLLATE "C", sequence) WHERE ((sequence IS NOT NULL) AND ((data ->> 'client_ref'::text) IS NOT NULL))
CREATE INDEX events_by_object ON events USING btree (tenant_id, object_id, sequence) WHERE (sequence IS NOT NULL)
CREATE UNIQUE INDEX events_by_sequence ON events USING btree (tenant_id, sequence) WHERE (sequence IS NOT NULL)
CREATE INDEX events_by_time ON events USING btree (tenant_id, created_at, sequence) WHERE (sequence IS NOT NULL)
CREATE INDEX events_by_type ON events USING btree (tenant_id, type, sequence) WHERE (sequence IS NOT NULL)
CREATE INDEX events_of_connection ON events USING btree (tenant_id, ((data ->> 'connection_id'::text))) WHERE ((type = 'session.finished'::text) AND (labels <> '{}'::text[]))
CREATE INDEX events_unnumbered ON events USING btree (tenant_id, written) WHERE (sequence IS NULL)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation_log for inserts of wealth_connect_app with check (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
policy written_by_upkeep for inserts of wealth_connect_upkeep with check true
rights of wealth_connect_app: insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert

table exchange_rate_fetches (
  service text not null,
  due_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  failures integer not null default (0),
  constraint exchange_rate_fetches_pkey PRIMARY KEY (service)
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select, update

table exchange_rates (
  date date not null,
  base text collate "C" not null,
  quote text collate "C" not null,
  rate numeric not null,
  source text not null,
  constraint exchange_rates_pkey PRIMARY KEY (date, base, quote),
  constraint exchange_rates_rate_check CHECK ((rate > (0)::numeric))
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select, update
rights of everybody: select

table feed_account_links (
  tenant_id uuid not null,
  connection_id uuid not null,
  account text collate "C" not null,
  portfolio text,
  origin text not null,
  constraint feed_account_links_pkey PRIMARY KEY (tenant_id, connection_id, account),
  constraint feed_account_links_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE,
  constraint feed_account_links_check CHECK (((portfolio IS NOT NULL) OR (origin = 'operator'::text))),
  constraint feed_account_links_origin_check CHECK ((origin = ANY (ARRAY['letter'::text, 'rule'::text, 'operator'::text])))
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_arrivals (
  tenant_id uuid not null,
  target_id uuid not null,
  sha256 text collate "C" not null,
  arrival bigint not null default (nextval('feed_arrival_numbers'::regclass)),
  arrived_at timestamp with time zone not null default (now()),
  constraint feed_arrivals_pkey PRIMARY KEY (tenant_id, target_id, sha256),
  constraint feed_arrivals_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_differences (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  holding_id uuid not null,
  from_day date not null,
  to_day date not null,
  name text not null,
  isin text,
  before numeric not null,
  moved numeric not null,
  stated numeric not null,
  found_at timestamp with time zone not null,
  constraint feed_differences_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id, to_day, holding_id),
  constraint feed_differences_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
CREATE INDEX feed_differences_by_find ON feed_differences USING btree (found_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_files (
  tenant_id uuid not null,
  connection_id uuid not null,
  sha256 text collate "C" not null,
  name text not null,
  container text,
  format text not null,
  format_version text,
  taken_at timestamp with time zone not null,
  left_out jsonb not null default ('[]'::jsonb),
  constraint feed_files_pkey PRIMARY KEY (tenant_id, connection_id, sha256),
  constraint feed_files_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id)
)
CREATE INDEX feed_files_newest_first ON feed_files USING btree (tenant_id, connection_id, taken_at DESC)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_gaps (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  from_day date not null,
  to_day date not null,
  days date[] not null,
  found_at timestamp with time zone not null,
  constraint feed_gaps_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id, to_day),
  constraint feed_gaps_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
CREATE INDEX feed_gaps_by_find ON feed_gaps USING btree (found_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_held (
  file_id uuid not null,
  sealed_key text not null,
  ciphertext bytea not null,
  bytes bigint not null,
  sealed_findings text not null,
  held_until timestamp with time zone not null,
  tries integer not null default (0),
  retry_at timestamp with time zone not null default (now()),
  cause text collate "C" not null default ('content'::text),
  is_part boolean not null default (false),
  constraint feed_held_pkey PRIMARY KEY (file_id),
  constraint feed_held_file_id_fkey FOREIGN KEY (file_id) REFERENCES feed_source_files(file_id) ON DELETE CASCADE
)
CREATE INDEX feed_held_by_end ON feed_held USING btree (held_until)
CREATE INDEX feed_held_by_retry ON feed_held USING btree (retry_at)
rights of wealth_connect_auth: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table feed_keys (
  kind text collate "C" not null,
  owner text collate "C" not null,
  fingerprint text collate "C" not null,
  key_ids text[] not null,
  user_ids text[] not null,
  algorithm text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  public_key text not null,
  sealed_private_key text,
  added_at timestamp with time zone not null,
  constraint feed_keys_pkey PRIMARY KEY (kind, owner, fingerprint),
  constraint feed_keys_check CHECK (((kind = 'own'::text) = (owner = ''::text))),
  constraint feed_keys_check1 CHECK (((kind = 'own'::text) = (sealed_private_key IS NOT NULL))),
  constraint feed_keys_kind_check CHECK ((kind = ANY (ARRAY['own'::text, 'connector'::text, 'source'::text])))
)
rights of wealth_connect_auth: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table feed_pages (
  tenant_id uuid not null,
  connection_id uuid not null,
  statement text collate "C" not null,
  page integer not null,
  is_last boolean not null,
  place text not null,
  content text not null,
  kept_at timestamp with time zone not null default (now()),
  title text,
  expired_at timestamp with time zone,
  finish_at timestamp with time zone default (now()),
  arrival bigint,
  constraint feed_pages_pkey PRIMARY KEY (tenant_id, connection_id, statement, page),
  constraint feed_pages_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_portfolios (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  as_of timestamp with time zone not null,
  arrival bigint not null default (0),
  stated_arrival bigint,
  number text,
  is_cash boolean,
  name text,
  balance numeric,
  currency text,
  ref_account text,
  type text,
  constraint feed_portfolios_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id),
  constraint feed_portfolios_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table feed_routes (
  route_id uuid not null,
  source text collate "C" not null,
  rule jsonb not null,
  created_at timestamp with time zone not null,
  constraint feed_routes_pkey PRIMARY KEY (route_id),
  constraint feed_routes_source_fkey FOREIGN KEY (source) REFERENCES feed_sources(source) ON DELETE CASCADE
)
CREATE INDEX feed_routes_of_source ON feed_routes USING btree (source, created_at, route_id)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table feed_signing_rules (
  kind text collate "C" not null,
  owner text collate "C" not null,
  must_be_signed boolean not null,
  changed_at timestamp with time zone not null,
  constraint feed_signing_rules_pkey PRIMARY KEY (kind, owner),
  constraint feed_signing_rules_kind_check CHECK ((kind = ANY (ARRAY['connector'::text, 'source'::text])))
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table feed_source_files (
  file_id uuid not null,
  source text collate "C" not null,
  name text not null,
  size bigint not null,
  sha256 text collate "C" not null,
  modified_at timestamp with time zone,
  state text collate "C" not null,
  came_at timestamp with time zone not null,
  settled_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint feed_source_files_source_name_size_sha256_key UNIQUE (source, name, size, sha256),
  constraint feed_source_files_pkey PRIMARY KEY (file_id),
  constraint feed_source_files_source_fkey FOREIGN KEY (source) REFERENCES feed_sources(source) ON DELETE CASCADE,
  constraint feed_source_files_state_check CHECK ((state = ANY (ARRAY['taken'::text, 'held'::text, 'dropped'::text, 'expired'::text])))
)
CREATE INDEX feed_source_files_by_name ON feed_source_files USING btree (source, name, came_at DESC)
CREATE INDEX feed_source_files_by_state ON feed_source_files USING btree (state, came_at, file_id)
CREATE INDEX feed_source_files_newest_first ON feed_source_files USING btree (came_at DESC, file_id DESC)
CREATE INDEX feed_source_files_of_source ON feed_source_files USING btree (source, came_at, file_id)
CREATE INDEX feed_source_files_to_forget ON feed_source_files USING btree (seen_at) WHERE (state <> 'held'::text)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table feed_sources (
  source text collate "C" not null,
  kind text collate "C" not null,
  sealed_settings text not null,
  is_enabled boolean not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  due_at timestamp with time zone,
  lease uuid,
  lease_until timestamp with time zone,
  attempted_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  failures integer not null default (0),
  last_error text,
  constraint feed_sources_pkey PRIMARY KEY (source),
  constraint feed_sources_kind_check CHECK ((kind = ANY (ARRAY['sftp'::text, 'push'::text, 'folder'::text])))
)
rights of wealth_connect_auth: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table feed_tokens (
  token_id uuid not null,
  source text collate "C" not null,
  name text not null,
  token_hash text collate "C" not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint feed_tokens_token_hash_key UNIQUE (token_hash),
  constraint feed_tokens_pkey PRIMARY KEY (token_id),
  constraint feed_tokens_source_fkey FOREIGN KEY (source) REFERENCES feed_sources(source) ON DELETE CASCADE
)
CREATE INDEX feed_tokens_of_source ON feed_tokens USING btree (source, created_at, token_id)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table grants (
  grant_id uuid not null,
  tenant_id uuid,
  application_id uuid not null,
  client_id text collate "C" not null,
  secret_id uuid not null,
  flow text not null,
  scopes text[] not null,
  audience text[] not null,
  created_at timestamp with time zone not null,
  refresh_seconds integer not null,
  refresh_expires_at timestamp with time zone not null,
  last_issued_at timestamp with time zone not null,
  token_hash text not null,
  consumed_hash text,
  replay_response text,
  replay_until timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by xid8,
  is_confidential boolean not null default (false),
  person_id uuid,
  is_limited boolean not null default (false),
  dpop_jkt text,
  expires_on date,
  constraint grants_pkey PRIMARY KEY (grant_id),
  constraint grants_flow_check CHECK ((flow = ANY (ARRAY['machine'::text, 'browser'::text, 'asserted'::text])))
)
CREATE INDEX ended_grants ON grants USING btree (ended_by) WHERE (ended_by IS NOT NULL)
CREATE INDEX grants_of_application ON grants USING btree (application_id, grant_id) WHERE (ended_at IS NULL)
CREATE INDEX grants_of_client ON grants USING btree (client_id) WHERE (ended_at IS NULL)
CREATE INDEX grants_of_person ON grants USING btree (tenant_id, person_id) WHERE ((person_id IS NOT NULL) AND (ended_at IS NULL))
CREATE INDEX grants_of_tenant ON grants USING btree (tenant_id, grant_id) WHERE (ended_at IS NULL)
CREATE INDEX grants_of_trust ON grants USING btree (secret_id) WHERE ((flow = 'asserted'::text) AND (ended_at IS NULL))
CREATE INDEX grants_to_expire ON grants USING btree (COALESCE(expires_on, '-infinity'::date))
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table guess_counts (
  client_id text collate "C" not null,
  address_prefix text collate "C" not null,
  failures integer not null,
  window_ends_at timestamp with time zone not null,
  constraint guess_counts_pkey PRIMARY KEY (client_id, address_prefix)
)
CREATE INDEX guess_windows ON guess_counts USING btree (window_ends_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table holdings (
  tenant_id uuid not null,
  connection_id uuid not null,
  revision bigint not null,
  ordinal integer not null,
  holding_id uuid not null,
  portfolio_id uuid not null,
  name text not null,
  isin text,
  amount numeric,
  balance numeric,
  currency text not null,
  valuation_date date,
  type text not null,
  subtype text,
  is_notional boolean not null default (false),
  item text not null,
  facts text,
  name_key text collate "C" not null,
  constraint holdings_pkey PRIMARY KEY (tenant_id, connection_id, revision, ordinal)
)
CREATE INDEX holdings_by_balance ON holdings USING btree (tenant_id, is_notional, currency, balance DESC NULLS LAST, holding_id, connection_id)
CREATE INDEX holdings_by_day ON holdings USING btree (tenant_id, valuation_date DESC NULLS LAST, holding_id, connection_id)
CREATE INDEX holdings_by_id ON holdings USING btree (tenant_id, holding_id)
CREATE INDEX holdings_by_name ON holdings USING btree (tenant_id, name_key, holding_id, connection_id)
CREATE INDEX holdings_of_portfolio ON holdings USING btree (tenant_id, portfolio_id, connection_id, revision, ordinal)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table idempotency_keys (
  tenant_id uuid not null,
  application_id text collate "C" not null,
  key text collate "C" not null,
  request_hash text not null,
  letter_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, application_id, key),
  constraint idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
CREATE INDEX idempotency_keys_to_reap ON idempotency_keys USING btree (tenant_id, expires_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table installation_feed_mappings (
  connector_id text collate "C" not null,
  name text collate "C" not null,
  mapping text not null,
  changed_at timestamp with time zone not null,
  constraint installation_feed_mappings_pkey PRIMARY KEY (connector_id, name)
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table installation_limits (
  name text collate "C" not null,
  value bigint not null,
  constraint installation_limits_pkey PRIMARY KEY (name),
  constraint installation_limits_value_check CHECK ((value >= 0))
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table installation_provider_settings (
  provider text collate "C" not null,
  sealed_settings text not null,
  changed_at timestamp with time zone not null,
  constraint installation_provider_settings_pkey PRIMARY KEY (provider)
)
rights of wealth_connect_auth: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table institution_outcomes (
  hour timestamp with time zone not null,
  connector_id text collate "C" not null,
  kind text collate "C" not null,
  succeeded bigint not null default (0),
  failed bigint not null default (0),
  customer bigint not null default (0),
  constraint institution_outcomes_pkey PRIMARY KEY (hour, connector_id, kind),
  constraint institution_outcomes_kind_check CHECK ((kind = ANY (ARRAY['login'::text, 'refresh'::text])))
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table keyed_requests (
  owner text not null,
  key text not null,
  request_hash text not null,
  claim_id uuid not null,
  leased_until timestamp with time zone not null,
  made_by integer[] not null default ('{}'::integer[]),
  answer text,
  expires_at timestamp with time zone not null,
  constraint keyed_requests_pkey PRIMARY KEY (owner, key)
)
CREATE INDEX keyed_requests_to_reap ON keyed_requests USING btree (expires_at)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table letter_counts (
  tenant_id uuid not null,
  status text collate "C" not null,
  part bigint not null,
  letters bigint not null,
  constraint letter_counts_pkey PRIMARY KEY (tenant_id, status, part),
  constraint letter_counts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table letter_details (
  tenant_id uuid not null,
  letter_id uuid not null,
  sealed_details text not null,
  constraint letter_details_pkey PRIMARY KEY (tenant_id, letter_id),
  constraint letter_details_tenant_id_letter_id_fkey FOREIGN KEY (tenant_id, letter_id) REFERENCES letters(tenant_id, letter_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table letter_documents (
  tenant_id uuid not null,
  letter_id uuid not null,
  kind text collate "C" not null,
  sha256 text not null,
  size integer not null,
  sealed_key text not null,
  ciphertext bytea,
  signature text collate "C" not null,
  object_key text collate "C",
  constraint letter_documents_pkey PRIMARY KEY (tenant_id, letter_id, kind),
  constraint letter_documents_tenant_id_letter_id_fkey FOREIGN KEY (tenant_id, letter_id) REFERENCES letters(tenant_id, letter_id),
  constraint letter_documents_kind_check CHECK ((kind = ANY (ARRAY['letter'::text, 'annex'::text, 'generated'::text]))),
  constraint letter_documents_place_check CHECK ((num_nonnulls(ciphertext, object_key) = 1)),
  constraint letter_documents_signature_check CHECK ((signature = ANY (ARRAY['none'::text, 'present'::text, 'intact'::text])))
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table letter_labels (
  tenant_id uuid not null,
  letter_id uuid not null,
  key text collate "C" not null,
  value text collate "C" not null,
  created_at timestamp with time zone not null,
  status text collate "C" not null,
  constraint letter_labels_pkey PRIMARY KEY (tenant_id, letter_id, key) INCLUDE (value)
)
CREATE INDEX letter_labels_newest_first ON letter_labels USING btree (tenant_id, key, value, created_at DESC, letter_id DESC) INCLUDE (status)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table letter_moves (
  tenant_id uuid not null,
  letter_id uuid not null,
  at timestamp with time zone not null,
  move_id uuid not null,
  actor text not null,
  event text not null,
  from_status text,
  to_status text not null,
  note text,
  connection_id uuid,
  constraint letter_moves_pkey PRIMARY KEY (tenant_id, letter_id, at, move_id),
  constraint letter_moves_tenant_id_letter_id_fkey FOREIGN KEY (tenant_id, letter_id) REFERENCES letters(tenant_id, letter_id)
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table letters (
  tenant_id uuid not null,
  letter_id uuid not null,
  connector_id text not null,
  status text collate "C" not null,
  previous_status text,
  ever_connected boolean not null,
  labels jsonb not null,
  contact_info jsonb not null,
  connection_id uuid,
  observations text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  version integer not null default (0),
  status_since timestamp with time zone not null,
  client_ref text collate "C",
  constraint letters_pkey PRIMARY KEY (tenant_id, letter_id),
  constraint letters_tenant_id_client_ref_fkey FOREIGN KEY (tenant_id, client_ref) REFERENCES clients(tenant_id, client_ref) ON UPDATE CASCADE,
  constraint letters_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
CREATE INDEX letters_by_age_in_status ON letters USING btree (tenant_id, status, status_since)
CREATE INDEX letters_by_change ON letters USING btree (tenant_id, updated_at) INCLUDE (created_at, letter_id, status)
CREATE INDEX letters_by_client ON letters USING btree (tenant_id, client_ref, created_at DESC, letter_id DESC) INCLUDE (status) WHERE (client_ref IS NOT NULL)
CREATE INDEX letters_by_connector ON letters USING btree (tenant_id, connector_id, created_at DESC, letter_id DESC) INCLUDE (status)
CREATE INDEX letters_by_status ON letters USING btree (tenant_id, status, created_at DESC, letter_id DESC)
CREATE INDEX letters_by_words ON letters USING gin (letter_words(tenant_id, letter_id, connector_id, labels, contact_info, observations))
CREATE INDEX letters_connected ON letters USING btree (tenant_id, letter_id) WHERE (status = 'Connected'::text)
CREATE INDEX letters_newest_first ON letters USING btree (tenant_id, created_at DESC, letter_id DESC) INCLUDE (status)
CREATE INDEX letters_of_connection ON letters USING btree (tenant_id, connection_id) WHERE (connection_id IS NOT NULL)
CREATE INDEX letters_under_way ON letters USING btree (status, status_since, letter_id) WHERE (status <> ALL (ARRAY['Connected'::text, 'Cancelled'::text, 'Revoked'::text]))
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table mails (
  tenant_id uuid not null,
  mail_id uuid not null,
  letter_id uuid not null,
  kind text collate "C" not null,
  state text collate "C" not null,
  recipient text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  lease uuid,
  handing_over boolean not null default (false),
  attempts integer not null default (0),
  last_error text,
  settled_at timestamp with time zone,
  constraint mails_pkey PRIMARY KEY (tenant_id, mail_id),
  constraint mails_tenant_id_letter_id_fkey FOREIGN KEY (tenant_id, letter_id) REFERENCES letters(tenant_id, letter_id) ON DELETE CASCADE,
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['signature_request'::text, 'authorization_letter'::text, 'revocation_notice'::text]))),
  constraint mails_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'in_doubt'::text, 'failed'::text, 'withdrawn'::text])))
)
CREATE INDEX mails_by_id ON mails USING btree (mail_id)
CREATE INDEX mails_due ON mails USING btree (due_at) WHERE (state = 'queued'::text)
CREATE INDEX mails_newest_first ON mails USING btree (created_at DESC, mail_id DESC)
CREATE INDEX mails_of_letter ON mails USING btree (tenant_id, letter_id)
CREATE INDEX mails_to_reap ON mails USING btree (tenant_id, settled_at) WHERE (state = ANY (ARRAY['sent'::text, 'withdrawn'::text]))
CREATE INDEX mails_troubled ON mails USING btree (state, COALESCE(settled_at, created_at), mail_id) WHERE (state = ANY (ARRAY['failed'::text, 'in_doubt'::text]))
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select, update

table object_owners (
  object_id uuid not null,
  kind text not null,
  tenant_id uuid not null,
  constraint object_owners_pkey PRIMARY KEY (object_id),
  constraint object_owners_kind_check CHECK ((kind = ANY (ARRAY['connection'::text, 'letter'::text])))
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select

table orphaned_objects (
  tenant_id uuid not null,
  object_key text collate "C" not null,
  due_at timestamp with time zone not null,
  constraint orphaned_objects_pkey PRIMARY KEY (tenant_id, object_key)
)
CREATE INDEX orphaned_objects_by_due ON orphaned_objects USING btree (due_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table people (
  tenant_id uuid not null,
  person_id uuid not null,
  email text not null,
  name text not null,
  role text collate "C" not null,
  issuer text collate "C",
  subject text collate "C",
  invitation_hash text collate "C",
  invitation_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  seen_at timestamp with time zone,
  ended_at timestamp with time zone,
  let_go_at timestamp with time zone,
  constraint people_pkey PRIMARY KEY (tenant_id, person_id),
  constraint people_check CHECK (
CASE tenant_id
    WHEN '00000000-0000-0000-0000-000000000000'::uuid THEN (role = ANY (ARRAY['operator'::text, 'operator:read'::text]))
    ELSE (role = ANY (ARRAY['admin'::text, 'member'::text, 'read'::text]))
END),
  constraint people_check1 CHECK (((issuer IS NULL) = (subject IS NULL))),
  constraint people_check2 CHECK (((invitation_hash IS NULL) = (invitation_expires_at IS NULL)))
)
CREATE UNIQUE INDEX people_email ON people USING btree (tenant_id, email) WHERE (ended_at IS NULL)
CREATE UNIQUE INDEX people_identity ON people USING btree (tenant_id, issuer, subject) WHERE (ended_at IS NULL)
CREATE INDEX people_invitations ON people USING btree (invitation_expires_at) WHERE (invitation_expires_at IS NOT NULL)
CREATE INDEX people_never_here ON people USING btree (ended_at) WHERE ((joined_at IS NULL) AND (ended_at IS NOT NULL))
row-level security, forced
policy asked_for_grants for wealth_connect_auth using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation for wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select, update

table people_ceremonies (
  tenant_id uuid not null default ('00000000-0000-0000-0000-000000000000'::uuid),
  ceremony_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint people_ceremonies_pkey PRIMARY KEY (tenant_id, ceremony_id)
)
CREATE INDEX people_ceremonies_expired ON people_ceremonies USING btree (expires_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation for wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select

table people_passkeys (
  tenant_id uuid not null,
  person_id uuid not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_backed_up boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint people_passkeys_pkey PRIMARY KEY (tenant_id, credential_id),
  constraint people_passkeys_tenant_id_person_id_fkey FOREIGN KEY (tenant_id, person_id) REFERENCES people(tenant_id, person_id) ON DELETE CASCADE
)
CREATE INDEX people_passkeys_of_person ON people_passkeys USING btree (tenant_id, person_id)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation for wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table people_recovery_codes (
  tenant_id uuid not null,
  person_id uuid not null,
  code_hash text collate "C" not null,
  constraint people_recovery_codes_pkey PRIMARY KEY (tenant_id, code_hash),
  constraint people_recovery_codes_tenant_id_person_id_fkey FOREIGN KEY (tenant_id, person_id) REFERENCES people(tenant_id, person_id) ON DELETE CASCADE
)
CREATE INDEX people_recovery_codes_hash ON people_recovery_codes USING btree (code_hash)
CREATE INDEX people_recovery_codes_of_person ON people_recovery_codes USING btree (tenant_id, person_id)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation for wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select

table people_sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  session_hash text collate "C" not null,
  person_id uuid not null,
  method text collate "C" not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  provider_sid text,
  device text not null,
  id_token_hint text,
  constraint people_sessions_tenant_id_session_hash_key UNIQUE (tenant_id, session_hash),
  constraint people_sessions_pkey PRIMARY KEY (tenant_id, session_id),
  constraint people_sessions_tenant_id_person_id_fkey FOREIGN KEY (tenant_id, person_id) REFERENCES people(tenant_id, person_id) ON DELETE CASCADE,
  constraint people_sessions_method_check CHECK ((method = ANY (ARRAY['passkey'::text, 'recovery_code'::text, 'oidc'::text])))
)
CREATE INDEX people_sessions_expired ON people_sessions USING btree (expires_at)
CREATE INDEX people_sessions_of_person ON people_sessions USING btree (tenant_id, person_id)
row-level security, forced
policy asked_for_grants for wealth_connect_auth using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation for wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table people_views (
  tenant_id uuid not null,
  person_id uuid not null,
  screen text collate "C" not null,
  name text collate "C" not null,
  view jsonb not null,
  constraint people_views_pkey PRIMARY KEY (tenant_id, person_id, screen, name),
  constraint people_views_tenant_id_person_id_fkey FOREIGN KEY (tenant_id, person_id) REFERENCES people(tenant_id, person_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy installation for wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid)
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table portfolios (
  tenant_id uuid not null,
  connection_id uuid not null,
  revision bigint not null,
  ordinal integer not null,
  portfolio_id uuid not null,
  name text not null,
  balance numeric,
  currency text not null,
  ref_account text,
  type text not null,
  item text not null,
  parts uuid[],
  name_key text collate "C" not null,
  constraint portfolios_pkey PRIMARY KEY (tenant_id, connection_id, revision, ordinal)
)
CREATE INDEX portfolios_by_balance ON portfolios USING btree (tenant_id, currency, balance DESC NULLS LAST, portfolio_id, connection_id)
CREATE INDEX portfolios_by_id ON portfolios USING btree (tenant_id, portfolio_id)
CREATE INDEX portfolios_by_name ON portfolios USING btree (tenant_id, name_key, portfolio_id, connection_id)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table provider_changes (
  only_row boolean not null default (true),
  revision bigint not null default (0),
  constraint provider_changes_pkey PRIMARY KEY (only_row),
  constraint provider_changes_only_row_check CHECK (only_row)
)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: update
rights of everybody: select

table provider_circuits (
  tenant_id uuid not null,
  connector_id text collate "C" not null,
  provider text not null,
  seen_at timestamp with time zone not null,
  opened_at timestamp with time zone not null default (now()),
  constraint provider_circuits_pkey PRIMARY KEY (tenant_id, connector_id)
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table provider_slots (
  slot_key text collate "C" not null,
  turns bigint[] not null default ('{}'::bigint[]),
  last_at timestamp with time zone not null default (now()),
  constraint provider_slots_pkey PRIMARY KEY (slot_key)
)
CREATE INDEX provider_slots_by_age ON provider_slots USING btree (last_at)
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table registered_clients (
  client_id text collate "C" not null,
  client_name text,
  redirect_uris text[] not null,
  token_endpoint_auth_method text not null,
  secret_hash text,
  jwks jsonb,
  jwks_uri text,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint registered_clients_pkey PRIMARY KEY (client_id)
)
CREATE INDEX registered_clients_to_reap ON registered_clients USING btree (last_used_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table registration_tokens (
  token_id uuid not null,
  name text not null,
  token_hash text collate "C" not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint registration_tokens_token_hash_key UNIQUE (token_hash),
  constraint registration_tokens_pkey PRIMARY KEY (token_id)
)
CREATE INDEX registration_tokens_to_reap ON registration_tokens USING btree (expires_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table remembered_credentials (
  remembered_id uuid not null,
  cookie_hash text collate "C" not null,
  application_id uuid not null,
  secret_id uuid not null,
  sealed_credentials text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint remembered_credentials_cookie_hash_key UNIQUE (cookie_hash),
  constraint remembered_credentials_pkey PRIMARY KEY (remembered_id),
  constraint remembered_credentials_application_id_secret_id_fkey FOREIGN KEY (application_id, secret_id) REFERENCES application_secrets(application_id, secret_id) ON DELETE CASCADE
)
CREATE INDEX remembered_credentials_of_secret ON remembered_credentials USING btree (application_id, secret_id)
CREATE INDEX remembered_credentials_to_reap ON remembered_credentials USING btree (expires_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table replaced_transactions (
  tenant_id uuid not null,
  connection_id uuid not null,
  transaction_id uuid not null,
  revision bigint not null,
  until_revision bigint not null,
  portfolio_id uuid not null,
  holding_id uuid,
  operation_date date not null,
  description text not null,
  amount numeric,
  balance numeric,
  currency text not null,
  unit_price numeric,
  item text not null,
  facts text,
  description_key text collate "C",
  kind text,
  isin text,
  read_at timestamp with time zone not null,
  file bytea,
  place text,
  replaced_at timestamp with time zone not null,
  constraint replaced_transactions_pkey PRIMARY KEY (tenant_id, until_revision, connection_id, transaction_id),
  constraint replaced_transactions_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
CREATE INDEX replaced_transactions_of_connection ON replaced_transactions USING btree (tenant_id, connection_id, transaction_id, until_revision DESC)
CREATE INDEX replaced_transactions_to_reap ON replaced_transactions USING btree (tenant_id, replaced_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table replaced_valuations (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  day date not null,
  stated_at timestamp with time zone not null,
  balance numeric,
  currency text not null,
  value jsonb,
  items text,
  source jsonb not null,
  came_at timestamp with time zone not null,
  places text,
  replaced_at timestamp with time zone not null default (now()),
  constraint replaced_valuations_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id, day, came_at)
)
CREATE INDEX replaced_valuations_to_reap ON replaced_valuations USING btree (tenant_id, replaced_at)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table schema_migrations (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default (now()),
  constraint schema_migrations_pkey PRIMARY KEY (number)
)
rights of everybody: select

table server_keys (
  name text collate "C" not null,
  sealed text not null,
  active_from timestamp with time zone,
  constraint server_keys_pkey PRIMARY KEY (name)
)
rights of wealth_connect_auth: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table session_links (
  link_hash text collate "C" not null,
  tenant_id uuid not null,
  session_id uuid not null,
  constraint session_links_pkey PRIMARY KEY (link_hash)
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select

table sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  application_id text not null,
  status text not null,
  error_code text,
  connector_id text,
  connection_id uuid,
  relogin boolean not null,
  connector_filter jsonb,
  redirect_url text,
  labels jsonb not null,
  language text not null,
  privacy_notice text,
  link_hash text not null,
  sealed_link text,
  owner_hash text,
  challenge jsonb,
  sealed_state text,
  attempts integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  version integer not null,
  finished boolean not null generated as (starts_with(status, 'Finished:'::text)),
  look_after timestamp with time zone,
  working_until timestamp with time zone,
  remark text,
  language_given boolean,
  callback_hash text collate "C",
  restarts integer not null default (0),
  sealed_challenge text,
  session_bytes integer not null default (0),
  opened_at timestamp with time zone,
  client_ref text collate "C",
  sealed_accesses text,
  constraint sessions_pkey PRIMARY KEY (tenant_id, session_id),
  constraint sessions_tenant_id_client_ref_fkey FOREIGN KEY (tenant_id, client_ref) REFERENCES clients(tenant_id, client_ref) ON UPDATE CASCADE,
  constraint sessions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
CREATE INDEX sessions_by_callback ON sessions USING btree (callback_hash) WHERE (callback_hash IS NOT NULL)
CREATE INDEX sessions_by_client ON sessions USING btree (tenant_id, client_ref) WHERE (client_ref IS NOT NULL)
CREATE INDEX sessions_of_connection ON sessions USING btree (tenant_id, connection_id) WHERE (connection_id IS NOT NULL)
CREATE INDEX sessions_to_expire ON sessions USING btree (tenant_id, expires_at) WHERE (NOT finished)
CREATE INDEX sessions_to_poll ON sessions USING btree (tenant_id, look_after) WHERE ((status = 'Waiting:Challenge'::text) AND (look_after IS NOT NULL))
CREATE INDEX sessions_to_reap ON sessions USING btree (tenant_id, updated_at) WHERE finished
CREATE INDEX sessions_with_accesses ON sessions USING btree (tenant_id, session_id) WHERE (sealed_accesses IS NOT NULL)
CREATE INDEX sessions_worked_on ON sessions USING btree (tenant_id, working_until) WHERE (working_until IS NOT NULL)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table signing_keys (
  kid text collate "C" not null,
  algorithm text not null,
  public_jwk jsonb not null,
  sealed_private_key text not null,
  created_at timestamp with time zone not null,
  signs_from timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (kid)
)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table snapshots (
  tenant_id uuid not null,
  connection_id uuid not null,
  product text collate "C" not null,
  revision bigint not null,
  until_revision bigint,
  as_of timestamp with time zone not null,
  stale_at timestamp with time zone,
  oldest_day date,
  newest_day date,
  replaced_at timestamp with time zone,
  row_count integer not null,
  totals jsonb not null,
  digest text,
  constraint snapshots_pkey PRIMARY KEY (tenant_id, connection_id, product, revision),
  constraint snapshots_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id),
  constraint snapshots_product_check CHECK ((product = ANY (ARRAY['portfolio'::text, 'investment'::text, 'transaction'::text])))
)
CREATE INDEX snapshots_by_age ON snapshots USING btree (tenant_id, product, as_of) WHERE ((until_revision IS NULL) AND (row_count >= 0))
CREATE INDEX snapshots_by_newest_day ON snapshots USING btree (tenant_id, newest_day) WHERE ((until_revision IS NULL) AND (newest_day IS NOT NULL))
CREATE INDEX snapshots_by_oldest_day ON snapshots USING btree (tenant_id, oldest_day) WHERE ((until_revision IS NULL) AND (oldest_day IS NOT NULL))
CREATE INDEX snapshots_overdue ON snapshots USING btree (tenant_id, product, stale_at) WHERE ((until_revision IS NULL) AND (stale_at IS NOT NULL) AND (row_count >= 0))
CREATE INDEX snapshots_to_reap ON snapshots USING btree (tenant_id, replaced_at) WHERE (replaced_at IS NOT NULL)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table tenant_limits (
  tenant_id uuid not null,
  name text collate "C" not null,
  value bigint not null,
  constraint tenant_limits_pkey PRIMARY KEY (tenant_id, name),
  constraint tenant_limits_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE,
  constraint tenant_limits_value_check CHECK ((value >= 0))
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table tenant_logos (
  tenant_id uuid not null,
  sha256 text collate "C" not null,
  media_type text not null,
  width integer not null,
  height integer not null,
  content bytea not null,
  constraint tenant_logos_pkey PRIMARY KEY (tenant_id),
  constraint tenant_logos_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE,
  constraint tenant_logos_media_type_check CHECK ((media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text])))
)
CREATE INDEX tenant_logos_by_hash ON tenant_logos USING btree (sha256)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select

table tenant_provider_settings (
  tenant_id uuid not null,
  provider text collate "C" not null,
  sealed_settings text not null,
  changed_at timestamp with time zone not null,
  constraint tenant_provider_settings_pkey PRIMARY KEY (tenant_id, provider),
  constraint tenant_provider_settings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

table tenant_revisions (
  tenant_id uuid not null,
  revision bigint not null default (0),
  pruned_revision bigint not null default (0),
  counts jsonb,
  counted_revision bigint,
  months_kept_on date not null default ('-infinity'::date),
  months_kept_connection uuid,
  months_kept_portfolio uuid,
  constraint tenant_revisions_pkey PRIMARY KEY (tenant_id),
  constraint tenant_revisions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id)
)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert

table tenant_usage (
  tenant_id uuid not null,
  document_bytes bigint not null default (0),
  clients bigint not null default (0),
  constraint tenant_usage_pkey PRIMARY KEY (tenant_id),
  constraint tenant_usage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table tenants (
  tenant_id uuid not null,
  name text not null,
  name_key text not null,
  created_at timestamp with time zone not null,
  display_name text,
  legal_name text,
  postal_address text[],
  privacy_url text,
  support_contact text,
  constraint tenants_name_key_key UNIQUE (name_key),
  constraint tenants_pkey PRIMARY KEY (tenant_id)
)
row-level security, forced
policy all_tenants for wealth_connect_auth, wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: select
rights of wealth_connect_auth: select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: insert, select

table transaction_references (
  tenant_id uuid not null,
  connection_id uuid not null,
  reference uuid not null,
  statement_id uuid not null,
  constraint transaction_references_pkey PRIMARY KEY (tenant_id, connection_id, reference, statement_id),
  constraint transaction_references_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table transaction_statements (
  tenant_id uuid not null,
  connection_id uuid not null,
  statement_id uuid not null,
  arrival bigint not null,
  content text not null,
  constraint transaction_statements_pkey PRIMARY KEY (tenant_id, connection_id, statement_id),
  constraint transaction_statements_tenant_id_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections(tenant_id, connection_id) ON DELETE CASCADE
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table transactions (
  tenant_id uuid not null,
  connection_id uuid not null,
  transaction_id uuid not null,
  revision bigint not null,
  portfolio_id uuid not null,
  holding_id uuid,
  operation_date date not null,
  description text not null,
  amount numeric,
  balance numeric,
  currency text not null,
  unit_price numeric,
  item text not null,
  facts text,
  description_key text collate "C",
  kind text,
  isin text,
  read_at timestamp with time zone not null,
  file bytea,
  place text,
  constraint transactions_pkey PRIMARY KEY (tenant_id, connection_id, transaction_id)
)
CREATE INDEX transactions_by_balance ON transactions USING btree (tenant_id, currency, balance DESC NULLS LAST, transaction_id, connection_id)
CREATE INDEX transactions_by_read ON transactions USING btree (tenant_id, connection_id, read_at)
CREATE INDEX transactions_newest_first ON transactions USING btree (tenant_id, operation_date DESC, transaction_id DESC, connection_id)
CREATE INDEX transactions_of_connection ON transactions USING btree (tenant_id, connection_id, operation_date DESC, transaction_id DESC)
CREATE INDEX transactions_of_holding ON transactions USING btree (tenant_id, holding_id, operation_date DESC, transaction_id DESC) WHERE (holding_id IS NOT NULL)
CREATE INDEX transactions_of_isin ON transactions USING btree (tenant_id, isin, operation_date DESC) WHERE (isin IS NOT NULL)
CREATE INDEX transactions_of_kind ON transactions USING btree (tenant_id, kind, operation_date DESC) WHERE (kind IS NOT NULL)
CREATE INDEX transactions_with_income ON transactions USING btree (tenant_id, connection_id, portfolio_id) WHERE (kind = ANY (ARRAY['dividend'::text, 'coupon'::text]))
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table trusted_issuers (
  issuer text collate "C" not null,
  trust_id uuid not null,
  tenant_id uuid,
  jwks_uri text,
  jwks jsonb,
  algorithms text[] not null,
  client_ids text[] not null,
  takes_public_clients boolean not null,
  max_assertion_seconds integer not null,
  token_seconds integer not null,
  rules jsonb not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  constraint trusted_issuers_trust_id_key UNIQUE (trust_id),
  constraint trusted_issuers_pkey PRIMARY KEY (issuer),
  constraint trusted_issuers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(tenant_id) ON DELETE CASCADE
)
CREATE INDEX trusted_issuers_of_tenant ON trusted_issuers USING btree (tenant_id)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table used_assertions (
  client_id text collate "C" not null,
  jti text collate "C" not null,
  expires_at timestamp with time zone not null,
  constraint used_assertions_pkey PRIMARY KEY (client_id, jti)
)
CREATE INDEX used_assertions_to_reap ON used_assertions USING btree (expires_at)
rights of wealth_connect_auth: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table valuations (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  day date not null,
  stated_at timestamp with time zone not null,
  arrival bigint not null,
  balance numeric,
  currency text not null,
  value jsonb,
  content uuid,
  source jsonb not null,
  came_at timestamp with time zone not null default (now()),
  places text,
  constraint valuations_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id, day)
)
CREATE INDEX valuations_by_day ON valuations USING btree (tenant_id, day)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table valued_accounts (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  ordinal integer not null,
  name text not null,
  ref_account text,
  currency text not null,
  type text not null,
  is_cash boolean not null,
  lists_securities boolean not null,
  lists_cash boolean not null,
  content uuid,
  value jsonb,
  revision bigint,
  constraint valued_accounts_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id)
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table valued_holdings (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  content uuid not null,
  first_day date not null,
  last_day date not null,
  items text not null,
  sums text not null,
  constraint valued_holdings_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id, content)
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table valued_months (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  first_day date not null,
  until date not null,
  closes text not null,
  constraint valued_months_pkey PRIMARY KEY (tenant_id, connection_id, portfolio_id)
)
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: delete, select
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table webhook_deliveries (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  delivery_id uuid not null default (gen_random_uuid()),
  state text collate "C" not null,
  attempts integer not null default (0),
  due_at timestamp with time zone,
  attempted_at timestamp with time zone,
  status integer,
  ms integer,
  error text,
  answer text,
  constraint webhook_deliveries_pkey PRIMARY KEY (tenant_id, endpoint_id, sequence),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'withdrawn'::text])))
)
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (tenant_id, endpoint_id, due_at, sequence) WHERE (state = 'pending'::text)
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries USING btree (tenant_id, endpoint_id, state, sequence) WHERE (state = ANY (ARRAY['failed'::text, 'withdrawn'::text]))
row-level security, forced
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update

table webhook_endpoints (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  types text[] not null,
  labels text[] not null,
  description text,
  is_enabled boolean not null,
  disabled_reason text collate "C",
  disabled_at timestamp with time zone,
  sealed_secret text,
  sealed_previous_secret text,
  previous_until timestamp with time zone,
  sealed_earlier_secret text,
  earlier_until timestamp with time zone,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  failing_since timestamp with time zone,
  delivered_at timestamp with time zone,
  due_at timestamp with time zone,
  not_before timestamp with time zone,
  lease uuid,
  lease_until timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_failed_status integer,
  last_failed_error text,
  is_proven boolean not null default (false),
  constraint webhook_endpoints_pkey PRIMARY KEY (tenant_id, endpoint_id),
  constraint webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['request'::text, 'gone'::text, 'failing'::text])))
)
CREATE INDEX webhook_endpoints_by_time ON webhook_endpoints USING btree (is_proven, due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX webhook_endpoints_due ON webhook_endpoints USING btree (is_proven, tenant_id, due_at) WHERE (due_at IS NOT NULL)
CREATE INDEX webhook_endpoints_given_up ON webhook_endpoints USING btree (disabled_at, endpoint_id) WHERE ((NOT is_enabled) AND (disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text])) AND (removed_at IS NULL))
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
policy own_tenant for wealth_connect_app using (tenant_id = (current_setting('wealth_connect.tenant'::text))::uuid)
rights of wealth_connect_app: insert, select, update
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: select

table work_marks (
  tenant_id uuid not null,
  kind text collate "C" not null,
  subject_id text collate "C" not null,
  owner_id text collate "C",
  snoozed_until timestamp with time zone,
  reason text,
  cause text collate "C",
  version integer not null,
  changed_at timestamp with time zone not null,
  constraint work_marks_pkey PRIMARY KEY (tenant_id, kind, subject_id),
  constraint work_marks_check CHECK ((num_nulls(snoozed_until, reason, cause) = ANY (ARRAY[0, 3]))),
  constraint work_marks_check1 CHECK ((num_nonnulls(owner_id, snoozed_until) > 0))
)
CREATE INDEX work_marks_of_owner ON work_marks USING btree (tenant_id, owner_id) WHERE (owner_id IS NOT NULL)
row-level security, forced
policy all_tenants for wealth_connect_upkeep using true
policy backup for wealth_connect_backup using true
policy clean_up for wealth_connect_cleanup using true
rights of wealth_connect_backup: select
rights of wealth_connect_cleanup: delete, insert, select, update
rights of wealth_connect_upkeep: delete, insert, select, update

type data_part (
  tenant_revision bigint,
  pruned_revision bigint,
  parent_known boolean,
  connection_id uuid,
  bank text,
  as_of text,
  pending boolean,
  blocked boolean,
  errored boolean,
  row_count bigint,
  totals jsonb,
  items text,
  overdue boolean,
  oldest text,
  newest text,
  groups jsonb
)

type data_part_of_all (
  tenant_revision bigint,
  pruned_revision bigint,
  parent_known boolean,
  connection_id uuid,
  bank text,
  as_of text,
  pending boolean,
  blocked boolean,
  errored boolean,
  row_count bigint,
  totals jsonb,
  items text,
  overdue boolean,
  oldest text,
  newest text,
  groups jsonb,
  unlisted bigint
)

type page_row (
  item text,
  facts text,
  connection_id uuid,
  portfolio_id uuid,
  holding_id uuid
)

CREATE OR REPLACE FUNCTION added_totals(p_totals jsonb, p_more jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(jsonb_object_agg(t.key, t.value), '{}')
  from (
    select e.key, sum(e.value::numeric)::text as value
    from (select * from jsonb_each_text(p_totals) union all select * from jsonb_each_text(p_more)) e
    group by e.key
  ) t
$function$

CREATE OR REPLACE FUNCTION answer_request(p_answer jsonb)
 RETURNS TABLE(decision text, is_first boolean, is_settled boolean)
 LANGUAGE plpgsql
AS $function$
declare
  asked authorization_answers := jsonb_populate_record(null::authorization_answers, p_answer);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if asked.decision = 'approved' and not (case
    when asked.person_id is null then may_grant(asked.application_id, asked.secret_id, asked.client_id)
    else may_grant_person(
      asked.tenant_id, asked.application_id, asked.person_id, asked.client_id,
      p_answer -> 'person' ->> 'role', (p_answer -> 'person' ->> 'session_id')::uuid
    )
  end) then
    return query select 'not_allowed'::text, false, false;
    return;
  end if;
  asked.is_limited := jsonb_typeof(p_answer -> 'client_refs') = 'array';
  insert into authorization_answers values (asked.*) on conflict (request_id) do nothing;
  is_first := found;
  if is_first and asked.is_limited then
    perform set_config('role', 'wealth_connect_upkeep', true);
    perform limit_approval(asked.tenant_id, asked.request_id, array(select jsonb_array_elements_text(p_answer -> 'client_refs')));
    perform set_config('role', 'wealth_connect_auth', true);
  end if;
  return query select a.decision, is_first, a.redeemed_as is not null or coalesce(a.code_hash <> asked.code_hash, false) from authorization_answers a where a.request_id = asked.request_id;
end
$function$

CREATE OR REPLACE FUNCTION audit_line_text(l audit_log)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select '["' || l.audit_id || '",' || coalesce('"' || l.tenant_id || '"', 'null')
    || ',"' || to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '",' || to_json(l.actor)
    || ',' || to_json(l.action) || ',' || to_json(l.object_type) || ',' || to_json(l.object_id)
    || ',' || coalesce(to_json(l.trace_id)::text, 'null') || ',' || coalesce(to_json(l.address)::text, 'null')
    || ',[' || coalesce((
      select string_agg('[' || to_json(f.key) || ',' || f.value || ']', ',' order by f.key collate "C")
      from jsonb_each(l.facts) f
    ), '') || ']]'
$function$

CREATE OR REPLACE FUNCTION audit_link(p_previous bytea, p_sequence bigint, p_refused_at timestamp with time zone, p_content bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(convert_to(
    encode(p_previous, 'hex') || ' ' || p_sequence
      || ' ' || coalesce(to_char(p_refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '-')
      || ' ' || encode(p_content, 'hex'),
    'UTF8'
  ))
$function$

CREATE OR REPLACE FUNCTION bank_names(p_tenant uuid)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  return query select distinct c.bank from connections c where c.tenant_id = p_tenant;
end
$function$

CREATE OR REPLACE FUNCTION begin_publication(p_tenant uuid, p_connection uuid, p_published_at timestamp with time zone, p_products text[], p_stale_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS TABLE(revision bigint, replaced jsonb)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  update tenant_revisions t set revision = t.revision + 1 where t.tenant_id = p_tenant returning t.revision into strict revision;
  perform from connections c where c.tenant_id = p_tenant and c.connection_id = p_connection;
  if not found then
    raise exception 'there is no connection %', p_connection using errcode = 'foreign_key_violation';
  end if;
  with ended as (
    update snapshots s set until_revision = begin_publication.revision, replaced_at = p_published_at
    where s.tenant_id = p_tenant and s.connection_id = p_connection and s.product = any (p_products) and s.until_revision is null
    returning s.product, s.revision, s.row_count, s.totals, s.as_of, s.stale_at
  )
  select coalesce(jsonb_object_agg(e.product, jsonb_build_object(
    'revision', e.revision::text, 'row_count', e.row_count, 'totals', e.totals, 'as_of', e.as_of, 'stale_at', e.stale_at
  )), '{}')
  into replaced from ended e;
  if p_stale_at is not null then
    update snapshots s set stale_at = p_stale_at
    where s.tenant_id = p_tenant and s.connection_id = p_connection and s.until_revision is null and s.stale_at < p_stale_at;
  end if;
  return next;
end
$function$

CREATE OR REPLACE FUNCTION claim_whole_statements(p_now timestamp with time zone, p_until timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, connection_id uuid, statement text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with ends as (
    select p.tenant_id, p.connection_id, p.statement, min(p.page) filter (where p.is_last) as last_page
    from feed_pages p
    group by p.tenant_id, p.connection_id, p.statement
    having max(p.finish_at) <= p_now
  ), whole as (
    select e.tenant_id, e.connection_id, e.statement
    from ends e
    where e.last_page = (
      select count(*) from feed_pages p
      where p.tenant_id = e.tenant_id and p.connection_id = e.connection_id and p.statement = e.statement and p.page <= e.last_page
    )
    order by e.tenant_id, e.connection_id, e.statement
    limit p_limit
  ), free as (
    select p.tenant_id, p.connection_id, p.statement, p.page
    from feed_pages p join whole w using (tenant_id, connection_id, statement)
    where p.finish_at is null or p.finish_at <= p_now
    for update of p skip locked
  ), mine as (
    update feed_pages p set finish_at = p_until
    from free f
    where p.tenant_id = f.tenant_id and p.connection_id = f.connection_id and p.statement = f.statement and p.page = f.page
    returning p.tenant_id, p.connection_id, p.statement
  )
  select distinct m.tenant_id, m.connection_id, m.statement from mine m
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION clear_ended_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Offers no bank. Null would mean that the program had chosen the bank.
  if new.connector_filter is not null then
    new.connector_filter := '{"rules": [{"action": "exclude", "field": "connector_id", "value": "*"}]}';
  end if;
  new.labels := '{}';
  new.privacy_notice := null;
  new.session_bytes := 0;
  return new;
end
$function$

CREATE OR REPLACE FUNCTION client_words(p_tenant uuid, p_search_key text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (array_to_tsvector(ARRAY[('/'::text || p_tenant)]) || to_tsvector('simple'::regconfig, translate(p_search_key, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text, repeat(' '::text, 32))))

CREATE OR REPLACE FUNCTION clients_in_limit(p_tenant uuid, p_holder uuid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select array(select l.client_ref from client_limits l where l.tenant_id = p_tenant and l.holder_id = p_holder order by l.client_ref)
$function$

CREATE OR REPLACE FUNCTION clients_of_application(p_application uuid)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  application applications;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select * into application from applications a where a.application_id = p_application;
  return case
    when not found then '{}'
    when application.limited then clients_in_limit(application.tenant_id, p_application)
  end;
end
$function$

CREATE OR REPLACE FUNCTION clients_of_grant(p_grant uuid)
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
declare
  kept grants;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select * into kept from grants g where g.grant_id = p_grant;
  return case when not found then '{}' when kept.is_limited then clients_in_limit(kept.tenant_id, p_grant) end;
end
$function$

CREATE OR REPLACE FUNCTION confirm_snapshots(p_tenant uuid, p_connection uuid, p_as_of timestamp with time zone, p_stale_at timestamp with time zone, p_digests jsonb, p_valued json)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  confirmed integer;
begin
  update snapshots s set as_of = p_as_of, stale_at = p_stale_at
  from jsonb_each_text(p_digests) d
  where s.tenant_id = p_tenant and s.connection_id = p_connection and s.until_revision is null
    and s.product = d.key and s.digest = d.value;
  get diagnostics confirmed = row_count;
  if confirmed <> (select count(*) from jsonb_object_keys(p_digests)) then
    return false;
  end if;
  if p_valued is not null then
    perform store_valuations(p_tenant, p_connection, p_valued);
  end if;
  return true;
end
$function$

CREATE OR REPLACE FUNCTION connections_of_clients(p_tenant uuid, p_clients text[], p_connections uuid[])
 RETURNS TABLE(unknown_clients text[], unknown_connections uuid[], connection_ids uuid[])
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  return query select
    array(
      select asked.client_ref from unnest(p_clients) with ordinality asked (client_ref, place)
      where not exists (select from clients k where k.tenant_id = p_tenant and k.client_ref = asked.client_ref)
      order by asked.place
    ),
    array(
      select asked.connection_id from unnest(p_connections) with ordinality asked (connection_id, place)
      where not exists (select from connections c where c.tenant_id = p_tenant and c.connection_id = asked.connection_id)
      order by asked.place
    ),
    array(
      select c.connection_id from connections c
      where c.tenant_id = p_tenant and c.client_ref = any (p_clients)
        and (p_connections is null or c.connection_id = any (p_connections))
      order by c.created_at, c.connection_id
    );
end
$function$

CREATE OR REPLACE FUNCTION count_clients()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    update tenant_usage u set clients = u.clients - c.clients
    from (select tenant_id, count(*) as clients from changed group by tenant_id) c where c.tenant_id = u.tenant_id;
  else
    insert into tenant_usage as used (tenant_id, clients) select tenant_id, count(*) from changed group by tenant_id
    on conflict (tenant_id) do update set clients = used.clients + excluded.clients;
  end if;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION count_document_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    update tenant_usage set document_bytes = document_bytes - old.size where tenant_id = old.tenant_id;
  else
    insert into tenant_usage as used (tenant_id, document_bytes) values (new.tenant_id, new.size)
    on conflict (tenant_id) do update set document_bytes = used.document_bytes + excluded.document_bytes;
  end if;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION count_letters_of_all(p_tenant uuid)
 RETURNS TABLE(status text, letters bigint, oldest_since timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
  select kept.status, sum(kept.letters)::bigint, min(first.status_since)
  from (
    select c.tenant_id, c.status, sum(c.letters) as letters
    from letter_counts c
    where p_tenant is null or c.tenant_id = p_tenant
    group by c.tenant_id, c.status
    having sum(c.letters) > 0
  ) kept
  cross join lateral (
    select l.status_since from letters l
    where l.tenant_id = kept.tenant_id and l.status = kept.status
    order by l.status_since
    limit 1
  ) first
  group by kept.status
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION count_moved_letters()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into letter_counts (tenant_id, status, letters)
  select tenant_id, status, sum(change)
  from (
    select tenant_id, status, 1 as change from after_move
    union all select tenant_id, status, -1 from before_move
  ) changes
  group by tenant_id, status
  having sum(change) <> 0;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION count_new_letters()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into letter_counts (tenant_id, status, letters)
  select tenant_id, status, count(*) from added group by tenant_id, status;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION count_people(p_at timestamp with time zone, p_seen_after timestamp with time zone)
 RETURNS TABLE(role text, state text, people bigint, with_one_passkey bigint, sessions bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
  select p.role, case when p.joined_at is null then 'invited' else 'active' end, count(*),
    count(*) filter (where p.joined_at is not null and p.issuer is null and coalesce(k.passkeys, 0) < 2),
    coalesce(sum(s.sessions), 0)::bigint
  from people p
  left join (select tenant_id, person_id, count(*) as passkeys from people_passkeys group by tenant_id, person_id) k
    using (tenant_id, person_id)
  left join (
    select tenant_id, person_id, count(*) as sessions from people_sessions
    where expires_at > p_at and seen_at > p_seen_after
    group by tenant_id, person_id
  ) s using (tenant_id, person_id)
  where p.ended_at is null
  group by 1, 2
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION count_provider_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update provider_changes set revision = revision + 1;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION count_sealed_values()
 RETURNS TABLE(place text, key_id text, value_count bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.place, sealing_key_id(s.sealed), count(*)
  from (
    select 'server_keys.sealed' as place, sealed from server_keys
    union all select 'signing_keys.sealed_private_key', sealed_private_key from signing_keys
    union all select 'remembered_credentials.sealed_credentials', sealed_credentials from remembered_credentials
    union all select 'installation_provider_settings.sealed_settings', sealed_settings from installation_provider_settings
    union all select 'feed_sources.sealed_settings', sealed_settings from feed_sources
    union all select 'feed_held.sealed_key', sealed_key from feed_held
    union all select 'feed_held.sealed_findings', sealed_findings from feed_held
    union all select 'feed_keys.sealed_private_key', sealed_private_key from feed_keys
    union all select 'tenant_provider_settings.sealed_settings', sealed_settings from tenant_provider_settings
    union all select 'connections.sealed_access', sealed_access from connections
    union all select 'connection_refreshes.sealed_pending', sealed_pending from connection_refreshes
    union all select 'sessions.sealed_link', sealed_link from sessions
    union all select 'sessions.sealed_state', sealed_state from sessions
    union all select 'sessions.sealed_challenge', sealed_challenge from sessions
    union all select 'sessions.sealed_accesses', sealed_accesses from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
    union all select 'webhook_endpoints.sealed_secret', sealed_secret from webhook_endpoints
    union all select 'webhook_endpoints.sealed_previous_secret', sealed_previous_secret from webhook_endpoints
    union all select 'webhook_endpoints.sealed_earlier_secret', sealed_earlier_secret from webhook_endpoints
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION count_unless_full(p_client_ids text[], p_prefixes text[], p_limits integer[], p_seconds integer[], p_at timestamp with time zone)
 RETURNS TABLE(bucket integer, until timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
declare
  place integer;
  counted guess_counts;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select asked.place, kept.window_ends_at into bucket, until
  from unnest(p_client_ids, p_prefixes, p_limits) with ordinality asked (client_id, address_prefix, most, place)
  join guess_counts kept using (client_id, address_prefix)
  where kept.window_ends_at > p_at and kept.failures >= asked.most
  order by kept.window_ends_at desc limit 1;
  if found then
    return next;
    return;
  end if;
  -- If a bucket was filled meanwhile, the increments of the others are rolled back.
  begin
    -- In one order for all callers, so that calls that touch the same buckets cannot deadlock.
    for place in
      select asked.place from unnest(p_client_ids, p_prefixes) with ordinality asked (client_id, address_prefix, place)
      order by asked.client_id collate "C", asked.address_prefix collate "C"
    loop
      insert into guess_counts as c values (p_client_ids[place], p_prefixes[place], 1, p_at + make_interval(secs => p_seconds[place]))
      on conflict (client_id, address_prefix) do update set
        failures = case when c.window_ends_at > p_at then c.failures + 1 else 1 end,
        window_ends_at = case when c.window_ends_at > p_at then c.window_ends_at else excluded.window_ends_at end
      returning c.* into counted;
      if counted.failures > p_limits[place] then
        raise exception using errcode = 'WC001';
      end if;
    end loop;
  exception when sqlstate 'WC001' then
    bucket := place;
    until := counted.window_ends_at;
    return next;
  end;
end
$function$

CREATE OR REPLACE FUNCTION counted_parts(p_tenant uuid, p_now timestamp with time zone, p_product text, p_items text)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  counted record;
  ages record;
  told data_part_of_all[];
begin
  select t.revision, t.pruned_revision, t.counts -> p_product -> 'sums' as sums,
    coalesce((t.counts -> p_product ->> 'rows')::bigint, 0) as row_count,
    (select count(*) from connections c where c.tenant_id = p_tenant) as connections,
    coalesce((t.counts -> p_product ->> 'snapshots')::bigint, 0) as snapshots
  into counted
  from tenant_revisions t
  where t.tenant_id = p_tenant;
  told := array(
    select (
      counted.revision, counted.pruned_revision, null, s.connection_id, s.bank, s.as_of, s.pending, s.blocked, s.errored, 0, null, null,
      s.overdue, null, null, null, 0
    )::data_part_of_all
    from sources_to_report(p_tenant, p_now, p_product, counted.connections - counted.snapshots) s
  );
  select * into ages from data_ages(p_tenant, p_product);
  return next (
    counted.revision, counted.pruned_revision, null, null, null, null, null, null, null, counted.row_count,
    (select jsonb_object_agg(t.name, t.total::text) from stored_totals(counted.sums) t),
    p_items, null, ages.oldest, ages.newest, null, counted.connections - cardinality(told)
  )::data_part_of_all;
  return query select * from unnest(told);
end
$function$

CREATE OR REPLACE FUNCTION counts_after(p_counts jsonb, p_before jsonb, p_now jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_build_object(
    'snapshots', coalesce((p_counts ->> 'snapshots')::bigint, 0) + 1 - (p_before is not null)::integer,
    'rows', coalesce((p_counts ->> 'rows')::bigint, 0) + (p_now ->> 'row_count')::bigint - coalesce((p_before ->> 'row_count')::bigint, 0),
    'sums', coalesce(jsonb_object_agg(by_currency.currency, by_currency.by_digits), '{}')
  )
  from (
    select d.currency, jsonb_object_agg(d.digits, jsonb_build_object('snapshots', d.snapshots, 'balance', d.balance::text)) as by_digits
    from (
      select s.currency, s.digits, sum(s.snapshots) as snapshots, sum(s.balance) as balance
      from (
        select c.key as currency, b.key::integer as digits, (b.value ->> 'snapshots')::bigint as snapshots,
          (b.value ->> 'balance')::numeric as balance
        from jsonb_each(p_counts -> 'sums') c cross join jsonb_each(c.value) b
        union all
        select n.key, scale(n.value::numeric), 1, n.value::numeric from jsonb_each_text(p_now -> 'totals') n
        union all
        select o.key, scale(o.value::numeric), -1, -o.value::numeric from jsonb_each_text(p_before -> 'totals') o
      ) s
      group by s.currency, s.digits
      having sum(s.snapshots) <> 0
    ) d
    group by d.currency
  ) by_currency
$function$

CREATE OR REPLACE FUNCTION counts_of_all(p_tenant uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  with latest as (
    select product, row_count, totals from snapshots where tenant_id = p_tenant and until_revision is null
  ), sums as (
    select by_currency.product, jsonb_object_agg(by_currency.currency, by_currency.by_digits) as sums
    from (
      select b.product, b.currency,
        jsonb_object_agg(b.digits, jsonb_build_object('snapshots', b.snapshots, 'balance', b.balance::text)) as by_digits
      from (
        select l.product, e.key as currency, scale(e.value::numeric) as digits, count(*) as snapshots, sum(e.value::numeric) as balance
        from latest l cross join jsonb_each_text(l.totals) e
        group by l.product, e.key, digits
      ) b
      group by b.product, b.currency
    ) by_currency
    group by by_currency.product
  )
  select coalesce(
    jsonb_object_agg(
      l.product, jsonb_build_object('snapshots', l.snapshots, 'rows', l.row_count, 'sums', coalesce(s.sums, '{}'))
    ), '{}')
  from (select product, count(*) as snapshots, sum(row_count) as row_count from latest group by product) l
  left join sums s on s.product = l.product
$function$

CREATE OR REPLACE FUNCTION cut_off_logins(p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, session_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id from sessions c
    where c.tenant_id = t.tenant_id and c.working_until <= p_now and starts_with(c.status, 'Processing:') and c.expires_at > p_now
    limit p_limit
  ) s
  limit p_limit
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION data_ages(p_tenant uuid, p_product text)
 RETURNS TABLE(oldest text, newest text)
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if p_product = 'investment' then
    select to_char(s.oldest_day, 'YYYY-MM-DD') into oldest from snapshots s
    where s.tenant_id = p_tenant and s.until_revision is null and s.oldest_day is not null order by s.oldest_day limit 1;
    select to_char(s.newest_day, 'YYYY-MM-DD') into newest from snapshots s
    where s.tenant_id = p_tenant and s.until_revision is null and s.newest_day is not null order by s.newest_day desc limit 1;
  else
    select to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') into oldest from snapshots s
    where s.tenant_id = p_tenant and s.product = p_product and s.until_revision is null and s.row_count >= 0
    order by s.as_of limit 1;
    select to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') into newest from snapshots s
    where s.tenant_id = p_tenant and s.product = p_product and s.until_revision is null and s.row_count >= 0
    order by s.as_of desc limit 1;
  end if;
  return next;
end
$function$

CREATE OR REPLACE FUNCTION data_sources(p_tenant uuid, p_connections uuid[], p_product text, p_revision bigint)
 RETURNS TABLE(tenant_revision bigint, pruned_revision bigint, connection_id uuid, created_at timestamp with time zone, bank text, as_of text, pending boolean, blocked boolean, errored boolean, revision bigint, row_count integer, totals jsonb, stale_at timestamp with time zone, oldest_day date, newest_day date, client_ref text)
 LANGUAGE sql
 STABLE
AS $function$
  select
    t.revision, t.pruned_revision, c.connection_id, c.created_at, c.bank,
    to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.pending, c.needs_relogin,
    case p_product
      when 'portfolio' then c.portfolio_errored
      when 'investment' then c.investment_errored
      else c.transaction_errored
    end,
    s.revision, coalesce(s.row_count, 0), s.totals, s.stale_at, s.oldest_day, s.newest_day, c.client_ref
  from tenant_revisions t
  cross join (
    select * from connections where tenant_id = p_tenant and p_connections is null
    union all
    select known.*
    from unnest(p_connections) asked (connection_id)
    join connections known on known.tenant_id = p_tenant and known.connection_id = asked.connection_id
  ) c
  left join lateral (
    -- Snapshots of a product follow each other without a gap, so one index lookup per connection finds it, at any size.
    select * from snapshots
    where tenant_id = p_tenant and connection_id = c.connection_id and product = p_product
      and snapshots.revision <= coalesce(p_revision, t.revision)
    order by snapshots.revision desc
    limit 1
  ) s on true
  where t.tenant_id = p_tenant
$function$

CREATE OR REPLACE FUNCTION end_person_grants()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  at timestamptz := case when new.let_go_at is distinct from old.let_go_at then new.let_go_at else coalesce(new.ended_at, now()) end;
  reason_before text := coalesce(current_setting('wealth_connect.grant_end', true), '');
begin
  delete from authorization_answers a where a.tenant_id = new.tenant_id and a.person_id = new.person_id and a.redeemed_as is null;
  perform set_config('wealth_connect.grant_end', case when new.role <> old.role then 'role_changed' else 'person_removed' end, true);
  with dying as (
    select g.grant_id from grants g
    where g.tenant_id = new.tenant_id and g.person_id = new.person_id and g.ended_at is null
    order by g.grant_id for update
  )
  update grants g set ended_at = at, ended_by = pg_current_xact_id() from dying where g.grant_id = dying.grant_id;
  perform set_config('wealth_connect.grant_end', reason_before, true);
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION end_publication(p_tenant uuid, p_connection uuid, p_revision bigint, p_replaced jsonb, p_begun jsonb, p_many integer)
 RETURNS text[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  changed text[] := '{}';
  one record;
  is_other boolean;
  kept record;
begin
  insert into snapshots (
    tenant_id, connection_id, product, revision, as_of, stale_at, oldest_day, newest_day, row_count, totals, digest
  )
  select p_tenant, p_connection, b.key, p_revision, (b.value ->> 'as_of')::timestamptz, (b.value ->> 'stale_at')::timestamptz,
    (b.value ->> 'oldest_day')::date, (b.value ->> 'newest_day')::date, (b.value ->> 'row_count')::integer, b.value -> 'totals',
    b.value ->> 'digest'
  from jsonb_each(p_begun) b;

  for one in
    select p.product, p_begun -> p.product as now, p_replaced -> p.product as before
    from unnest(array['portfolio', 'investment', 'transaction']) with ordinality p (product, place)
    where p_begun ? p.product
    order by p.place
  loop
    if one.now ? 'is_other' then
      is_other := (one.now ->> 'is_other')::boolean;
    elsif (one.now ->> 'row_count')::integer <> coalesce((one.before ->> 'row_count')::integer, 0) then
      is_other := true;
    elsif one.before is null then
      is_other := false;
    elsif one.now -> 'totals' <> one.before -> 'totals' then
      is_other := true;
    elsif one.product = 'portfolio' then
      is_other := exists (
        select p.item, p.parts from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = p_revision
        except all
        select p.item, p.parts from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = (one.before ->> 'revision')::bigint
      );
    else
      is_other := exists (
        select h.portfolio_id, h.item, h.facts from holdings h
        where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = p_revision
        except all
        select h.portfolio_id, h.item, h.facts from holdings h
        where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = (one.before ->> 'revision')::bigint
      );
    end if;
    if is_other then
      changed := changed || one.product;
    end if;
  end loop;

  select t.counts, t.counted_revision into kept from tenant_revisions t where t.tenant_id = p_tenant;
  if kept.counts is not null and kept.counted_revision = p_revision - 1 then
    update tenant_revisions t set counted_revision = p_revision, counts = kept.counts || coalesce((
      select jsonb_object_agg(b.key, counts_after(kept.counts -> b.key, p_replaced -> b.key, b.value)) from jsonb_each(p_begun) b
    ), '{}')
    where t.tenant_id = p_tenant;
  elsif exists (select from connections c where c.tenant_id = p_tenant offset p_many limit 1) then
    update tenant_revisions t set counted_revision = p_revision, counts = counts_of_all(p_tenant) where t.tenant_id = p_tenant;
  end if;
  return changed;
end
$function$

CREATE OR REPLACE FUNCTION erase_refusals(p_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select c.sequence, c.refused_at, c.audit_id from audit_chain c
    where c.refused_at < least(p_before, now() - interval '1 day') and c.content_hash is null
    order by c.refused_at
    limit p_limit
    for update
  ), gone as (
    delete from audit_log l using old
    where l.at = old.refused_at and l.audit_id = old.audit_id
    returning l.audit_id, sha256(convert_to(audit_line_text(l), 'UTF8')) as content_hash
  ), left_over as (
    -- Empty if the line was already gone: someone else removed it, and the chain cannot prove that this was legitimate.
    update audit_chain c set content_hash = coalesce(gone.content_hash, '')
    from old left join gone using (audit_id)
    where c.sequence = old.sequence
    returning c.sequence
  )
  select count(*) from left_over
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION event_backlog()
 RETURNS TABLE(events bigint, oldest timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select count(*), min(w.created_at) from (select e.created_at from events e where e.sequence is null limit 10000) w
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION event_heads(p_tenants uuid[])
 RETURNS TABLE(tenant_id uuid, last_sequence bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.tenant_id, c.last_sequence from event_counters c where c.tenant_id = any (p_tenants)
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION expedite_refreshes(p_user_hashes text[], p_reference_hashes text[], p_tenant uuid, p_except uuid[], p_now timestamp with time zone, p_pause interval)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with named as (
    select r.tenant_id, r.connection_id from unnest(p_user_hashes) h (hash) join connection_refreshes r on r.user_hash = h.hash
    union
    select r.tenant_id, r.connection_id from unnest(p_reference_hashes) h (hash) join connection_refreshes r on r.reference_hash = h.hash
  ), found as (
    select r.tenant_id, r.connection_id
    from named n join connection_refreshes r on r.tenant_id = n.tenant_id and r.connection_id = n.connection_id
    where (r.due_at is not null or r.outcome is distinct from 'already_exists')
      and (p_tenant is null or r.tenant_id = p_tenant) and r.tenant_id <> all (p_except)
    order by r.tenant_id, r.connection_id
    for update of r
  ), told as (
    update connection_refreshes r
    set notified_at = p_now,
      due_at = case
        when r.lease is not null and r.due_at > p_now then r.due_at
        when r.outcome = 'throttled' or r.lost_leases > 1 then r.due_at
        else least(r.due_at, greatest(p_now, r.attempted_at + p_pause))
      end
    from found f
    where r.tenant_id = f.tenant_id and r.connection_id = f.connection_id
    returning r.connection_id
  )
  select count(*) from told
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION expire_sessions(p_now timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with late as (
    select t.tenant_id, found.session_id, found.labels
    from tenants t cross join lateral (
      select c.session_id, c.labels from sessions c
      where c.tenant_id = t.tenant_id and not c.finished and c.expires_at <= p_now
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), expired as (
    update sessions s
    set status = 'Finished:Expired', error_code = 'SessionExpired', challenge = null, sealed_challenge = null,
      sealed_link = null, sealed_state = null, updated_at = p_now, version = s.version + 1
    from late
    where s.tenant_id = late.tenant_id and s.session_id = late.session_id
    returning s.tenant_id, s.session_id, s.connection_id, s.client_ref, late.labels
  ), told as (
    insert into events (tenant_id, type, object_id, labels, data)
    select e.tenant_id, 'session.finished', e.session_id,
      array(select l.key || '=' || l.value from jsonb_each_text(e.labels) l),
      jsonb_build_object(
        'session_id', e.session_id, 'status', 'Finished:Expired', 'error_code', 'SessionExpired', 'connection_id', e.connection_id,
        'client_ref', e.client_ref
      )
    from expired e
  )
  select count(*) from expired
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION expire_waiting_statements(p_before timestamp with time zone, p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, connection_id uuid, letter_id uuid, statement text, title text, pages integer[], last_page integer, first_at timestamp with time zone, latest_at timestamp with time zone, expired_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with late as (
    select w.* from waiting_statements(null) w where w.expired_at is null and w.latest_at < p_before limit p_limit
  ), marked as (
    update feed_pages p set expired_at = p_now
    from late w
    where p.tenant_id = w.tenant_id and p.connection_id = w.connection_id and p.statement = w.statement
  )
  select
    w.tenant_id, w.connection_id, w.letter_id, w.statement, w.title, w.pages, w.last_page, w.first_at, w.latest_at, p_now
  from late w
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION fan_out_events(p_tenant uuid, p_after bigint, p_through bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform from webhook_endpoints w where w.tenant_id = p_tenant and w.is_enabled order by w.endpoint_id for no key update;
  if not found then
    return;
  end if;
  with queued as (
    insert into webhook_deliveries (tenant_id, endpoint_id, sequence, state, due_at)
    select w.tenant_id, w.endpoint_id, e.sequence, 'pending', e.created_at
    from webhook_endpoints w
    join events e on e.tenant_id = w.tenant_id and e.sequence > p_after and e.sequence <= p_through
    where w.tenant_id = p_tenant and w.is_enabled
      and webhook_asks_for(w.types, w.labels, w.endpoint_id, e.type, e.labels, e.endpoint_ids, e.object_id)
    returning endpoint_id, due_at
  ), due as (
    select q.endpoint_id, min(q.due_at) as due_at from queued q group by q.endpoint_id
  )
  update webhook_endpoints w set due_at = greatest(due.due_at, w.not_before)
  from due
  where w.tenant_id = p_tenant and w.endpoint_id = due.endpoint_id
    and (w.due_at is null or w.due_at > greatest(due.due_at, w.not_before));
end
$function$

CREATE OR REPLACE FUNCTION feeds_of(p_ids uuid[])
 RETURNS TABLE(id uuid, tenant_id uuid, connector_id text, connection_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.connection_id, c.tenant_id, c.connector_id, c.connection_id
  from object_owners o join connections c on c.tenant_id = o.tenant_id and c.connection_id = o.object_id
  where o.object_id = any (p_ids) and o.kind = 'connection'
  union all
  select l.letter_id, l.tenant_id, l.connector_id, l.connection_id
  from object_owners o join letters l on l.tenant_id = o.tenant_id and l.letter_id = o.object_id
  where o.object_id = any (p_ids) and o.kind = 'letter'
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION find_application(p_client_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  return (
    select to_jsonb(a) - 'of_people' - 'limited' || jsonb_build_object(
      'client_refs', case when a.limited then clients_in_limit(a.tenant_id, a.application_id) end,
      'tenant_enabled', not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id),
      'secrets', (
        select coalesce(jsonb_agg(to_jsonb(s) - 'application_id' order by s.created_at, s.secret_id), '[]')
        from application_secrets s where s.application_id = a.application_id
      )
    )
    from applications a where a.client_id = p_client_id
  );
end
$function$

CREATE OR REPLACE FUNCTION find_client(p_client_id text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  return (select to_jsonb(c) from registered_clients c where c.client_id = p_client_id);
end
$function$

CREATE OR REPLACE FUNCTION first_accounts(p_tenant uuid, p_connections uuid[])
 RETURNS TABLE(connection_id uuid, accounts jsonb)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
declare
  connection_ids uuid[];
  revisions bigint[];
begin
  if p_connections = '{}' then
    return;
  end if;
  select array_agg(c.connection_id), array_agg(s.revision) into connection_ids, revisions
  from unnest(p_connections) c (connection_id) cross join lateral (
    select l.revision from snapshots l
    where l.tenant_id = p_tenant and l.connection_id = c.connection_id and l.product = 'portfolio'
    order by l.revision desc
    limit 1
  ) s;
  -- On a cluster snapshots and portfolios are in different places, so this statement names portfolios alone.
  return query
    select
      p.connection_id,
      jsonb_agg(jsonb_build_object('name', p.name, 'ref_account', p.ref_account) order by p.ordinal)
    from unnest(connection_ids, revisions) s (connection_id, revision)
    join portfolios p on p.tenant_id = p_tenant and p.connection_id = s.connection_id and p.revision = s.revision and p.ordinal < 3
    group by p.connection_id;
end
$function$

CREATE OR REPLACE FUNCTION follow_reference()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Whoever numbers events holds this row, too; otherwise two could wait for each other's events.
  perform from event_counters c where c.tenant_id = old.tenant_id for update;
  update events e set data = jsonb_set(e.data, '{client_ref}', coalesce(to_jsonb(new.client_ref), 'null'))
  where e.tenant_id = old.tenant_id and e.sequence is not null and e.data ->> 'client_ref' = old.client_ref collate "C";
  update events e set data = jsonb_set(e.data, '{client_ref}', coalesce(to_jsonb(new.client_ref), 'null'))
  where e.tenant_id = old.tenant_id and e.sequence is null and e.data ->> 'client_ref' = old.client_ref collate "C";
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_circuits()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from provider_circuits where tenant_id = old.tenant_id;
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_client(p_tenant uuid, p_client_ref text, p_label text, p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  letter_ids uuid[];
  connection_ids uuid[];
  objects text[];
  event_ids uuid[];
  changed integer;
begin
  letter_ids := array(
    select o.letter_id from (
      select l.letter_id from letter_labels l
      where l.tenant_id = p_tenant and l.key = p_label and l.value = p_client_ref collate "C"
      union
      select l.letter_id from letters l where l.tenant_id = p_tenant and l.client_ref = p_client_ref collate "C" and l.labels ? p_label
    ) o
    limit p_limit
  );
  update letters l set labels = l.labels - p_label, version = l.version + 1
  where l.tenant_id = p_tenant and l.letter_id = any (letter_ids);
  delete from letter_labels l where l.tenant_id = p_tenant and l.letter_id = any (letter_ids) and l.key = p_label;
  with named as (
    select c.connection_id from connections c where c.tenant_id = p_tenant and c.labels ->> p_label = p_client_ref limit p_limit
  ), renamed as (
    update connections c set labels = c.labels - p_label from named
    where c.tenant_id = p_tenant and c.connection_id = named.connection_id
    returning c.connection_id
  )
  select coalesce(array_agg(r.connection_id), '{}') into connection_ids from renamed r;

  -- Whoever numbers events holds this row, too; otherwise two could wait for each other's events.
  perform from event_counters c where c.tenant_id = p_tenant for update;
  event_ids := array(
    select e.event_id from events e
    where e.tenant_id = p_tenant and e.sequence is not null and e.data ->> 'client_ref' = p_client_ref collate "C"
    limit p_limit
  ) || array(
    select e.event_id from events e
    where e.tenant_id = p_tenant and e.sequence is null and e.data ->> 'client_ref' = p_client_ref collate "C"
    limit p_limit
  );
  objects := (letter_ids || connection_ids)::text[];
  if objects <> '{}' then
    event_ids := event_ids || array(
      select e.event_id from events e where e.tenant_id = p_tenant and e.sequence is not null and e.object_id = any (objects)
      union all
      select e.event_id from events e where e.tenant_id = p_tenant and e.sequence is null and e.object_id = any (objects)
      union all
      select e.event_id from events e
      where e.tenant_id = p_tenant and e.type = 'session.finished' and e.labels <> '{}' and e.data ->> 'connection_id' = any (objects)
    );
  end if;
  update events e set
    labels = array(select one from unnest(e.labels) one where not starts_with(one, p_label || '=')),
    endpoint_ids = e.endpoint_ids || array(
      select w.endpoint_id from webhook_endpoints w
      where w.tenant_id = p_tenant and w.removed_at is null and w.labels <> '{}' and e.labels @> w.labels
        and exists (select from unnest(w.labels) one where starts_with(one, p_label || '='))
    ),
    data = case when e.data ->> 'client_ref' = p_client_ref then jsonb_set(e.data, '{client_ref}', 'null') else e.data end
      #- array['labels', p_label]
  where e.tenant_id = p_tenant and e.event_id = any (event_ids);
  get diagnostics changed = row_count;
  return changed + cardinality(letter_ids) + cardinality(connection_ids);
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from events where tenant_id = old.tenant_id;
  delete from event_counters where tenant_id = old.tenant_id;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION forget_keyed_requests()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update keyed_requests set expires_at = now() where owner = 'person:' || old.person_id and answer is null;
  delete from keyed_requests where owner = 'person:' || old.person_id and answer is not null;
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_labels()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Whoever numbers events holds this row, too; otherwise two could wait for each other's events.
  perform from event_counters c where c.tenant_id = new.tenant_id for update;
  update events e
  set labels = '{}', endpoint_ids = array(
    select w.endpoint_id from webhook_endpoints w
    where w.tenant_id = e.tenant_id and w.removed_at is null and w.labels <> '{}' and e.labels @> w.labels
  )
  where e.tenant_id = new.tenant_id and e.labels <> '{}' and e.event_id in (
    select o.event_id from events o where o.tenant_id = new.tenant_id and o.sequence is not null and o.object_id = new.object_id
    union all
    select o.event_id from events o where o.tenant_id = new.tenant_id and o.sequence is null and o.object_id = new.object_id
    union all
    select s.event_id from events s
    where s.tenant_id = new.tenant_id and s.type = 'session.finished' and s.labels <> '{}'
      and s.data ->> 'connection_id' = new.object_id
  );
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_limit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from client_limits l where l.tenant_id = old.tenant_id and l.holder_id = (to_jsonb(old) ->> tg_argv[0])::uuid;
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_objects(p_tenants uuid[], p_keys text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  delete from orphaned_objects l using unnest(p_tenants, p_keys) gone (tenant_id, object_key)
  where l.tenant_id = gone.tenant_id and l.object_key = gone.object_key
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_people()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from people where tenant_id = old.tenant_id;
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION forget_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from webhook_deliveries where tenant_id = old.tenant_id;
  delete from webhook_endpoints where tenant_id = old.tenant_id;
  return null;
end
$function$

CREATE OR REPLACE FUNCTION forget_work_marks()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from work_marks where tenant_id = old.tenant_id;
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION former_versions(p_tenant uuid, p_connections uuid[], p_transactions uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  -- On a cluster former versions are on another machine than connections, so this statement names them alone.
  return (
    select jsonb_object_agg(f.transaction_id, f.versions)
    from (
      select v.transaction_id, least(count(*), 10) as versions
      from unnest(p_connections, p_transactions) t (connection_id, transaction_id)
      join replaced_transactions v
        on v.tenant_id = p_tenant and v.connection_id = t.connection_id and v.transaction_id = t.transaction_id
      group by v.transaction_id
    ) f
  );
end
$function$

CREATE OR REPLACE FUNCTION found_page(p_tenant uuid, p_revision bigint, p_fields text[], p_with_source boolean, p_page page_row[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  connection_ids uuid[];
  former jsonb;
begin
  if p_fields && array['bank', 'client_ref', 'client_name', 'portfolio_id', 'investment_id', 'former_versions'] then
    connection_ids := array(select distinct r.connection_id from unnest(p_page) r);
    if 'former_versions' = any (p_fields) then
      former := coalesce(former_versions(
        p_tenant,
        array(select r.connection_id from unnest(p_page) with ordinality r order by r.ordinality),
        array(select (r.item::json ->> 'id')::uuid from unnest(p_page) with ordinality r order by r.ordinality)
      ), '{}');
    end if;
    p_page := array(
      select row(
        r.item,
        '{"bank":' || coalesce(to_json(c.bank)::text, 'null')
          || ',"client_ref":' || coalesce(to_json(c.client_ref)::text, 'null')
          || ',"client_name":' || coalesce(to_json(c.client_name)::text, 'null')
          || coalesce(',"portfolio_id":"' || coalesce(a.portfolio_id, r.portfolio_id)::text || '"', '')
          || coalesce(',"investment_id":"' || r.holding_id::text || '"', '')
          || case when former is null then '' else ',"former_versions":' || coalesce(former ->> (r.item::json ->> 'id'), '0') end
          || coalesce(',' || substr(left(r.facts, -1), 2), '') || '}',
        r.connection_id, null, null
      )::page_row
      from unnest(p_page) with ordinality r (item, facts, connection_id, portfolio_id, holding_id, nth)
      -- `offset 0` keeps the conditions here, where they are decided before anything is read.
      left join (
        select known.connection_id, known.bank, known.client_ref, k.name as client_name
        from unnest(connection_ids) asked (connection_id)
        join connections known on known.tenant_id = p_tenant and known.connection_id = asked.connection_id
        left join clients k on k.tenant_id = p_tenant and k.client_ref = known.client_ref
        where p_fields && array['bank', 'client_ref', 'client_name']
        offset 0
      ) c on c.connection_id = r.connection_id
      left join (
        select * from shown_portfolios(p_tenant, connection_ids, p_revision) where 'portfolio_id' = any (p_fields) offset 0
      ) a on a.connection_id = r.connection_id and a.account = r.portfolio_id
      order by r.nth
    );
  end if;
  return (
    select string_agg(shown_item(r.item, r.facts, p_fields, case when p_with_source then r.connection_id end), ',') from unnest(p_page) r
  );
end
$function$

CREATE OR REPLACE FUNCTION grants_used(p_tenant uuid, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  perform pg_advisory_xact_lock(hashtextextended('grants of ' || p_tenant, 0));
  return (
    select count(*) from grants g
    where g.tenant_id = p_tenant and g.ended_at is null and g.refresh_expires_at > p_at
  );
end
$function$

CREATE OR REPLACE FUNCTION insert_holdings(p_tenant uuid, p_connection uuid, p_revision bigint, p_first integer, p_rows json)
 RETURNS TABLE(currency text, row_count bigint, valued bigint, notional bigint, balance text, oldest_day date, newest_day date)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query
  with added as (
    insert into holdings (
      tenant_id, connection_id, revision, ordinal, holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type,
      subtype, is_notional, facts, name_key, item
    )
    select p_tenant, p_connection, p_revision, p_first + r.number - 1, r.holding_id, r.portfolio_id, r.name, r.isin, r.amount, r.balance,
      r.currency, r.valuation_date, r.type, r.subtype, coalesce(r.is_notional, false), r.facts::text,
      left(coalesce(r.name_key, btrim(lower(r.name collate "C"))), 500),
      '{"id":"' || r.holding_id::text || '","name":' || coalesce(to_json(r.name)::text, 'null')
        || ',"isin":' || coalesce(to_json(r.isin)::text, 'null')
        || ',"amount":' || coalesce('"' || r.amount::text || '"', 'null')
        || ',"balance":' || coalesce('"' || r.balance::text || '"', 'null')
        || ',"currency":' || coalesce(to_json(r.currency)::text, 'null')
        || ',"valuation_date":' || coalesce('"' || to_char(r.valuation_date, 'YYYY-MM-DD') || '"', 'null')
        || ',"type":' || coalesce(to_json(r.type)::text, 'null')
        || ',"subtype":' || coalesce(to_json(r.subtype)::text, 'null') || '}'
    from rows from (
      json_to_recordset(p_rows) as (
        holding_id uuid, portfolio_id uuid, name text, isin text, amount numeric, balance numeric, currency text, valuation_date date,
        type text, subtype text, is_notional boolean, facts json, name_key text
      )
    ) with ordinality as r (
      holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type, subtype, is_notional, facts, name_key, number
    )
    returning currency, balance, is_notional, valuation_date
  )
  select a.currency, count(*), count(a.balance), count(*) filter (where a.is_notional),
    (sum(a.balance) filter (where not a.is_notional))::text, min(a.valuation_date), max(a.valuation_date)
  from added a group by a.currency;
end
$function$

CREATE OR REPLACE FUNCTION insert_portfolios(p_tenant uuid, p_connection uuid, p_revision bigint, p_first integer, p_rows json)
 RETURNS TABLE(currency text, row_count bigint, valued bigint, notional bigint, balance text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query
  with added as (
    insert into portfolios (
      tenant_id, connection_id, revision, ordinal, portfolio_id, name, balance, currency, ref_account, type, parts, name_key, item
    )
    select p_tenant, p_connection, p_revision, p_first + r.number - 1, r.portfolio_id, r.name, r.balance, r.currency, r.ref_account, r.type,
      r.parts, left(coalesce(r.name_key, btrim(lower(r.name collate "C"))), 500),
      '{"id":"' || r.portfolio_id::text || '","name":' || coalesce(to_json(r.name)::text, 'null')
        || ',"balance":' || coalesce('"' || r.balance::text || '"', 'null')
        || ',"currency":' || coalesce(to_json(r.currency)::text, 'null')
        || ',"refAccount":' || coalesce(to_json(r.ref_account)::text, 'null')
        || ',"type":' || coalesce(to_json(r.type)::text, 'null') || '}'
    from rows from (
      json_to_recordset(p_rows) as (
        portfolio_id uuid, name text, balance numeric, currency text, ref_account text, type text, parts uuid[], name_key text
      )
    ) with ordinality as r (portfolio_id, name, balance, currency, ref_account, type, parts, name_key, number)
    returning currency, balance
  )
  select a.currency, count(*), count(a.balance), 0::bigint, sum(a.balance)::text from added a group by a.currency;
end
$function$

CREATE OR REPLACE FUNCTION insert_transactions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamp with time zone, p_rows json, p_file text DEFAULT NULL::text)
 RETURNS TABLE(currency text, row_count bigint, valued bigint, notional bigint, balance text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query
  with added as (
    insert into transactions (
      tenant_id, connection_id, revision, transaction_id, portfolio_id, holding_id, operation_date, description, amount, balance, currency,
      unit_price, facts, description_key, kind, isin, read_at, file, place, item
    )
    select p_tenant, p_connection, p_revision, r.transaction_id, r.portfolio_id, r.holding_id, r.operation_date, r.description, r.amount,
      r.balance, r.currency, r.unit_price, r.facts::text, r.description_key, r.facts ->> 'kind', r.facts #>> '{identifiers,isin}',
      p_published_at, decode(p_file, 'hex'), r.place, '{"id":"' || r.transaction_id::text || '","operationDate":"' || to_char(r.operation_date, 'YYYY-MM-DD')
        || '","description":' || coalesce(to_json(r.description)::text, 'null')
        || ',"amount":' || coalesce('"' || r.amount::text || '"', 'null')
        || ',"balance":' || coalesce('"' || r.balance::text || '"', 'null')
        || ',"currency":' || coalesce(to_json(r.currency)::text, 'null')
        || ',"unitPrice":' || coalesce('"' || r.unit_price::text || '"', 'null') || '}'
    from json_to_recordset(p_rows) as r (
      transaction_id uuid, portfolio_id uuid, holding_id uuid, operation_date date, description text, amount numeric, balance numeric,
      currency text, unit_price numeric, facts json, description_key text, place text
    )
    on conflict do nothing
    returning currency, balance
  )
  select a.currency, count(*), count(a.balance), 0::bigint, sum(a.balance)::text from added a group by a.currency;
end
$function$

CREATE OR REPLACE FUNCTION issue_asserted_grant(p_grant jsonb, p_assertion jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  perform from applications a
  where a.application_id = asked.application_id or a.client_id = asked.client_id
  order by a.application_id
  for share;
  perform from applications a join trusted_issuers t on t.trust_id = asked.secret_id and coalesce(t.tenant_id, a.tenant_id) = a.tenant_id
  where a.application_id = asked.application_id and a.tenant_id = asked.tenant_id and a.enabled
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
    and (not starts_with(asked.client_id, 'wca_') or exists (
      select from applications c
      where c.client_id = asked.client_id and c.enabled
        and not exists (select from disabled_tenants d where d.tenant_id = c.tenant_id)
    ))
  for share of t;
  if not found or lacks_key(asked.client_id, asked.dpop_jkt) then
    return 'not_allowed';
  end if;
  insert into used_assertions (client_id, jti, expires_at)
  values (p_assertion ->> 'issuer', p_assertion ->> 'jti', (p_assertion ->> 'usable_until')::timestamptz)
  on conflict do nothing;
  if not found then
    return 'replayed';
  end if;
  -- Once an hour is enough: clients are deleted only after days without use.
  update registered_clients c set last_used_at = asked.created_at
  where c.client_id = asked.client_id and c.last_used_at < asked.created_at - interval '1 hour';
  asked.is_confidential := false;
  asked.is_limited := false;
  insert into grants values (asked.*);
  return 'issued';
end
$function$

CREATE OR REPLACE FUNCTION issue_grant(p_grant jsonb)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if not may_grant(asked.application_id, asked.secret_id, asked.client_id) or lacks_key(asked.client_id, asked.dpop_jkt) then
    return 'not_allowed';
  end if;
  asked.is_confidential := false;
  asked.is_limited := false;
  insert into grants values (asked.*);
  return 'issued';
end
$function$

CREATE OR REPLACE FUNCTION issue_grants(p_grants json)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
AS $function$
declare
  asked grants;
  checked grants;
  is_allowed boolean;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  for asked in select g.* from json_populate_recordset(null::grants, p_grants) g loop
    if (asked.application_id, asked.secret_id, asked.client_id, asked.dpop_jkt is null)
      is distinct from (checked.application_id, checked.secret_id, checked.client_id, checked.dpop_jkt is null) then
      checked := asked;
      perform from applications a where a.application_id = asked.application_id for share skip locked;
      is_allowed := found;
      if is_allowed then
        perform from applications a join application_secrets s using (application_id)
        where a.application_id = asked.application_id and a.client_id = asked.client_id and a.enabled and s.secret_id = asked.secret_id
          and (asked.dpop_jkt is not null or not a.dpop_bound_access_tokens)
          and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
        for share of s skip locked;
        is_allowed := found;
      end if;
    end if;
    if is_allowed then
      asked.is_confidential := false;
      asked.is_limited := false;
      asked.expires_on := (asked.refresh_expires_at at time zone 'UTC')::date;
      insert into grants values (asked.*);
      return next asked.grant_id;
    end if;
  end loop;
end
$function$

CREATE OR REPLACE FUNCTION join_letter_counts(p_parts integer, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with parts as (
    delete from letter_counts c using (
      select m.tenant_id from letter_counts m group by m.tenant_id having count(*) > p_parts limit p_limit
    ) many
    where c.tenant_id = many.tenant_id
    returning c.tenant_id, c.status, c.letters
  ), sums as (
    insert into letter_counts (tenant_id, status, letters)
    select p.tenant_id, p.status, sum(p.letters) from parts p group by p.tenant_id, p.status
    returning tenant_id
  )
  select (select count(*) from parts) - (select count(*) from sums)
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION keep_former_valuations(p_tenant uuid, p_connection uuid, p_former jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  listed jsonb;
  excess jsonb;
begin
  select jsonb_agg(jsonb_build_object('portfolio_id', h.portfolio_id, 'content', h.content, 'items', h.items)) into listed
  from jsonb_to_recordset(p_former) f (portfolio_id uuid, content uuid) cross join lateral (
    select h.portfolio_id, h.content, h.items from valued_holdings h
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = f.portfolio_id and h.content = f.content
    limit 1
  ) h;
  insert into replaced_valuations (
    tenant_id, connection_id, portfolio_id, day, stated_at, balance, currency, value, items, source, came_at, places
  )
  select p_tenant, p_connection, f.portfolio_id, f.day, f.stated_at, f.balance, f.currency, f.value, (
      select l.items from jsonb_to_recordset(listed) l (portfolio_id uuid, content uuid, items text)
      where l.portfolio_id = f.portfolio_id and l.content = f.content
      limit 1
    ), f.source, f.came_at, f.places
  from jsonb_populate_recordset(null::valuations, p_former) f
  on conflict do nothing;
  select jsonb_agg(jsonb_build_object('portfolio_id', f.portfolio_id, 'day', f.day, 'came_at', r.came_at)) into excess
  from jsonb_to_recordset(p_former) f (portfolio_id uuid, day date) cross join lateral (
    select r.came_at from replaced_valuations r
    where r.tenant_id = p_tenant and r.connection_id = p_connection and r.portfolio_id = f.portfolio_id and r.day = f.day
    order by r.came_at desc
    offset 10
  ) r;
  if excess is not null then
    delete from replaced_valuations r
    using (select * from jsonb_to_recordset(excess) e (portfolio_id uuid, day date, came_at timestamptz)) e
    where r.tenant_id = p_tenant and r.connection_id = p_connection and r.portfolio_id = e.portfolio_id and r.day = e.day
      and r.came_at = e.came_at;
  end if;
end
$function$

CREATE OR REPLACE FUNCTION keep_former_versions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamp with time zone, p_removed jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  pruned bigint;
  removed_ids uuid[];
  excess jsonb;
begin
  if p_removed is not null then
    insert into replaced_transactions (
      tenant_id, connection_id, transaction_id, revision, until_revision, portfolio_id, holding_id, operation_date, description,
      amount, balance, currency, unit_price, item, facts, description_key, kind, isin, read_at, file, place, replaced_at
    )
    select
      r.tenant_id, r.connection_id, r.transaction_id, r.revision, p_revision, r.portfolio_id, r.holding_id, r.operation_date, r.description,
      r.amount, r.balance, r.currency, r.unit_price, r.item, r.facts,
      r.description_key, r.kind, r.isin, r.read_at, r.file, r.place, p_published_at
    from jsonb_populate_recordset(null::transactions, p_removed) r
    where r.revision <> p_revision;
    select t.pruned_revision into pruned from tenant_revisions t where t.tenant_id = p_tenant;
    removed_ids := array(select r.transaction_id from jsonb_populate_recordset(null::transactions, p_removed) r);
    select jsonb_agg(f) into excess
    from (
      select k.transaction_id, k.until_revision, row_number() over (partition by k.transaction_id order by k.until_revision desc) as nth
      from replaced_transactions k
      where k.tenant_id = p_tenant and k.connection_id = p_connection and k.transaction_id = any (removed_ids)
    ) f
    where f.nth > 10 and f.until_revision <= pruned;
    if excess is not null then
      delete from replaced_transactions k
      using jsonb_to_recordset(excess) as e (transaction_id uuid, until_revision bigint)
      where k.tenant_id = p_tenant and k.connection_id = p_connection
        and k.transaction_id = e.transaction_id and k.until_revision = e.until_revision;
    end if;
  end if;
  return coalesce(jsonb_array_length(p_removed), 0);
end
$function$

CREATE OR REPLACE FUNCTION keep_months(p_today date, p_limit integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  of_tenant record;
  accounts jsonb;
  kept jsonb;
  wanted integer;
  looked_at bigint := 0;
begin
  for of_tenant in
    select r.tenant_id, r.months_kept_connection as connection_id, r.months_kept_portfolio as portfolio_id
    from tenant_revisions r
    where r.months_kept_on < p_today
    limit p_limit
    for update skip locked
  loop
    exit when looked_at >= p_limit;
    wanted := p_limit - looked_at;

    select jsonb_agg(n) into accounts
    from (
      select a.connection_id, a.portfolio_id, m.until
      from valued_accounts a
      left join valued_months m
        on m.tenant_id = of_tenant.tenant_id and m.connection_id = a.connection_id and m.portfolio_id = a.portfolio_id
      where a.tenant_id = of_tenant.tenant_id
        and (of_tenant.connection_id is null or (a.connection_id, a.portfolio_id) > (of_tenant.connection_id, of_tenant.portfolio_id))
      order by a.connection_id, a.portfolio_id
      limit wanted
    ) n;
    -- From the last month back: each look-up finds the month of the one before.
    select jsonb_agg(k) into kept
    from jsonb_to_recordset(accounts) n (connection_id uuid, portfolio_id uuid, until date)
    cross join lateral (
      select v.day - extract(day from v.day)::integer as until from valuations v
      where v.tenant_id = of_tenant.tenant_id and v.connection_id = n.connection_id and v.portfolio_id = n.portfolio_id
      order by v.day desc
      limit 1
    ) l
    cross join lateral (
      with recursive months as (
        (
          select v.day, v.balance, v.value, v.content from valuations v
          where v.tenant_id = of_tenant.tenant_id and v.connection_id = n.connection_id and v.portfolio_id = n.portfolio_id
            and v.day <= l.until and (v.balance is not null or (v.value is not null and v.content is not null))
          order by v.day desc
          limit 1
        )
        union all
        select b.* from months m cross join lateral (
          select v.day, v.balance, v.value, v.content from valuations v
          where v.tenant_id = of_tenant.tenant_id and v.connection_id = n.connection_id and v.portfolio_id = n.portfolio_id
            and v.day <= m.day - extract(day from m.day)::integer
            and (v.balance is not null or (v.value is not null and v.content is not null))
          order by v.day desc
          limit 1
        ) b
      )
      select n.connection_id, n.portfolio_id, min(m.day) as first_day, l.until, json_agg(json_build_array(
        m.day, m.balance::text, case when m.balance is null then m.value end, case when m.balance is null then m.content end
      ) order by m.day)::text as closes
      from months m
      having count(*) > 0
    ) k
    where n.until is null or n.until < l.until;
    insert into valued_months as m (tenant_id, connection_id, portfolio_id, first_day, until, closes)
    select of_tenant.tenant_id, k.connection_id, k.portfolio_id, k.first_day, k.until, k.closes
    from jsonb_to_recordset(kept) k (connection_id uuid, portfolio_id uuid, first_day date, until date, closes text)
    on conflict (tenant_id, connection_id, portfolio_id) do update set
      first_day = excluded.first_day, until = excluded.until, closes = excluded.closes;

    -- The last account that was looked at, or with fewer than wanted all.
    update tenant_revisions r set
      months_kept_on = case when l.account is null then p_today else r.months_kept_on end,
      months_kept_connection = (l.account ->> 'connection_id')::uuid, months_kept_portfolio = (l.account ->> 'portfolio_id')::uuid
    from (select case when jsonb_array_length(accounts) = wanted then accounts -> -1 end as account) l
    where r.tenant_id = of_tenant.tenant_id;
    looked_at := looked_at + 1 + coalesce(jsonb_array_length(accounts), 0);
  end loop;
  return looked_at;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION lacks_key(p_client_id text, p_jkt text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return p_jkt is null and exists (select from applications a where a.client_id = p_client_id and a.dpop_bound_access_tokens);
end
$function$

CREATE OR REPLACE FUNCTION latest_sources(p_tenant uuid, p_product text)
 RETURNS TABLE(connection_id uuid, created_at timestamp with time zone, revision bigint, row_count integer)
 LANGUAGE sql
 STABLE
AS $function$
  select c.connection_id, c.created_at, s.revision, s.row_count
  from connections c
  cross join lateral (
    select snapshots.revision, snapshots.row_count from snapshots
    where tenant_id = p_tenant and snapshots.connection_id = c.connection_id and product = p_product
    order by snapshots.revision desc
    limit 1
  ) s
  where c.tenant_id = p_tenant
$function$

CREATE OR REPLACE FUNCTION let_go_of_work()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from work_marks where tenant_id = new.tenant_id and owner_id = 'person:' || new.person_id and snoozed_until is null;
  update work_marks set owner_id = null, version = nextval('work_mark_versions') where tenant_id = new.tenant_id and owner_id = 'person:' || new.person_id;
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION letter_words(p_tenant uuid, p_letter_id uuid, p_connector_id text, p_labels jsonb, p_contact_info jsonb, p_observations text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  said text := lower(concat_ws(' ', p_letter_id::text, p_connector_id, p_observations, p_labels::text, p_contact_info::text));
begin
  if octet_length(said) <> length(said) then
    said := regexp_replace(lower(normalize(said, NFKD)), U&'[\0300-\036f]', '', 'g');
    said := replace(replace(replace(replace(said, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    said := translate(said, 'øđðłħŧŋıĸς’‘ʼ‐‑–—', 'oddlhtnikσ       ');
  end if;
  -- First JSON's escapes of line ends and tabs, then all other punctuation.
  said := replace(replace(replace(said, '\n', ' '), '\r', ' '), '\t', ' ');
  return array_to_tsvector(array['/' || p_tenant]) || to_tsvector('pg_catalog.simple', translate(said, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
end
$function$

CREATE OR REPLACE FUNCTION letters_about(p_tenant uuid, p_words tsquery, p_connectors text[], p_limit integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
declare
  wanted tsquery := p_words;
  one text;
  found jsonb;
  matches bigint;
begin
  foreach one in array p_connectors loop
    wanted := wanted || plainto_tsquery('pg_catalog.simple', translate(lower(one), ':_-./', '     '));
  end loop;
  select count(*), jsonb_agg(jsonb_build_object('tenant_id', m.tenant_id, 'letter_id', m.letter_id, 'status', m.status))
    filter (where m.status not in ('Connected', 'Cancelled', 'Revoked'))
  into matches, found
  from (
    (select l.tenant_id, l.letter_id, l.status from letters l
      where letter_words(l.tenant_id, l.letter_id, l.connector_id, l.labels, l.contact_info, l.observations) @@ words_of(p_tenant, wanted)
        and (p_tenant is null or l.tenant_id = p_tenant) limit p_limit + 1)
    union
    (select l.tenant_id, l.letter_id, l.status
      from (select k.tenant_id, k.client_ref from clients k where client_words(k.tenant_id, k.search_key) @@ words_of(p_tenant, p_words)
        and (p_tenant is null or k.tenant_id = p_tenant) limit p_limit + 1) k
      join letters l on l.tenant_id = k.tenant_id and l.client_ref = k.client_ref limit p_limit + 1)
  ) m;
  return case when matches <= p_limit then coalesce(found, '[]') end;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION letters_for_files(p_connector text, p_tenant uuid, p_statuses text[], p_limit integer, p_known text)
 RETURNS TABLE(digest text, letters json)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
  with found as materialized (
    select l.tenant_id, l.letter_id, l.connection_id, l.version, row_number() over (order by l.created_at, l.letter_id) - 1 as place
    from tenants t cross join lateral (
      select l.tenant_id, l.letter_id, l.connection_id, l.version, l.created_at from letters l
      where l.tenant_id = t.tenant_id and l.connector_id = p_connector and l.status = any (p_statuses)
      order by l.created_at, l.letter_id
      limit p_limit
    ) l
    where p_tenant is null or t.tenant_id = p_tenant
    order by l.created_at, l.letter_id
    limit p_limit
  ), told as materialized (
    select md5(coalesce(string_agg(concat_ws(' ', f.letter_id, f.version, f.connection_id), ',' order by f.place), '')) as digest from found f
  )
  select told.digest, part.letters
  from told left join lateral (
    select f.place / 500 as number, json_agg(json_build_array(f.tenant_id, f.letter_id, f.connection_id, f.version) order by f.place) as letters
    from found f
    where told.digest is distinct from p_known
    group by f.place / 500
  ) part on true
  order by part.number
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION letters_used(p_tenant uuid)
 RETURNS TABLE(letters bigint, document_bytes bigint)
 LANGUAGE plpgsql
AS $function$
begin
  insert into tenant_usage (tenant_id) values (p_tenant) on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = p_tenant for update;
  return query
    select (select coalesce(sum(c.letters), 0)::bigint from letter_counts c where c.tenant_id = p_tenant), u.document_bytes
    from tenant_usage u where u.tenant_id = p_tenant;
end
$function$

CREATE OR REPLACE FUNCTION limit_application(p_application uuid, p_clients text[], p_search_keys text[], p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
declare
  tenant uuid;
begin
  update applications a set limited = p_clients is not null where a.application_id = p_application returning a.tenant_id into tenant;
  if not found then
    return false;
  end if;
  insert into clients (tenant_id, client_ref, name, search_key, created_at)
  select tenant, wanted.client_ref, null, wanted.search_key, p_at from unnest(p_clients, p_search_keys) wanted (client_ref, search_key)
  order by wanted.client_ref
  -- Locks those that there are, so that one that is renamed or removed at this moment waits, or is made again.
  on conflict (tenant_id, client_ref) do update set name = clients.name;
  delete from client_limits l where l.tenant_id = tenant and l.holder_id = p_application;
  insert into client_limits select tenant, p_application, unnest(p_clients);
  return true;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION limit_approval(p_tenant uuid, p_request uuid, p_clients text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
AS $function$
  insert into client_limits
  select c.tenant_id, p_request, c.client_ref from clients c where c.tenant_id = p_tenant and c.client_ref = any (p_clients)
  order by c.client_ref
  for key share
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION list_connections(p_tenant uuid, p_banks text[], p_ready_only boolean, p_consent_before text, p_with_accounts boolean, p_offset bigint, p_limit integer, p_clients text[])
 RETURNS TABLE(total bigint, accounts jsonb, connection_id uuid, connector_id text, bank text, provider text, labels jsonb, status jsonb, identity_hash text, sealed_access text, created_at timestamp with time zone, client_ref text)
 LANGUAGE plpgsql
 STABLE
AS $function$
#variable_conflict use_column
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  return query
    with matching as not materialized (
      select c.* from connections c
      where c.tenant_id = p_tenant and (p_banks is null or c.bank = any (p_banks))
        and (p_clients is null or c.client_ref = any (p_clients))
        and (not p_ready_only or (not c.pending and not c.needs_relogin))
        and (p_consent_before is null or c.connection_id = any (array(
          select t.connection_id from connections t
          where t.tenant_id = p_tenant
            and (t.pending or t.needs_relogin or t.portfolio_errored or t.investment_errored or t.transaction_errored)
          union all
          select e.connection_id from connections e where e.tenant_id = p_tenant and e.consent_expires_at < p_consent_before
        )))
    ), page as materialized (
      select m.* from matching m order by m.created_at, m.connection_id offset p_offset limit p_limit
    )
    select
      counted.total, a.accounts, p.connection_id, p.connector_id, p.bank, p.provider, p.labels, p.status, p.identity_hash, p.sealed_access,
      p.created_at, p.client_ref
    from (select count(*) as total from matching) counted
    left join page p on true
    left join first_accounts(p_tenant, array(select connection_id from page where p_with_accounts)) a on a.connection_id = p.connection_id
    order by p.created_at, p.connection_id;
end
$function$

CREATE OR REPLACE FUNCTION look_up_clients(p_tenant uuid, p_words text, p_through integer, p_limit integer)
 RETURNS TABLE(client_ref text, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
AS $function$
begin
  return query
    select found.client_ref, found.name
    from (
      select * from clients k
      where k.tenant_id = p_tenant
        and client_words(k.tenant_id, k.search_key) @@ words_of(p_tenant, to_tsquery('pg_catalog.simple', p_words))
      limit p_through
    ) found
    order by found.client_ref
    limit p_limit;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION look_up_letters_of_all(p_tenant uuid, p_words text, p_through integer, p_limit integer)
 RETURNS TABLE(tenant_id uuid, tenant_name text, letter_id uuid, connector_id text, status text, labels jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
begin
  return query execute '
    select l.tenant_id, t.name, l.letter_id, l.connector_id, l.status, l.labels
    from (
      select * from letters
      where letter_words(tenant_id, letter_id, connector_id, labels, contact_info, observations)
        @@ words_of($2, to_tsquery(''pg_catalog.simple'', $1))'
    || case when p_tenant is null then '' else ' and tenant_id = $2' end || ' limit $3
    ) l join tenants t using (tenant_id)
    order by l.created_at desc, l.letter_id desc
    limit $4'
  using p_words, p_tenant, p_through, p_limit;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION mark_keyed_request(p_owner text, p_key text, p_claim uuid, p_transaction integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if pg_current_xact_id_if_assigned() is null then
    return false;
  end if;
  update keyed_requests set made_by = made_by || p_transaction
  where owner = p_owner and key = p_key and claim_id = p_claim;
  if not found then
    raise exception 'another request has this Idempotency-Key by now' using errcode = 'serialization_failure';
  end if;
  return true;
end
$function$

CREATE OR REPLACE FUNCTION matching_holdings(p_tenant uuid, p_connection uuid, p_revision bigint, p_portfolio uuid, p_accounts uuid[], p_currencies text[], p_types text[], p_subtypes text[], p_min_balance numeric, p_name text, p_isins text[])
 RETURNS SETOF holdings
 LANGUAGE sql
 STABLE
AS $function$
  select h.*
  from holdings h
  where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = p_revision
    and (p_portfolio is null or h.portfolio_id = p_portfolio)
    and (p_accounts is null or h.portfolio_id = any (p_accounts))
    and (p_currencies is null or h.currency = any (p_currencies))
    and (p_types is null or h.type = any (p_types))
    and (p_subtypes is null or h.subtype = any (p_subtypes))
    and (p_min_balance is null or h.balance >= p_min_balance)
    and (p_name is null or strpos(h.name_key, p_name) > 0)
    and (p_isins is null or h.isin = any (p_isins))
$function$

CREATE OR REPLACE FUNCTION matching_portfolios(p_tenant uuid, p_connection uuid, p_revision bigint, p_currencies text[], p_types text[], p_min_balance numeric, p_name text)
 RETURNS SETOF portfolios
 LANGUAGE sql
 STABLE
AS $function$
  select p.*
  from portfolios p
  where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = p_revision
    and (p_currencies is null or p.currency = any (p_currencies))
    and (p_types is null or p.type = any (p_types))
    and (p_min_balance is null or p.balance >= p_min_balance)
    and (p_name is null or strpos(p.name_key, p_name) > 0)
$function$

CREATE OR REPLACE FUNCTION matching_transactions(p_tenant uuid, p_connections uuid[], p_revision bigint, p_holding uuid, p_from date, p_to date, p_name text, p_isins text[], p_kinds text[])
 RETURNS SETOF transactions
 LANGUAGE sql
 STABLE
AS $function$
  select t.*
  from transactions t
  where t.tenant_id = p_tenant
    and (p_connections is null or t.connection_id = any (p_connections))
    and (p_revision is null or t.revision <= p_revision)
    and (p_holding is null or t.holding_id = p_holding)
    and (p_from is null or t.operation_date >= p_from)
    and (p_to is null or t.operation_date <= p_to)
    and (p_name is null or strpos(coalesce(t.description_key, lower(t.description collate "C")), p_name) > 0)
    and (p_isins is null or t.isin = any (p_isins))
    and (p_kinds is null or t.kind = any (p_kinds))
  union all
  select
    r.tenant_id, r.connection_id, r.transaction_id, r.revision, r.portfolio_id, r.holding_id, r.operation_date, r.description,
    r.amount, r.balance, r.currency, r.unit_price, r.item, r.facts, r.description_key, r.kind, r.isin, r.read_at, r.file, r.place
  from replaced_transactions r
  where p_revision is not null and r.tenant_id = p_tenant and r.revision <= p_revision and r.until_revision > p_revision
    and (p_connections is null or r.connection_id = any (p_connections))
    and (p_holding is null or r.holding_id = p_holding)
    and (p_from is null or r.operation_date >= p_from)
    and (p_to is null or r.operation_date <= p_to)
    and (p_name is null or strpos(coalesce(r.description_key, lower(r.description collate "C")), p_name) > 0)
    and (p_isins is null or r.isin = any (p_isins))
    and (p_kinds is null or r.kind = any (p_kinds))
$function$

CREATE OR REPLACE FUNCTION may_grant(p_application_id uuid, p_secret_id uuid, p_client_id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from applications a
  where a.application_id = p_application_id or a.client_id = p_client_id
  order by a.application_id
  for share;
  perform from applications a join application_secrets s using (application_id)
  where a.application_id = p_application_id and a.enabled and s.secret_id = p_secret_id
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
    and (not starts_with(p_client_id, 'wca_') or exists (
      select from applications c
      where c.client_id = p_client_id and c.enabled
        and not exists (select from disabled_tenants d where d.tenant_id = c.tenant_id)
    ))
  for share of s;
  return found;
end
$function$

CREATE OR REPLACE FUNCTION may_grant_person(p_tenant_id uuid, p_application_id uuid, p_person_id uuid, p_client_id text, p_role text, p_session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from applications a
  where a.application_id = p_application_id or a.client_id = p_client_id
  order by a.application_id
  for share;
  perform pg_advisory_xact_lock_shared(hashtext('people'), hashtext(p_tenant_id::text));
  perform from applications a join people p using (tenant_id)
  where a.application_id = p_application_id and a.tenant_id = p_tenant_id and a.of_people and a.enabled
    and p.person_id = p_person_id and p.ended_at is null
    and (p_role is null or p.role = p_role)
    and (p_session_id is null or exists (
      select from people_sessions s
      where s.tenant_id = p_tenant_id and s.session_id = p_session_id and s.person_id = p_person_id
    ))
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
    and (not starts_with(p_client_id, 'wca_') or exists (
      select from applications c
      where c.client_id = p_client_id and c.enabled
        and not exists (select from disabled_tenants d where d.tenant_id = c.tenant_id)
    ));
  return found;
end
$function$

CREATE OR REPLACE FUNCTION names_of(p_reader uuid, p_tenants uuid[], p_ids uuid[], p_texts text[])
 RETURNS TABLE(id text, kind text, name text, of_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
  with asked as (
    select distinct coalesce(p_reader, a.tenant_id) as tenant_id, a.id from unnest(p_tenants, p_ids) a (tenant_id, id)
  ), clients as (
    select a.client_id, a.name, 'application' as kind from applications a where p_reader is null or a.tenant_id = p_reader
    union all
    select r.client_id, r.client_name, 'client' from registered_clients r
    where p_reader is null or exists (select from grants g where g.client_id = r.client_id and g.tenant_id = p_reader)
  )
  select t.tenant_id::text, 'tenant', t.name, null from tenants t
  where t.tenant_id = any (p_ids) and (p_reader is null or t.tenant_id = p_reader)
  union all
  select p.person_id::text, 'person', p.name, null from asked join people p on p.tenant_id = asked.tenant_id and p.person_id = asked.id
  union all
  select p.person_id::text, 'person', p.name, null from people p
  where p_reader is null and p.tenant_id = '00000000-0000-0000-0000-000000000000' and p.person_id = any (p_ids)
  union all
  select a.application_id::text, 'application', a.name, null from applications a
  where a.application_id = any (p_ids) and (p_reader is null or a.tenant_id = p_reader)
  union all
  select c.client_id, c.kind, c.name, null from clients c where c.client_id = any (p_texts)
  union all
  select g.grant_id::text, 'grant', coalesce(c.name, g.client_id), null from grants g left join clients c on c.client_id = g.client_id
  where g.grant_id = any (p_ids) and g.client_id <> '' and (p_reader is null or g.tenant_id = p_reader)
  union all
  select l.letter_id::text, 'letter',
    (select string_agg(value, ', ' order by key) from jsonb_each_text(l.labels)), coalesce(c.name, l.connector_id)
  from asked join letters l on l.tenant_id = asked.tenant_id and l.letter_id = asked.id
  left join connectors c on c.connector_id = l.connector_id
  union all
  select c.connection_id::text, 'connection', c.bank, null
  from asked join connections c on c.tenant_id = asked.tenant_id and c.connection_id = asked.id
  union all
  select s.session_id::text, 'session', null, c.name
  from asked join sessions s on s.tenant_id = asked.tenant_id and s.session_id = asked.id
  left join connectors c on c.connector_id = s.connector_id
  union all
  select w.endpoint_id::text, 'webhook_endpoint', coalesce(nullif(w.description, ''), substring(w.url from '^https?://([^/?#]+)')), null
  from asked join webhook_endpoints w on w.tenant_id = asked.tenant_id and w.endpoint_id = asked.id
  union all
  select r.token_id::text, 'registration_token', r.name, null from registration_tokens r
  where p_reader is null and r.token_id = any (p_ids)
  union all
  select f.token_id::text, 'source_token', f.name, f.source from feed_tokens f where p_reader is null and f.token_id = any (p_ids)
  union all
  select f.file_id::text, 'file', f.name, f.source from feed_source_files f where p_reader is null and f.file_id = any (p_ids)
  union all
  select c.connector_id, 'connector', c.name, null from connectors c where c.connector_id = any (p_texts)
  union all
  select k.fingerprint, 'feed_key', max(k.user_ids[1]), max(k.owner) from feed_keys k
  where p_reader is null and k.fingerprint = any (p_texts) group by k.fingerprint
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION new_event_id()
 RETURNS uuid
 LANGUAGE sql
AS $function$
  select encode(
    -- Changes the version from 4 to 7.
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$function$

CREATE OR REPLACE FUNCTION notify_grant_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into events (tenant_id, type, object_id, data)
  values (old.tenant_id, 'grant.ended', old.grant_id, jsonb_build_object(
    'grant_id', old.grant_id,
    'client_id', old.client_id,
    'reason', case tg_op when 'DELETE' then 'expired' else coalesce(nullif(current_setting('wealth_connect.grant_end', true), ''), 'revoked') end
  ));
  return null;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION number_events(p_log uuid, p_logs integer, p_limit integer)
 RETURNS TABLE(type text, events bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  waiting uuid;
begin
  for waiting in
    select w.tenant_id
    from (
      select distinct e.tenant_id from events e
      where e.sequence is null and (p_log is null or e.tenant_id = p_log)
      limit p_logs
    ) w
    order by w.tenant_id
  loop
    return query select numbered.type, count(*) from sequence_events(waiting, p_limit) numbered (type) group by numbered.type;
  end loop;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION open_sessions_used(p_tenant uuid, p_at timestamp with time zone)
 RETURNS TABLE(open_sessions bigint, first_ends timestamp with time zone, session_bytes bigint)
 LANGUAGE plpgsql
AS $function$
begin
  insert into tenant_usage (tenant_id) values (p_tenant) on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = p_tenant for update;
  return query
    select count(*), min(s.expires_at), coalesce(sum(s.session_bytes), 0)::bigint from sessions s
    where s.tenant_id = p_tenant and not s.finished and s.expires_at > p_at;
end
$function$

CREATE OR REPLACE FUNCTION orphan_object()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into orphaned_objects values (old.tenant_id, old.object_key, '-infinity');
  return null;
end
$function$

CREATE OR REPLACE FUNCTION orphaned_objects_due(p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, object_key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select tenant_id, object_key from orphaned_objects where due_at <= p_now order by due_at limit p_limit
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION picked_item(p_item text, p_facts text, p_fields text[], p_source uuid)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  item json := p_item;
  facts json := p_facts;
  field text;
  picked text := '';
begin
  foreach field in array p_fields loop
    picked := picked || ',"' || field || '":' || coalesce((item -> field)::text, (facts -> field)::text, 'null');
  end loop;
  if p_source is not null then
    picked := picked || ',"credentials_token":"' || p_source || '"';
  end if;
  return '{' || substr(picked, 2) || '}';
end
$function$

CREATE OR REPLACE FUNCTION publish_snapshot(p_tenant uuid, p_connection uuid, p_as_of timestamp with time zone, p_stale_at timestamp with time zone, p_published_at timestamp with time zone, p_portfolios json, p_holdings json, p_transactions json, p_complete_from date, p_digests jsonb, p_valued json, p_many integer)
 RETURNS TABLE(revision bigint, changed text[], corrected integer, withdrawn integer)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  replaced jsonb;
  before jsonb;
  now jsonb;
  begun jsonb := '{}';
begin
  corrected := 0;
  withdrawn := 0;
  select b.revision, b.replaced into revision, replaced
  from begin_publication(p_tenant, p_connection, p_published_at, array_remove(array[
    case when p_portfolios is not null then 'portfolio' end,
    case when p_holdings is not null then 'investment' end,
    case when p_transactions is not null then 'transaction' end
  ], null)) b;
  if p_portfolios is not null then
    select jsonb_build_object(
      'as_of', p_as_of, 'stale_at', p_stale_at, 'row_count', coalesce(sum(i.row_count), 0),
      'totals', totals_of(jsonb_agg(i)), 'digest', p_digests ->> 'portfolio'
    )
    into now from insert_portfolios(p_tenant, p_connection, publish_snapshot.revision, 0, p_portfolios) i;
    begun := begun || jsonb_build_object('portfolio', now);
  end if;
  if p_holdings is not null then
    select jsonb_build_object(
      'as_of', p_as_of, 'stale_at', p_stale_at, 'row_count', coalesce(sum(i.row_count), 0),
      'totals', totals_of(jsonb_agg(i)), 'digest', p_digests ->> 'investment',
      'oldest_day', min(i.oldest_day), 'newest_day', max(i.newest_day)
    )
    into now from insert_holdings(p_tenant, p_connection, publish_snapshot.revision, 0, p_holdings) i;
    begun := begun || jsonb_build_object('investment', now);
  end if;
  if p_transactions is not null then
    before := replaced -> 'transaction';
    if before is not null then
      corrected := replace_transactions(p_tenant, p_connection, publish_snapshot.revision, p_published_at, p_transactions);
      if p_complete_from is not null then
        withdrawn := withdraw_missing(
          p_tenant, p_connection, publish_snapshot.revision, p_published_at, p_transactions, p_complete_from
        );
      end if;
    end if;
    select jsonb_build_object(
      'as_of', p_as_of,
      'stale_at', p_stale_at,
      'row_count', coalesce(sum(i.row_count), 0) + coalesce((before ->> 'row_count')::bigint, 0) - corrected - withdrawn,
      'totals', added_totals(totals_of(jsonb_agg(i)), before -> 'totals'),
      'is_other', withdrawn > 0 or coalesce(sum(i.row_count), 0) > 0,
      'digest', p_digests ->> 'transaction'
    )
    into now from insert_transactions(p_tenant, p_connection, publish_snapshot.revision, p_published_at, p_transactions) i;
    -- Sums cannot be corrected by subtraction: which decimals and currencies they have depends on all rows.
    if corrected + withdrawn > 0 then
      now := now || (
        select jsonb_build_object('totals', totals_of(jsonb_agg(a)))
        from (
          select t.currency, count(*) as row_count, count(t.balance) as valued, sum(t.balance) as balance from transactions t
          where t.tenant_id = p_tenant and t.connection_id = p_connection
          group by t.currency
        ) a
      );
    end if;
    begun := begun || jsonb_build_object('transaction', now);
  end if;
  changed := end_publication(p_tenant, p_connection, publish_snapshot.revision, replaced, begun, p_many);
  if p_valued is not null then
    perform store_valuations(p_tenant, p_connection, p_valued);
  end if;
  return next;
end
$function$

CREATE OR REPLACE FUNCTION read_all_holdings(p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  start bigint := 0;
  found_row page_row;
  page page_row[];
  sources cursor for select * from latest_sources(p_tenant, 'investment') s order by s.created_at, s.connection_id;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_holdings(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in sources loop
    exit when start >= p_offset + p_limit;
    if start + source.row_count > p_offset then
      for found_row in
        select h.item, h.facts, h.connection_id, h.portfolio_id, null
        from holdings h
        where h.tenant_id = p_tenant and h.connection_id = source.connection_id and h.revision = source.revision
          and h.ordinal >= p_offset - start and h.ordinal < p_offset + p_limit - start
        order by h.ordinal
      loop
        page := page || found_row;
      end loop;
    end if;
    start := start + source.row_count;
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'investment', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$function$

CREATE OR REPLACE FUNCTION read_all_portfolios(p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  start bigint := 0;
  found_row page_row;
  page page_row[];
  sources cursor for select * from latest_sources(p_tenant, 'portfolio') s order by s.created_at, s.connection_id;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_portfolios(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in sources loop
    exit when start >= p_offset + p_limit;
    if start + source.row_count > p_offset then
      for found_row in
        select p.item, null, p.connection_id, null, null
        from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = source.connection_id and p.revision = source.revision
          and p.ordinal >= p_offset - start and p.ordinal < p_offset + p_limit - start
        order by p.ordinal
      loop
        page := page || found_row;
      end loop;
    end if;
    start := start + source.row_count;
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'portfolio', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$function$

CREATE OR REPLACE FUNCTION read_all_transactions(p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  found_row page_row;
  page page_row[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_transactions(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for found_row in
    select t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id
    from transactions t
    where t.tenant_id = p_tenant
    order by t.operation_date desc, t.transaction_id desc, t.connection_id
    offset p_offset limit p_limit
  loop
    page := page || found_row;
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'transaction', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$function$

CREATE OR REPLACE FUNCTION read_holdings(p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone)
 RETURNS SETOF data_part
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.row_count::bigint, d.totals,
      case when d.from_ordinal < d.row_count and d.to_ordinal > 0 then found_page(
        p_tenant, p_revision, p_fields, p_with_source, array(
          select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
          from holdings h
          where h.tenant_id = p_tenant and h.connection_id = d.connection_id and h.revision = d.revision
            -- Row-level security keeps expressions over columns, such as `p_offset - d.start`, out of index conditions.
            and h.ordinal >= d.from_ordinal and h.ordinal < d.to_ordinal
          order by h.ordinal
        )
      ) end,
      d.stale_at < p_now, to_char(d.oldest_day, 'YYYY-MM-DD'), to_char(d.newest_day, 'YYYY-MM-DD'), null::jsonb
    from (
      select
        s.*,
        p_offset + s.row_count - sum(s.row_count) over up_to_this as from_ordinal,
        p_offset + p_limit + s.row_count - sum(s.row_count) over up_to_this as to_ordinal
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      window up_to_this as (order by s.created_at, s.connection_id rows unbounded preceding)
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$function$

CREATE OR REPLACE FUNCTION read_portfolios(p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone)
 RETURNS SETOF data_part
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.row_count::bigint, d.totals,
      case when d.from_ordinal < d.row_count and d.to_ordinal > 0 then found_page(
        p_tenant, p_revision, p_fields, p_with_source, array(
          select row(p.item, null, p.connection_id, null, null)::page_row
          from portfolios p
          where p.tenant_id = p_tenant and p.connection_id = d.connection_id and p.revision = d.revision
            -- Row-level security keeps expressions over columns, such as `p_offset - d.start`, out of index conditions.
            and p.ordinal >= d.from_ordinal and p.ordinal < d.to_ordinal
          order by p.ordinal
        )
      ) end,
      d.stale_at < p_now, d.as_of, d.as_of, null::jsonb
    from (
      select
        s.*,
        p_offset + s.row_count - sum(s.row_count) over up_to_this as from_ordinal,
        p_offset + p_limit + s.row_count - sum(s.row_count) over up_to_this as to_ordinal
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      window up_to_this as (order by s.created_at, s.connection_id rows unbounded preceding)
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$function$

CREATE OR REPLACE FUNCTION read_sorted_holdings(p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone, p_sort text)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  run record;
  page page_row[];
  is_reverse boolean := p_sort in ('-name', 'valuation_date');
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint
      from search_holdings(
        p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null, null, null, null
      ) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  for run in select * from sorted_runs(p_tenant, 'investment', p_sort, p_offset, p_limit) loop
    page := page || array(
      select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
      from holdings h
      where h.tenant_id = p_tenant
        and (run.currency is null or (h.currency = run.currency and h.is_notional = run.is_notional))
        and (run.is_unknown is null or (case when p_sort = 'valuation_date' then h.valuation_date is null else h.balance is null end) = run.is_unknown)
        and (
          -- A row of a current snapshot: the table also holds those that were replaced a short while ago.
          select s.until_revision is null from snapshots s
          where s.tenant_id = p_tenant and s.connection_id = h.connection_id and s.product = 'investment' and s.revision = h.revision
        )
      order by
        case when p_sort = '-balance' or p_sort = 'balance' and run.is_unknown then h.balance end desc nulls last,
        case when p_sort = 'balance' and not run.is_unknown then h.balance end nulls first,
        case when p_sort = 'name' then h.name_key end,
        case when p_sort = '-name' then h.name_key end desc,
        case when p_sort = '-valuation_date' then h.valuation_date end desc nulls last,
        case when p_sort = 'valuation_date' then h.valuation_date end nulls first,
        case when is_reverse then h.holding_id end desc, case when is_reverse then h.connection_id end desc,
        h.holding_id, h.connection_id
      offset run.skipped limit run.wanted
    );
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'investment', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$function$

CREATE OR REPLACE FUNCTION read_sorted_portfolios(p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone, p_sort text)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  run record;
  page page_row[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint
      from search_portfolios(
        p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null
      ) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  for run in select * from sorted_runs(p_tenant, 'portfolio', p_sort, p_offset, p_limit) loop
    page := page || array(
      select row(p.item, null, p.connection_id, null, null)::page_row
      from portfolios p
      where p.tenant_id = p_tenant
        and (run.currency is null or (p.currency = run.currency))
        and (run.is_unknown is null or (p.balance is null) = run.is_unknown)
        and (
          -- A row of a current snapshot: the table also holds those that were replaced a short while ago.
          select s.until_revision is null from snapshots s
          where s.tenant_id = p_tenant and s.connection_id = p.connection_id and s.product = 'portfolio' and s.revision = p.revision
        )
      order by
        case when p_sort = '-balance' or run.is_unknown then p.balance end desc nulls last,
        case when p_sort = 'balance' and not run.is_unknown then p.balance end nulls first,
        case when p_sort = 'name' then p.name_key end,
        case when p_sort = '-name' then p.name_key end desc,
        case when p_sort = '-name' then p.portfolio_id end desc, case when p_sort = '-name' then p.connection_id end desc,
        p.portfolio_id, p.connection_id
      offset run.skipped limit run.wanted
    );
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'portfolio', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$function$

CREATE OR REPLACE FUNCTION read_sorted_transactions(p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone, p_sort text)
 RETURNS SETOF data_part_of_all
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  run record;
  page page_row[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint
      from search_transactions(
        p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null, null, null
      ) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  for run in select * from sorted_runs(p_tenant, 'transaction', p_sort, p_offset, p_limit) loop
    page := page || array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from transactions t
      where t.tenant_id = p_tenant
        and (run.currency is null or (t.currency = run.currency))
        and (run.is_unknown is null or (t.balance is null) = run.is_unknown)
      order by
        case when p_sort = '-balance' or run.is_unknown then t.balance end desc nulls last,
        case when p_sort = 'balance' and not run.is_unknown then t.balance end nulls first,
        case when p_sort = 'operationDate' then t.operation_date end,
        t.transaction_id, t.connection_id
      offset run.skipped limit run.wanted
    );
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'transaction', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$function$

CREATE OR REPLACE FUNCTION read_transaction_versions(p_tenant uuid, p_connection uuid, p_transaction uuid, p_fields text[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  version record;
  later bigint;
  page page_row[] := '{}';
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  perform from connections c where c.tenant_id = p_tenant and c.connection_id = p_connection;
  if not found then
    return null;
  end if;
  for version in
    select t.item, t.facts, t.portfolio_id, t.holding_id, t.revision, null::bigint as until_revision, t.read_at, null::timestamptz as replaced_at
    from transactions t
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.transaction_id = p_transaction
    union all
    select * from (
      select r.item, r.facts, r.portfolio_id, r.holding_id, r.revision, r.until_revision, r.read_at, r.replaced_at
      from replaced_transactions r
      where r.tenant_id = p_tenant and r.connection_id = p_connection and r.transaction_id = p_transaction
      order by r.until_revision desc
      limit 10
    ) f
    order by revision desc
  loop
    page := page || row(
      version.item,
      '{"read_at":"' || to_char(version.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
        || coalesce(
          ',"ended_at":"' || to_char(version.replaced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","ended_by":"'
            || case when later = version.until_revision then 'replaced' else 'withdrawn' end || '"',
          ''
        )
        || coalesce(',' || substr(left(version.facts, -1), 2), '') || '}',
      p_connection, version.portfolio_id, version.holding_id
    )::page_row;
    later := version.revision;
  end loop;
  return '[' || coalesce(found_page(p_tenant, null, p_fields, false, page), '') || ']';
end
$function$

CREATE OR REPLACE FUNCTION read_transactions(p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone)
 RETURNS SETOF data_part
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  page page_row[];
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if p_revision is not null and exists (
    select from replaced_transactions r where r.tenant_id = p_tenant and r.until_revision > p_revision
  ) then
    page := array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from matching_transactions(p_tenant, p_connections, p_revision, null, null, null, null, null, null) t
      order by t.operation_date desc, t.transaction_id desc, t.connection_id
      offset p_offset limit p_limit
    );
  elsif p_connections is null then
    page := array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from transactions t
      where t.tenant_id = p_tenant and (p_revision is null or t.revision <= p_revision)
      order by t.operation_date desc, t.transaction_id desc, t.connection_id
      offset p_offset limit p_limit
    );
  else
    -- The newest transactions of each connection, then the newest of those.
    page := array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from unnest(p_connections) asked (connection_id)
      cross join lateral (
        select * from transactions
        where tenant_id = p_tenant and transactions.connection_id = asked.connection_id and (p_revision is null or revision <= p_revision)
        order by operation_date desc, transaction_id desc
        limit p_offset + p_limit
      ) t
      order by t.operation_date desc, t.transaction_id desc, t.connection_id
      offset p_offset limit p_limit
    );
  end if;
  return query
    select
      s.tenant_revision, s.pruned_revision, null::boolean, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, s.row_count::bigint, s.totals,
      case when row_number() over (order by s.created_at, s.connection_id) = 1
        then found_page(p_tenant, p_revision, p_fields, p_with_source, page) end,
      s.stale_at < p_now, s.as_of, s.as_of, null::jsonb
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$function$

CREATE OR REPLACE FUNCTION reap_events(p_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select c.tenant_id, found.event_id
    from event_counters c cross join lateral (
      select e.event_id from events e
      where e.tenant_id = c.tenant_id and e.sequence is not null and e.created_at < p_before
      order by e.created_at
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from events e using old where e.tenant_id = old.tenant_id and e.event_id = old.event_id
    returning e.event_id
  )
  select count(*) from gone
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_idempotency_keys(p_now timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select t.tenant_id, found.application_id, found.key
    from tenants t cross join lateral (
      select c.application_id, c.key from idempotency_keys c
      where c.tenant_id = t.tenant_id and c.expires_at < p_now
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from idempotency_keys k using old
    where k.tenant_id = old.tenant_id and k.application_id = old.application_id and k.key = old.key and k.expires_at < p_now
    returning k.key
  )
  select count(*) from gone
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_mails(p_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select t.tenant_id, found.mail_id
    from tenants t cross join lateral (
      select c.mail_id from mails c
      where c.tenant_id = t.tenant_id and c.state in ('sent', 'withdrawn') and c.settled_at < p_before
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from mails m using old where m.tenant_id = old.tenant_id and m.mail_id = old.mail_id
    returning m.mail_id
  )
  select count(*) from gone
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_people_sessions(p_at timestamp with time zone, p_seen_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old_sessions as (
    delete from people_sessions s
    using (
      select o.tenant_id, o.session_id from people_sessions o
      where o.expires_at < p_at or o.seen_at < p_seen_before
      limit p_limit for update skip locked
    ) o
    where s.tenant_id = o.tenant_id and s.session_id = o.session_id
    returning 1
  ), old_ceremonies as (
    delete from people_ceremonies c
    using (select o.tenant_id, o.ceremony_id from people_ceremonies o where o.expires_at < p_at limit p_limit for update skip locked) o
    where c.tenant_id = o.tenant_id and c.ceremony_id = o.ceremony_id
    returning 1
  ), old_invitations as (
    update people p set invitation_hash = null, invitation_expires_at = null
    from (
      select o.tenant_id, o.person_id from people o where o.invitation_expires_at < p_at limit p_limit for update skip locked
    ) o
    where p.tenant_id = o.tenant_id and p.person_id = o.person_id
    returning 1
  ), never_here as (
    delete from people p
    using (
      select o.tenant_id, o.person_id from people o
      where o.joined_at is null and o.ended_at < p_at - interval '30 days'
      limit p_limit for update skip locked
    ) o
    where p.tenant_id = o.tenant_id and p.person_id = o.person_id
    returning 1
  )
  select (select count(*) from old_sessions) + (select count(*) from old_ceremonies) + (select count(*) from old_invitations)
    + (select count(*) from never_here)
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_replaced_transactions(p_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select t.tenant_id, found.until_revision, found.connection_id, found.transaction_id
    from tenant_revisions t cross join lateral (
      select r.until_revision, r.connection_id, r.transaction_id from replaced_transactions r
      where r.tenant_id = t.tenant_id and r.replaced_at < p_before and r.until_revision <= t.pruned_revision
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from replaced_transactions r using old
    where r.tenant_id = old.tenant_id and r.until_revision = old.until_revision
      and r.connection_id = old.connection_id and r.transaction_id = old.transaction_id
    returning r.transaction_id
  )
  select count(*) from gone
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_replaced_valuations(p_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select t.tenant_id, f.connection_id, f.portfolio_id, f.day, f.came_at
    from tenants t cross join lateral (
      select r.connection_id, r.portfolio_id, r.day, r.came_at from replaced_valuations r
      where r.tenant_id = t.tenant_id and r.replaced_at < p_before
      limit p_limit
    ) f
    limit p_limit
  ), gone as (
    delete from replaced_valuations r using old
    where r.tenant_id = old.tenant_id and r.connection_id = old.connection_id and r.portfolio_id = old.portfolio_id
      and r.day = old.day and r.came_at = old.came_at
    returning r.day
  )
  select count(*) from gone
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_sessions(p_before timestamp with time zone, p_limit integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select t.tenant_id, found.session_id
    from tenants t cross join lateral (
      select c.session_id from sessions c
      where c.tenant_id = t.tenant_id and c.finished and c.updated_at < p_before
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from sessions s using old
    where s.tenant_id = old.tenant_id and s.session_id = old.session_id
    returning s.link_hash
  ), links as (
    delete from session_links l using gone where l.link_hash = gone.link_hash
  )
  select count(*) from gone
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_snapshots(p_before timestamp with time zone, p_limit integer)
 RETURNS TABLE(portfolios bigint, holdings bigint, snapshots bigint)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  found_snapshots jsonb;
begin
  portfolios := 0;
  holdings := 0;
  snapshots := 0;
  select jsonb_agg(to_jsonb(o)) into found_snapshots
  from (
    select t.tenant_id, f.connection_id, f.product, f.revision, f.until_revision
    from tenants t cross join lateral (
      select c.connection_id, c.product, c.revision, c.until_revision from snapshots c
      where c.tenant_id = t.tenant_id and c.replaced_at < p_before
      limit p_limit
    ) f
    limit p_limit
  ) o;
  if found_snapshots is null then
    return next;
    return;
  end if;
  -- The lock that publications and removals take. Tenants are locked in one order, so that two callers cannot deadlock.
  perform from tenant_revisions r
  where r.tenant_id in (select o.tenant_id from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid))
  order by r.tenant_id for update;
  update tenant_revisions r set pruned_revision = greatest(r.pruned_revision, pruned.until_revision)
  from (
    select o.tenant_id, max(o.until_revision) as until_revision
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, until_revision bigint)
    group by o.tenant_id
  ) pruned
  where r.tenant_id = pruned.tenant_id;

  delete from portfolios r using (
    select c.tenant_id, c.connection_id, c.revision, c.ordinal
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
    join portfolios c using (tenant_id, connection_id, revision)
    where o.product = 'portfolio'
    limit p_limit
  ) batch
  where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
    and r.revision = batch.revision and r.ordinal = batch.ordinal;
  get diagnostics portfolios = row_count;

  delete from holdings r using (
    select c.tenant_id, c.connection_id, c.revision, c.ordinal
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
    join holdings c using (tenant_id, connection_id, revision)
    where o.product = 'investment'
    limit p_limit
  ) batch
  where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
    and r.revision = batch.revision and r.ordinal = batch.ordinal;
  get diagnostics holdings = row_count;

  delete from snapshots s
  using jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
  where s.tenant_id = o.tenant_id and s.connection_id = o.connection_id and s.product = o.product and s.revision = o.revision
    and not (s.product = 'portfolio' and exists (
      select from portfolios r
      where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
    ))
    and not (s.product = 'investment' and exists (
      select from holdings r
      where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
    ));
  get diagnostics snapshots = row_count;
  return next;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_valuations(p_before date, p_by_tenant jsonb, p_limit integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  found_valuations jsonb;
begin
  select jsonb_agg(to_jsonb(o)) into found_valuations
  from (
    select t.tenant_id, f.connection_id, f.portfolio_id, f.day
    from tenants t cross join lateral (
      select v.connection_id, v.portfolio_id, v.day from valuations v
      where v.tenant_id = t.tenant_id and v.day < coalesce((p_by_tenant ->> t.tenant_id::text)::date, p_before)
        and exists (
          select from valuations n
          where n.tenant_id = v.tenant_id and n.connection_id = v.connection_id and n.portfolio_id = v.portfolio_id and n.day > v.day
        )
      limit p_limit
    ) f
    limit p_limit
  ) o;
  if found_valuations is null then
    return 0;
  end if;
  -- The lock that publications and removals take.
  perform from tenant_revisions r
  where r.tenant_id in (select o.tenant_id from jsonb_to_recordset(found_valuations) as o (tenant_id uuid))
  order by r.tenant_id for update;
  delete from valuations v
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid, day date)
  where v.tenant_id = o.tenant_id and v.connection_id = o.connection_id and v.portfolio_id = o.portfolio_id and v.day = o.day;
  delete from replaced_valuations r
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid, day date)
  where r.tenant_id = o.tenant_id and r.connection_id = o.connection_id and r.portfolio_id = o.portfolio_id and r.day = o.day;
  delete from valued_months m
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid, day date)
  where m.tenant_id = o.tenant_id and m.connection_id = o.connection_id and m.portfolio_id = o.portfolio_id and m.first_day <= o.day;
  delete from valued_holdings h
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid), valued_accounts a
  where h.tenant_id = o.tenant_id and h.connection_id = o.connection_id and h.portfolio_id = o.portfolio_id
    and a.tenant_id = h.tenant_id and a.connection_id = h.connection_id and a.portfolio_id = h.portfolio_id
    and a.content is distinct from h.content
    and not exists (
      select from valuations v
      where v.tenant_id = h.tenant_id and v.connection_id = h.connection_id and v.portfolio_id = h.portfolio_id
        and v.day between h.first_day and h.last_day and v.content = h.content
    );
  return jsonb_array_length(found_valuations);
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_waiting_statements(p_before timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, connection_id uuid, letter_id uuid, statement text, title text, pages integer[], last_page integer, first_at timestamp with time zone, latest_at timestamp with time zone, expired_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select w.* from waiting_statements(null) w where w.expired_at < p_before limit p_limit
  ), gone as (
    delete from feed_pages p using old w
    where p.tenant_id = w.tenant_id and p.connection_id = w.connection_id and p.statement = w.statement
  )
  select w.* from old w
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION reap_webhooks(p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(deliveries bigint, endpoints bigint)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with old as (
    select w.tenant_id, w.endpoint_id, found.sequence
    from webhook_endpoints w
    cross join lateral (
      select case when w.removed_at is null then (
        select coalesce(min(e.sequence), 9223372036854775807) from events e where e.tenant_id = w.tenant_id and e.sequence is not null
      ) else 9223372036854775807 end as first_kept
    ) kept
    cross join lateral (
      select d.sequence from webhook_deliveries d
      where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id and d.sequence < kept.first_kept
      order by d.sequence
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from webhook_deliveries d using old
    where d.tenant_id = old.tenant_id and d.endpoint_id = old.endpoint_id and d.sequence = old.sequence
    returning d.sequence
  ), empty as (
    delete from webhook_endpoints w
    where w.removed_at is not null and not exists (
      select from webhook_deliveries d where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id
    )
    returning w.endpoint_id
  ), forgotten as (
    update webhook_endpoints w
    set sealed_earlier_secret = null, earlier_until = null,
      sealed_previous_secret = case when w.previous_until > p_now then w.sealed_previous_secret end,
      previous_until = case when w.previous_until > p_now then w.previous_until end
    where w.removed_at is null and least(w.previous_until, w.earlier_until) <= p_now
  )
  select (select count(*) from gone), (select count(*) from empty)
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION redeem_code(p_redemption jsonb)
 RETURNS TABLE(outcome text, reason text, kept grants)
 LANGUAGE plpgsql
AS $function$
declare
  at timestamptz := p_redemption ->> 'at';
  answer authorization_answers;
  is_allowed boolean;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select case
    when a.person_id is null then may_grant(a.application_id, a.secret_id, a.client_id)
    else may_grant_person(a.tenant_id, a.application_id, a.person_id, a.client_id, null, null)
  end into is_allowed
  from authorization_answers a where a.request_id = (p_redemption ->> 'request_id')::uuid;
  select a.* into answer from authorization_answers a where a.request_id = (p_redemption ->> 'request_id')::uuid for update;
  outcome := 'refused';
  reason := case
    when answer.code_hash is null or answer.code_hash <> p_redemption ->> 'code_hash' then 'unknown'
    when answer.client_id <> p_redemption ->> 'client_id' then 'other_client'
    when answer.redirect_uri <> p_redemption ->> 'redirect_uri' or answer.code_challenge <> p_redemption ->> 'code_challenge' then 'mismatch'
    when answer.dpop_jkt is not null and answer.dpop_jkt is distinct from p_redemption ->> 'dpop_jkt' then 'mismatch'
    when answer.redeemed_as is not null then 'reused'
    when answer.expires_at <= at then 'expired'
    when p_redemption ? 'audience' and exists (select from jsonb_array_elements_text(p_redemption -> 'audience') a (audience) where a.audience <> all (answer.audience)) then 'audience'
    when not is_allowed or lacks_key(answer.client_id, p_redemption ->> 'dpop_jkt') then 'not_allowed'
  end;
  if reason = 'reused' then
    perform set_config('wealth_connect.grant_end', 'code_reused', true);
    update grants g set ended_at = at, ended_by = pg_current_xact_id() where g.grant_id = answer.redeemed_as and g.ended_at is null;
    select g.* into kept from grants g where g.grant_id = answer.redeemed_as;
  elsif reason is null then
    outcome := 'redeemed';
    kept := jsonb_populate_record(null::grants, jsonb_build_object(
      'grant_id', p_redemption -> 'grant' -> 'grant_id',
      'tenant_id', answer.tenant_id,
      'application_id', answer.application_id,
      'client_id', answer.client_id,
      'secret_id', answer.secret_id,
      'person_id', answer.person_id,
      'flow', 'browser',
      'is_confidential', p_redemption -> 'is_confidential',
      'is_limited', coalesce(answer.is_limited, false),
      'dpop_jkt', p_redemption -> 'dpop_jkt',
      'scopes', answer.scopes,
      'audience', coalesce(p_redemption -> 'audience', to_jsonb(answer.audience)),
      'created_at', at,
      'refresh_seconds', p_redemption -> 'grant' -> 'refresh_seconds',
      'refresh_expires_at', at + make_interval(secs => (p_redemption -> 'grant' ->> 'refresh_seconds')::integer),
      'last_issued_at', at,
      'token_hash', p_redemption -> 'grant' -> 'refresh_token_hash'
    ));
    insert into grants values (kept.*);
    if kept.is_limited then
      update client_limits l set holder_id = kept.grant_id where l.tenant_id = kept.tenant_id and l.holder_id = answer.request_id;
    end if;
    update authorization_answers a set redeemed_as = kept.grant_id where a.request_id = answer.request_id;
  end if;
  return next;
end
$function$

CREATE OR REPLACE FUNCTION remove_tenant(p_tenant uuid, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  clients text[];
begin
  -- Every writer for the tenant locks one of these rows. From here on writers wait, and then find nothing.
  perform from tenants where tenant_id = p_tenant for update;
  if not found then
    return false;
  end if;
  if not exists (select from disabled_tenants where tenant_id = p_tenant) then
    raise exception 'tenant % is not switched off', p_tenant using errcode = 'object_not_in_prerequisite_state';
  end if;
  perform from tenant_revisions where tenant_id = p_tenant for update;
  perform from applications where tenant_id = p_tenant order by application_id for update;
  perform from connections where tenant_id = p_tenant for update;
  perform from letters where tenant_id = p_tenant for update;

  clients := array(select client_id from applications where tenant_id = p_tenant);
  delete from guess_counts where client_id = any (clients);
  delete from used_assertions where client_id = any (clients);
  delete from authorization_answers where tenant_id = p_tenant or client_id = any (clients);
  -- Grants for the tenant's data, and those that its applications hold as OAuth clients of others.
  perform from grants where tenant_id = p_tenant or client_id = any (clients) order by grant_id for update;
  update grants set
    ended_at = coalesce(ended_at, p_at), ended_by = coalesce(ended_by, pg_current_xact_id()),
    tenant_id = null, application_id = '00000000-0000-0000-0000-000000000000', client_id = '',
    secret_id = '00000000-0000-0000-0000-000000000000', scopes = '{}', audience = '{}',
    token_hash = '', consumed_hash = null, replay_response = null, replay_until = null
  where tenant_id = p_tenant or client_id = any (clients);
  delete from keyed_requests where owner in (select application_id::text from applications where tenant_id = p_tenant);
  -- Secrets and remembered sign-ins are deleted with them.
  delete from applications where tenant_id = p_tenant;
  delete from disabled_tenants where tenant_id = p_tenant;

  delete from portfolios where tenant_id = p_tenant;
  delete from holdings where tenant_id = p_tenant;
  delete from transactions where tenant_id = p_tenant;
  delete from valuations where tenant_id = p_tenant;
  delete from valued_months where tenant_id = p_tenant;
  delete from replaced_valuations where tenant_id = p_tenant;
  delete from valued_holdings where tenant_id = p_tenant;
  delete from valued_accounts where tenant_id = p_tenant;
  delete from feed_files where tenant_id = p_tenant;
  delete from snapshots where tenant_id = p_tenant;
  delete from sessions where tenant_id = p_tenant;
  delete from session_links where tenant_id = p_tenant;
  delete from idempotency_keys where tenant_id = p_tenant;
  delete from letter_documents where tenant_id = p_tenant;
  delete from letter_moves where tenant_id = p_tenant;
  delete from letter_labels where tenant_id = p_tenant;
  delete from letters where tenant_id = p_tenant;
  delete from connections where tenant_id = p_tenant;
  -- Before the clients, whose references would be taken out of them first.
  delete from events where tenant_id = p_tenant;
  delete from clients where tenant_id = p_tenant;
  delete from object_owners where tenant_id = p_tenant;
  delete from tenant_revisions where tenant_id = p_tenant;
  delete from tenants where tenant_id = p_tenant;
  return true;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION replace_transactions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamp with time zone, p_rows json)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  replaced jsonb;
begin
  with gone as (
    delete from transactions t
    using json_to_recordset(p_rows) as r (
      transaction_id uuid, portfolio_id uuid, holding_id uuid, operation_date date, description text, amount numeric, balance numeric,
      currency text, unit_price numeric, facts json
    )
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.transaction_id = r.transaction_id
      and (
        t.balance is distinct from r.balance or t.amount is distinct from r.amount or t.operation_date <> r.operation_date
        or t.description <> r.description or t.facts is distinct from r.facts::text or t.unit_price is distinct from r.unit_price
        or t.currency <> r.currency or t.portfolio_id <> r.portfolio_id or t.holding_id is distinct from r.holding_id
      )
    returning t.*
  )
  select jsonb_agg(g) into replaced from gone g;
  return keep_former_versions(p_tenant, p_connection, p_revision, p_published_at, replaced);
end
$function$

CREATE OR REPLACE FUNCTION revisions_only(p_tenant uuid, p_parent_known boolean)
 RETURNS SETOF data_part
 LANGUAGE sql
 STABLE
AS $function$
  select
    t.revision, t.pruned_revision, p_parent_known,
    null::uuid, null::text, null::text, null::boolean, null::boolean, null::boolean, null::bigint, null::jsonb, null::text,
    null::boolean, null::text, null::text, null::jsonb
  from tenant_revisions t
  where t.tenant_id = p_tenant
$function$

CREATE OR REPLACE FUNCTION rotate_refresh_token(p_rotation jsonb)
 RETURNS TABLE(outcome text, reason text, response text, kept grants)
 LANGUAGE plpgsql
AS $function$
declare
  at timestamptz := p_rotation ->> 'at';
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select g.* into kept from grants g where g.grant_id = (p_rotation ->> 'grant_id')::uuid for update;
  outcome := 'refused';
  reason := case
    when kept.grant_id is null then 'unknown'
    when p_rotation ? 'client_id' and p_rotation ->> 'client_id' <> kept.client_id then 'other_client'
    when kept.is_confidential and p_rotation -> 'is_authenticated' = 'false' then 'unauthenticated'
    when kept.dpop_jkt is not null and not p_rotation ? 'dpop_jkt' then 'no_proof'
    when kept.dpop_jkt <> p_rotation ->> 'dpop_jkt' and p_rotation -> 'is_authenticated' = 'false' then 'other_key'
    when kept.ended_at is not null then 'ended'
    when p_rotation ->> 'token_hash' <> kept.token_hash then 'reused'
    when kept.refresh_expires_at <= at then 'expired'
    when p_rotation ? 'scopes' and exists (select from jsonb_array_elements_text(p_rotation -> 'scopes') s (scope) where s.scope <> all (kept.scopes)) then 'scope'
    when p_rotation ? 'audience' and exists (select from jsonb_array_elements_text(p_rotation -> 'audience') a (audience) where a.audience <> all (kept.audience)) then 'audience'
  end;
  if reason = 'reused' then
    if kept.consumed_hash = p_rotation ->> 'token_hash' and kept.replay_until > at then
      outcome := 'replayed';
      reason := null;
      response := kept.replay_response;
    else
      perform set_config('wealth_connect.grant_end', 'reused', true);
      update grants g set ended_at = at, ended_by = pg_current_xact_id() where g.grant_id = kept.grant_id returning g.* into kept;
    end if;
  elsif reason is null then
    outcome := 'rotated';
    update grants g set
      token_hash = p_rotation ->> 'next_token_hash',
      consumed_hash = g.token_hash,
      replay_response = p_rotation -> 'replay' ->> 'response',
      replay_until = (p_rotation -> 'replay' ->> 'until')::timestamptz,
      refresh_expires_at = at + make_interval(secs => g.refresh_seconds),
      last_issued_at = at,
      dpop_jkt = coalesce(g.dpop_jkt, p_rotation ->> 'dpop_jkt'),
      is_confidential = g.is_confidential or (g.flow = 'browser' and p_rotation -> 'is_authenticated' = 'true')
    where g.grant_id = kept.grant_id
    returning g.* into kept;
  end if;
  return next;
end
$function$

CREATE OR REPLACE FUNCTION rotate_refresh_tokens(p_rotations json)
 RETURNS TABLE(kept json)
 LANGUAGE plpgsql
AS $function$
declare
  asked record;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  for asked in
    select r.* from json_to_recordset(p_rotations) r (
      grant_id uuid, token_hash text, next_token_hash text, at timestamptz, is_authenticated boolean, client_id text, scopes text[],
      audience text[], dpop_jkt text, replay json
    )
  loop
    update grants g set
      token_hash = asked.next_token_hash,
      consumed_hash = g.token_hash,
      replay_response = asked.replay ->> 'response',
      replay_until = (asked.replay ->> 'until')::timestamptz,
      refresh_expires_at = asked.at + make_interval(secs => g.refresh_seconds),
      last_issued_at = asked.at,
      dpop_jkt = coalesce(g.dpop_jkt, asked.dpop_jkt),
      is_confidential = g.is_confidential or (g.flow = 'browser' and asked.is_authenticated)
    where g.grant_id = (select l.grant_id from grants l where l.grant_id = asked.grant_id for update skip locked)
      and g.token_hash = asked.token_hash and g.ended_at is null and g.refresh_expires_at > asked.at
      and (asked.is_authenticated or not g.is_confidential)
      and (g.dpop_jkt is null or g.dpop_jkt = asked.dpop_jkt or (asked.is_authenticated and asked.dpop_jkt is not null))
      and coalesce(asked.client_id = g.client_id, true)
      and coalesce(asked.scopes <@ g.scopes, true)
      and coalesce(asked.audience <@ g.audience, true)
    returning to_json(g) into kept;
    if found then
      return next;
    end if;
  end loop;
end
$function$

CREATE OR REPLACE FUNCTION saved_accesses(p_now timestamp with time zone, p_idle_since timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, session_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id from sessions c
    where c.tenant_id = t.tenant_id and c.sealed_accesses is not null and c.finished
      and (c.look_after is null or c.look_after <= p_now) and (c.working_until is null or c.working_until <= p_idle_since)
    limit p_limit
  ) s
  limit p_limit
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION seal_audit_log(p_limit integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  -- The same for every server of this database; upkeep uses the number before it.
  sealing_lock constant bigint := 7304551905;
  last_place audit_chain;
  state audit_sealing;
  newest bigint;
  writing text[];
  line audit_log;
  place bigint;
  link bytea;
  refused timestamptz;
begin
  if not pg_try_advisory_xact_lock(sealing_lock) then
    return 0;
  end if;
  if exists (select from audit_log where line_number is null) then
    update audit_log l set line_number = numbered.line_number
    from (
      select u.at, u.audit_id, nextval('audit_log_numbers') as line_number
      from (
        select o.at, o.audit_id from audit_log o where o.line_number is null order by o.at, o.audit_id limit p_limit
      ) u
    ) numbered
    where l.at = numbered.at and l.audit_id = numbered.audit_id and l.line_number is null;
  end if;

  select * into last_place from audit_chain order by sequence desc limit 1;
  select * into state from audit_sealing;
  -- A number that was not drawn from the sequence must not hold up the chain.
  select least((select max(l.line_number) from audit_log l), s.last_value) into newest from audit_log_numbers s;
  if newest is null or newest <= coalesce(last_place.line_number, 0) then
    return 0;
  end if;
  -- Read after the newest number: a transaction that drew a lower number holds the lock now or is over.
  writing := array(
    select k.virtualtransaction from pg_locks k
    where k.locktype = 'relation' and k.relation = 'audit_log'::regclass and k.granted
      and k.database = (select d.oid from pg_database d where d.datname = current_database())
      and k.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and k.pid is distinct from pg_backend_pid()
  );
  if cardinality(writing) = 0 then
    update audit_sealing set settled = newest, awaited = newest, writers = '{}' returning * into state;
  elsif not state.writers && writing then
    update audit_sealing set settled = state.awaited, awaited = newest, writers = writing returning * into state;
  end if;

  place := coalesce(last_place.sequence, 0);
  link := coalesce(last_place.hash, decode(repeat('00', 32), 'hex'));
  for line in
    select l.* from audit_log l
    where l.line_number > coalesce(last_place.line_number, 0) and l.line_number <= state.settled
    order by l.line_number
    limit p_limit
  loop
    place := place + 1;
    refused := case when line.actor = 'unknown' and line.action like '%.refused'
      or line.action in ('request.failed', 'request.left_out') then line.at end;
    link := audit_link(link, place, refused, sha256(convert_to(audit_line_text(line), 'UTF8')));
    insert into audit_chain (sequence, line_number, audit_id, hash, refused_at, sealed_at)
    values (place, line.line_number, line.audit_id, link, refused, clock_timestamp());
  end loop;
  return place - coalesce(last_place.sequence, 0);
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION sealing_key_id(p_sealed text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  header text := translate(split_part(p_sealed, '.', 1), '-_', '+/');
begin
  return convert_from(decode(rpad(header, (length(header) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb ->> 'kid';
exception
  when others then return null;
end
$function$

CREATE OR REPLACE FUNCTION search_connections_of_all(p_tenant uuid, p_connection uuid, p_connectors text[], p_states text[], p_consent_before timestamp with time zone, p_failing boolean, p_order text, p_after uuid, p_after_time text, p_limit integer, p_clients text[])
 RETURNS TABLE(tenant_id uuid, tenant_name text, connection_id uuid, connector_id text, bank text, provider text, labels jsonb, status jsonb, created_at timestamp with time zone, client_ref text, client_name text, letter_id uuid, is_planned boolean, due_at timestamp with time zone, lease uuid, attempted_at timestamp with time zone, outcome text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  -- Null: by id.
  sorted_by text := case
    when p_order in ('consent_ends_first', 'consent_ends_last') then 'consent_expires_at'
    when p_order in ('data_oldest', 'data_newest') then 'last_update'
  end;
  is_rising boolean := p_order in ('oldest', 'consent_ends_first', 'data_oldest');
  direction text := case when is_rising then '' else ' desc' end;
  behind text := case when is_rising then '>' else '<' end;
  sorted text := case when sorted_by is null then '' else format('%I%s nulls last, ', sorted_by, direction) end || 'connection_id' || direction;
  rows_of_tenant text := '
    select c.tenant_id, c.connection_id, c.connector_id, c.bank, c.provider, c.labels, c.status, c.created_at, c.client_ref, c.consent_expires_at, c.last_update,
      r.connection_id is not null as is_planned, r.due_at, r.lease, r.attempted_at, r.outcome
    from connections c
    left join lateral (
      select * from connection_refreshes each
      where each.tenant_id = c.tenant_id and each.connection_id = c.connection_id
      limit 1
    ) r on true
    where c.tenant_id = t.tenant_id';
  page text;
begin
  if p_connection is not null then rows_of_tenant := rows_of_tenant || ' and c.connection_id = $2'; end if;
  if p_connectors is not null then rows_of_tenant := rows_of_tenant || ' and c.connector_id = any ($3)'; end if;
  if p_clients is not null then rows_of_tenant := rows_of_tenant || ' and c.client_ref = any ($10)'; end if;
  if p_consent_before is not null then rows_of_tenant := rows_of_tenant || ' and r.consent_expires_at < $5'; end if;
  if p_failing is not null then rows_of_tenant := rows_of_tenant || ' and (coalesce(r.failures, 0) > 0) = $6'; end if;
  if p_states is not null then
    rows_of_tenant := rows_of_tenant || ' and $4 @> array[case
      when c.blocked then ''blocked''
      when c.needs_relogin then ''needs_relogin''
      when c.pending then ''pending''
      else ''ready''
    end]';
  end if;

  if sorted_by is not null then
    page := rows_of_tenant || format(' and c.%I is null', sorted_by)
      || case when p_after is not null and p_after_time is null then format(' and c.connection_id %s $7', behind) else '' end
      || format(' order by c.%I%2$s, c.connection_id%2$s limit $9', sorted_by, direction);
    if p_after is null or p_after_time is not null then
      page := '(' || rows_of_tenant || format(' and c.%I is not null', sorted_by)
        || case when p_after_time is not null then format(' and (c.%I, c.connection_id) %s ($8, $7)', sorted_by, behind) else '' end
        || format(' order by c.%I%2$s, c.connection_id%2$s limit $9)', sorted_by, direction) || ' union all (' || page || ')';
    end if;
  else
    page := rows_of_tenant || case when p_after is not null then format(' and c.connection_id %s $7', behind) else '' end
      || ' order by c.connection_id' || direction || ' limit $9';
  end if;

  return query execute '
    select page.tenant_id, page.name, page.connection_id, page.connector_id, page.bank, page.provider, page.labels, page.status,
      page.created_at, page.client_ref,
      (select k.name from clients k where k.tenant_id = page.tenant_id and k.client_ref = page.client_ref),
      (select l.letter_id from letters l where l.tenant_id = page.tenant_id and l.connection_id = page.connection_id limit 1),
      page.is_planned, page.due_at, page.lease, page.attempted_at, page.outcome
    from (
      select found.*, t.name
      from tenants t cross join lateral (' || page || ') found'
    || case when p_tenant is null then '' else ' where t.tenant_id = $1' end
    || ' order by ' || sorted || ' limit $9
    ) page
    order by ' || sorted
  using p_tenant, p_connection, p_connectors, p_states, p_consent_before, p_failing, p_after, p_after_time, p_limit, p_clients;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION search_holdings(p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone, p_sort text, p_groups text[], p_portfolio uuid, p_currencies text[], p_types text[], p_subtypes text[], p_min_balance numeric, p_name text, p_isins text[])
 RETURNS SETOF data_part
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  portfolio_known boolean;
  parts uuid[];
  own uuid := p_portfolio;
  accounts uuid[];
  currencies text[];
  sorted text;
  groups jsonb;
  is_reverse boolean := p_sort in ('-name', 'valuation_date');
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_portfolio is not null then
    -- The portfolio is known by its own row, or by a holding in it.
    select p.parts into parts
    from portfolios p
    join data_sources(p_tenant, array[p.connection_id], 'portfolio', p_revision) s on s.revision = p.revision
    where p.tenant_id = p_tenant and p.portfolio_id = p_portfolio
    limit 1;
    portfolio_known := found or exists (
      select from holdings h
      join data_sources(p_tenant, array[h.connection_id], 'investment', p_revision) s on s.revision = h.revision
      where h.tenant_id = p_tenant and h.portfolio_id = p_portfolio
    );
    -- One account is read in the order of its rows; several are sorted first.
    if parts is not null then
      own := null;
      accounts := array_append(parts, p_portfolio);
    end if;
  end if;
  if p_sort in ('-balance', 'balance') then
    select array_agg(g.currency order by g.balance desc nulls last, g.currency collate "C") into currencies
    from (
      select h.currency, sum(h.balance) filter (where not h.is_notional) as balance
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral matching_holdings(
        p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
      ) h
      group by h.currency
    ) g;
  end if;
  if p_sort is not null then
    sorted := found_page(p_tenant, p_revision, p_fields, p_with_source, array(
      select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral matching_holdings(
        p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
      ) h
      order by
        case when p_sort in ('-balance', 'balance') then h.is_notional end,
        array_position(currencies, h.currency),
        case when p_sort = '-balance' then h.balance end desc nulls last,
        case when p_sort = 'balance' then h.balance end,
        case when p_sort = 'name' then h.name_key end,
        case when p_sort = '-name' then h.name_key end desc,
        case when p_sort = '-valuation_date' then h.valuation_date end desc nulls last,
        case when p_sort = 'valuation_date' then h.valuation_date end,
        case when is_reverse then h.holding_id end desc, case when is_reverse then h.connection_id end desc,
        h.holding_id, h.connection_id
      offset p_offset limit p_limit
    ));
  end if;
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select h.currency, a.name as portfolio_name,
        case p_groups[1] when 'type' then h.type when 'subtype' then h.subtype when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, h.portfolio_id)::text end as first,
        case p_groups[2] when 'type' then h.type when 'subtype' then h.subtype when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, h.portfolio_id)::text end as second,
        count(*) as row_count, count(h.balance) as valued,
        count(*) filter (where h.is_notional) as notional, sum(h.balance) filter (where not h.is_notional) as balance
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral matching_holdings(
        p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
      ) h
      left join shown_portfolios(p_tenant, p_connections, p_revision) a
        on 'portfolio' = any (p_groups) and a.connection_id = s.connection_id and a.account = h.portfolio_id
      group by h.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    select
      d.tenant_revision, d.pruned_revision, portfolio_known, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.matching, d.sums,
      case
        when p_sort is not null then case when d.nth = 1 then sorted end
        when d.start < p_offset + p_limit and d.start + d.matching > p_offset then found_page(
          p_tenant, p_revision, p_fields, p_with_source, array(
            select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
            from matching_holdings(
              p_tenant, d.connection_id, d.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
            ) h
            order by h.ordinal
            offset greatest(p_offset - d.start, 0) limit p_offset + p_limit - greatest(d.start, p_offset)
          )
        )
      end,
      d.stale_at < p_now, to_char(d.oldest, 'YYYY-MM-DD'), to_char(d.newest, 'YYYY-MM-DD'), case when d.nth = 1 then groups end
    from (
      select s.*, c.*,
        row_number() over (order by s.created_at, s.connection_id) as nth,
        sum(c.matching) over (order by s.created_at, s.connection_id rows unbounded preceding) - c.matching as start
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral (
        select coalesce(sum(g.row_count), 0)::bigint as matching, totals_of(jsonb_agg(g)) as sums, min(g.oldest) as oldest, max(g.newest) as newest
        from (
          select h.currency, count(*) as row_count, count(h.balance) as valued, count(*) filter (where h.is_notional) as notional,
            sum(h.balance) filter (where not h.is_notional) as balance, min(h.valuation_date) as oldest, max(h.valuation_date) as newest
          from matching_holdings(
            p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
          ) h
          group by h.currency
        ) g
      ) c
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, portfolio_known);
  end if;
end
$function$

CREATE OR REPLACE FUNCTION search_letters(p_tenant uuid, p_connectors text[], p_statuses text[], p_ids uuid[], p_keys text[], p_values text[], p_created_from timestamp with time zone, p_created_before timestamp with time zone, p_updated_from timestamp with time zone, p_updated_before timestamp with time zone, p_offset bigint, p_limit integer, p_clients text[])
 RETURNS TABLE(total bigint, letter_id uuid, connector_id text, status text, previous_status text, ever_connected boolean, labels jsonb, contact_info jsonb, connection_id uuid, observations text, created_at timestamp with time zone, updated_at timestamp with time zone, status_since timestamp with time zone, version integer, client_ref text, client_name text)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  is_labelled constant boolean := cardinality(p_keys) > 0;
  is_by_more constant boolean := num_nonnulls(
    p_connectors, p_ids, p_created_from, p_created_before, p_updated_from, p_updated_before, p_clients
  ) > 0;
  matching text;
  on_letter text;
  counted text;
begin
  -- The most common search. Rare and frequent labels want the same plan, an index range and then the page's letters one by one, so a connection
  -- plans it once. The plan stays while the tables grow, so it never reads a whole table, even where that would be cheaper at first.
  if cardinality(p_keys) = 1 and p_statuses is null and not is_by_more then
    perform
      set_config('role', 'wealth_connect_app', true),
      set_config('wealth_connect.tenant', p_tenant::text, true),
      set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('enable_seqscan', 'off', true);
    return query
      select counted.total, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
        l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version, l.client_ref,
        (select k.name from clients k where k.tenant_id = p_tenant and k.client_ref = l.client_ref)
      from (
        select count(*) as total from letter_labels hit
        where hit.tenant_id = p_tenant and hit.key = p_keys[1] and hit.value = p_values[1]
      ) counted
      left join (
        (
          select hit.letter_id from letter_labels hit
          where hit.tenant_id = p_tenant and hit.key = p_keys[1] and hit.value = p_values[1]
          order by hit.created_at desc, hit.letter_id desc
          limit p_limit offset p_offset
        ) page
        cross join lateral (
          select * from letters of_page where of_page.tenant_id = p_tenant and of_page.letter_id = page.letter_id limit 1
        ) l
      ) on true
      order by l.created_at desc, l.letter_id desc;
    return;
  end if;

  -- Any other search is planned for its values: a connector, status or time with six letters needs another plan than one with 400,000. Values
  -- are
  -- passed as parameters all the same, so that user input never becomes part of the statement's text.
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  matching := case when is_labelled then 'letter_labels' else 'letters' end || ' hit where hit.tenant_id = $1';
  for nth in 1 .. cardinality(p_keys) loop
    matching := matching || case
      when nth = 1 then ' and hit.key = $4[1] and hit.value = $5[1]'
      else format(' and exists (select from letter_labels other where other.tenant_id = $1 and other.letter_id = hit.letter_id
        and other.key = $4[%1$s] and other.value = $5[%1$s])', nth)
    end;
  end loop;
  matching := matching
    || case when p_statuses is null then '' else ' and hit.status = any ($2)' end
    || case when p_ids is null then '' else ' and hit.letter_id = any ($3)' end
    || case when p_created_from is null then '' else ' and hit.created_at >= $6' end
    || case when p_created_before is null then '' else ' and hit.created_at < $7' end
    -- A letter is never changed before it is created; without this condition the search would go through all letters created since. The clocks
    -- of
    -- two servers differ by far less than an hour.
    || case when p_updated_before is null then '' else ' and hit.created_at < $9 + interval ''1 hour''' end;
  -- Conditions on columns that only the letters table has, which is a second table if there are labels.
  on_letter := case when p_connectors is null then '' else ' and letter.connector_id = any ($10)' end
    || case when p_clients is null then '' else ' and letter.client_ref = any ($13)' end
    || case when p_updated_from is null then '' else ' and letter.updated_at >= $8' end
    || case when p_updated_before is null then '' else ' and letter.updated_at < $9' end;
  matching := matching || case
    when on_letter = '' then ''
    when is_labelled
      then ' and exists (select from letters letter where letter.tenant_id = $1 and letter.letter_id = hit.letter_id' || on_letter || ')'
    else replace(on_letter, 'letter.', 'hit.')
  end;

  -- The number of all letters, or of those in some statuses, is stored; any other is counted.
  counted := case
    when is_labelled or is_by_more then 'count(*) as total from ' || matching
    else 'coalesce(sum(letters), 0)::bigint as total from letter_counts where tenant_id = $1 and ($2 is null or status = any ($2))'
  end;

  return query execute '
    select counted.total, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
      l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version, l.client_ref,
      (select k.name from clients k where k.tenant_id = $1 and k.client_ref = l.client_ref)
    from (select ' || counted || ') counted
    left join (
      (select hit.letter_id from ' || matching || ' order by hit.created_at desc, hit.letter_id desc limit $12 offset $11) page
      join letters l on l.tenant_id = $1 and l.letter_id = page.letter_id
    ) on true
    order by l.created_at desc, l.letter_id desc'
  using p_tenant, p_statuses, p_ids, p_keys, p_values, p_created_from, p_created_before, p_updated_from, p_updated_before,
    p_connectors, p_offset, p_limit, p_clients;
end
$function$

CREATE OR REPLACE FUNCTION search_letters_of_all(p_tenant uuid, p_connectors text[], p_statuses text[], p_ids uuid[], p_labels jsonb, p_created_from timestamp with time zone, p_created_before timestamp with time zone, p_updated_from timestamp with time zone, p_updated_before timestamp with time zone, p_in_status_before timestamp with time zone, p_words text, p_mail_of jsonb, p_order text, p_offset bigint, p_limit integer, p_after timestamp with time zone, p_after_id uuid, p_clients text[])
 RETURNS TABLE(total bigint, tenant_id uuid, tenant_name text, letter_id uuid, connector_id text, status text, previous_status text, ever_connected boolean, labels jsonb, contact_info jsonb, connection_id uuid, observations text, created_at timestamp with time zone, updated_at timestamp with time zone, status_since timestamp with time zone, version integer, client_ref text, client_name text, mails jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  criteria text := '';
  is_by_status boolean := p_order in ('longest_in_status', 'shortest_in_status');
  is_rising boolean := p_order in ('oldest', 'longest_in_status', 'longest_unchanged');
  moment text := case
    when is_by_status then 'status_since'
    when p_order in ('last_changed', 'longest_unchanged') then 'updated_at'
    else 'created_at'
  end;
  sorted text := format(case when is_rising then '%s, letter_id' else '%s desc, letter_id desc' end, moment);
  -- Restricts the page to letters after the last one of the page before.
  behind text := case when p_after is null then ''
    else format(' and (l.%s, l.letter_id) %s ($16, $17)', moment, case when is_rising then '>' else '<' end) end;
  of_tenants text := case when p_tenant is null then '' else ' where t.tenant_id = $1' end;
  parts text;
  label_key text;
  label_value text;
  found_letters bigint;
begin
  if p_connectors is not null then criteria := criteria || ' and l.connector_id = any ($2)'; end if;
  if p_statuses is not null then criteria := criteria || ' and l.status = any ($3)'; end if;
  if p_ids is not null then criteria := criteria || ' and l.letter_id = any ($4)'; end if;
  if p_clients is not null then criteria := criteria || ' and l.client_ref = any ($18)'; end if;
  if p_created_from is not null then criteria := criteria || ' and l.created_at >= $6'; end if;
  if p_created_before is not null then criteria := criteria || ' and l.created_at < $7'; end if;
  if p_updated_from is not null then criteria := criteria || ' and l.updated_at >= $8'; end if;
  if p_updated_before is not null then criteria := criteria || ' and l.updated_at < $9'; end if;
  if p_in_status_before is not null then criteria := criteria || ' and l.status_since < $10'; end if;
  for label_key, label_value in select key, value from jsonb_each_text(p_labels) loop
    criteria := criteria || format(' and exists (select from letter_labels has where has.tenant_id = l.tenant_id
      and has.letter_id = l.letter_id and has.key = %L and has.value = %L)', label_key, label_value);
  end loop;
  if p_mail_of is not null then
    criteria := criteria || ' and l.status = any (array(select jsonb_object_keys($12))) and not exists (
      select from mails m where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id
      and m.kind = $12 ->> l.status and m.state in (''queued'', ''sent''))';
  end if;

  if p_words is not null then
    parts := 'letters l join tenants t using (tenant_id) where letter_words(l.tenant_id, l.letter_id, l.connector_id, l.labels, l.contact_info, l.observations)
      @@ words_of($1, to_tsquery(''pg_catalog.simple'', $11))' || replace(of_tenants, ' where', ' and') || criteria;
    execute 'select count(*) from ' || parts into found_letters
    using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
      p_in_status_before, p_words, p_mail_of, null, null, null, null, null, p_clients;
    parts := 'select l.tenant_id, l.letter_id, l.created_at, l.updated_at, l.status_since from ' || parts || behind;
  else
    if criteria = '' or criteria = ' and l.status = any ($3)' then
      execute 'select coalesce(sum(t.letters), 0) from letter_counts t' || of_tenants
        || case when p_statuses is null then '' when p_tenant is null then ' where t.status = any ($2)' else ' and t.status = any ($2)' end
      into found_letters using p_tenant, p_statuses;
    else
      execute 'select coalesce(sum(found.letters), 0) from tenants t cross join lateral (
        select count(*) as letters from letters l where l.tenant_id = t.tenant_id' || criteria || ') found' || of_tenants into found_letters
      using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
        p_in_status_before, p_words, p_mail_of, null, null, null, null, null, p_clients;
    end if;
    parts := 'select l.tenant_id, l.letter_id, l.created_at, l.updated_at, l.status_since from letters l where l.tenant_id = t.tenant_id' || criteria || behind;
    if is_by_status then
      parts := 'select found.* from tenants t cross join (select distinct status from letter_counts where $3 is null or status = any ($3)) s
        cross join lateral (' || parts || ' and l.status = s.status order by ' || sorted || ' limit $13 + $14) found' || of_tenants;
    else
      parts := 'select found.* from tenants t cross join lateral (' || parts || ' order by ' || sorted || ' limit $13 + $14) found' || of_tenants;
    end if;
  end if;

  return query execute '
    select $15, l.tenant_id, t.name, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
      l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version,
      l.client_ref, (select k.name from clients k where k.tenant_id = l.tenant_id and k.client_ref = l.client_ref),
      (select coalesce(jsonb_agg(to_jsonb(m) - ''tenant_id'' order by m.created_at, m.mail_id), ''[]'')
       from mails m where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id)
    from (select) once
    left join (select tenant_id, letter_id from (' || parts || ') found order by ' || sorted || ' limit $14 offset $13) page on true
    left join letters l on l.tenant_id = page.tenant_id and l.letter_id = page.letter_id
    left join tenants t on t.tenant_id = l.tenant_id
    order by ' || regexp_replace(sorted, '(\w+_\w+)', 'l.\1', 'g')
  using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
    p_in_status_before, p_words, p_mail_of, p_offset, p_limit, found_letters, p_after, p_after_id, p_clients;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION search_portfolios(p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone, p_sort text, p_groups text[], p_currencies text[], p_types text[], p_min_balance numeric, p_name text)
 RETURNS SETOF data_part
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  currencies text[];
  sorted text;
  groups jsonb;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_sort in ('-balance', 'balance') then
    select array_agg(g.currency order by g.balance desc nulls last, g.currency collate "C") into currencies
    from (
      select p.currency, sum(p.balance) as balance
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral matching_portfolios(
        p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
      ) p
      group by p.currency
    ) g;
  end if;
  if p_sort is not null then
    sorted := found_page(p_tenant, p_revision, p_fields, p_with_source, array(
      select row(p.item, null, p.connection_id, null, null)::page_row
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral matching_portfolios(
        p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
      ) p
      order by
        array_position(currencies, p.currency),
        case when p_sort = '-balance' then p.balance end desc nulls last,
        case when p_sort = 'balance' then p.balance end,
        case when p_sort = 'name' then p.name_key end,
        case when p_sort = '-name' then p.name_key end desc,
        case when p_sort = '-name' then p.portfolio_id end desc, case when p_sort = '-name' then p.connection_id end desc,
        p.portfolio_id, p.connection_id
      offset p_offset limit p_limit
    ));
  end if;
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select p.currency, null::text as portfolio_name,
        case p_groups[1] when 'type' then p.type when 'bank' then s.bank when 'client_ref' then s.client_ref end as first,
        case p_groups[2] when 'type' then p.type when 'bank' then s.bank when 'client_ref' then s.client_ref end as second,
        count(*) as row_count, count(p.balance) as valued,
        0 as notional, sum(p.balance) as balance
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral matching_portfolios(
        p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
      ) p
      group by p.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.matching, d.sums,
      case
        when p_sort is not null then case when d.nth = 1 then sorted end
        when d.start < p_offset + p_limit and d.start + d.matching > p_offset then found_page(
          p_tenant, p_revision, p_fields, p_with_source, array(
            select row(p.item, null, p.connection_id, null, null)::page_row
            from matching_portfolios(
              p_tenant, d.connection_id, d.revision, p_currencies, p_types, p_min_balance, p_name
            ) p
            order by p.ordinal
            offset greatest(p_offset - d.start, 0) limit p_offset + p_limit - greatest(d.start, p_offset)
          )
        )
      end,
      d.stale_at < p_now, d.as_of, d.as_of, case when d.nth = 1 then groups end
    from (
      select s.*, c.*,
        row_number() over (order by s.created_at, s.connection_id) as nth,
        sum(c.matching) over (order by s.created_at, s.connection_id rows unbounded preceding) - c.matching as start
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral (
        select coalesce(sum(g.row_count), 0)::bigint as matching, totals_of(jsonb_agg(g)) as sums
        from (
          select p.currency, count(*) as row_count, count(p.balance) as valued,
            sum(p.balance) as balance
          from matching_portfolios(
            p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
          ) p
          group by p.currency
        ) g
      ) c
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$function$

CREATE OR REPLACE FUNCTION search_transactions(p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamp with time zone, p_sort text, p_groups text[], p_holding uuid, p_from date, p_to date, p_name text, p_isins text[], p_kinds text[])
 RETURNS SETOF data_part
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  holding_known boolean;
  currencies text[];
  page text;
  groups jsonb;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_holding is not null then
    -- The holding is known by its own row, or by one of its transactions.
    select exists (
      select from transactions t
      where t.tenant_id = p_tenant and t.holding_id = p_holding and (p_revision is null or t.revision <= p_revision)
    ) or exists (
      select from replaced_transactions r
      where r.tenant_id = p_tenant and r.holding_id = p_holding and r.revision <= p_revision and r.until_revision > p_revision
    ) or exists (
      select from holdings h
      join data_sources(p_tenant, array[h.connection_id], 'investment', p_revision) s on s.revision = h.revision
      where h.tenant_id = p_tenant and h.holding_id = p_holding
    )
    into holding_known;
  end if;
  if p_sort in ('-balance', 'balance') then
    select array_agg(g.currency order by g.balance desc nulls last, g.currency collate "C") into currencies
    from (
      select t.currency, sum(t.balance) as balance
      from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
      group by t.currency
    ) g;
  end if;
  page := found_page(p_tenant, p_revision, p_fields, p_with_source, array(
    select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
    from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
    order by
      array_position(currencies, t.currency),
      case when p_sort = '-balance' then t.balance end desc nulls last,
      case when p_sort = 'balance' then t.balance end,
      case when p_sort = 'operationDate' then t.operation_date end,
      case when p_sort is null then t.operation_date end desc,
      case when p_sort is null then t.transaction_id end desc,
      t.transaction_id, t.connection_id
    offset p_offset limit p_limit
  ));
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select t.currency, a.name as portfolio_name,
        case p_groups[1] when 'kind' then t.kind when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, t.portfolio_id)::text end as first,
        case p_groups[2] when 'kind' then t.kind when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, t.portfolio_id)::text end as second,
        count(*) as row_count, count(t.balance) as valued,
        0 as notional, sum(t.balance) as balance
      from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
      join data_sources(p_tenant, p_connections, 'transaction', p_revision) s on s.connection_id = t.connection_id
      left join shown_portfolios(p_tenant, p_connections, p_revision) a
        on 'portfolio' = any (p_groups) and a.connection_id = s.connection_id and a.account = t.portfolio_id
      group by t.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    with counted as (
      select g.connection_id, sum(g.row_count)::bigint as matching, totals_of(jsonb_agg(g)) as sums
      from (
        select t.connection_id, t.currency, count(*) as row_count, count(t.balance) as valued, sum(t.balance) as balance
        from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
        group by t.connection_id, t.currency
      ) g
      group by g.connection_id
    )
    select
      s.tenant_revision, s.pruned_revision, holding_known, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, coalesce(c.matching, 0), c.sums,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then page end,
      s.stale_at < p_now, s.as_of, s.as_of,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then groups end
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    left join counted c on c.connection_id = s.connection_id
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, holding_known);
  end if;
end
$function$

CREATE OR REPLACE FUNCTION sequence_events(p_tenant uuid, p_limit integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  installation constant uuid := '00000000-0000-0000-0000-000000000000';
  last bigint;
  numbered bigint;
  waiting record;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'events are numbered in read committed only' using errcode = 'active_sql_transaction';
  end if;
  select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  if not found then
    perform from tenants t where t.tenant_id = p_tenant for key share;
    if not found and p_tenant <> installation then
      delete from events e where e.tenant_id = p_tenant;
      return;
    end if;
    insert into event_counters (tenant_id) values (p_tenant) on conflict do nothing;
    select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  end if;
  numbered := last;
  for waiting in
    select o.event_id, o.type from events o where o.tenant_id = p_tenant and o.sequence is null order by o.written limit p_limit
  loop
    numbered := numbered + 1;
    update events e set sequence = numbered where e.tenant_id = p_tenant and e.event_id = waiting.event_id;
    return next waiting.type;
  end loop;
  if numbered > last then
    update event_counters c set last_sequence = numbered where c.tenant_id = p_tenant;
    perform fan_out_events(p_tenant, last, numbered);
  end if;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION session_by_callback(p_callback_hash text)
 RETURNS TABLE(tenant_id uuid, session_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.tenant_id, s.session_id from sessions s where s.callback_hash = p_callback_hash
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION set_expiry_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.expires_on := (new.refresh_expires_at at time zone 'UTC')::date;
  return new;
end
$function$

CREATE OR REPLACE FUNCTION shown_item(p_item text, p_facts text, p_fields text[], p_source uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when p_fields is null then case when p_source is null then p_item else left(p_item, -1) || ',"credentials_token":"' || p_source::text || '"}' end
    when p_fields <> '{}' then picked_item(p_item, p_facts, p_fields, p_source)
    else left(p_item, -1) || coalesce(',' || substr(left(p_facts, -1), 2), '')
      || case when p_source is null then '}' else ',"credentials_token":"' || p_source::text || '"}' end
  end
$function$

CREATE OR REPLACE FUNCTION shown_portfolios(p_tenant uuid, p_connections uuid[], p_revision bigint)
 RETURNS TABLE(connection_id uuid, account uuid, portfolio_id uuid, name text)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
#variable_conflict use_column
declare
  connection_ids uuid[];
  revisions bigint[];
begin
  select array_agg(s.connection_id), array_agg(s.revision) into connection_ids, revisions
  from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s;
  -- On a cluster snapshots and portfolios are in different places, so this statement names portfolios alone.
  return query
    select distinct on (p.connection_id, a.account) p.connection_id, a.account, p.portfolio_id, p.name
    from unnest(connection_ids, revisions) s (connection_id, revision)
    join portfolios p on p.tenant_id = p_tenant and p.connection_id = s.connection_id and p.revision = s.revision
    cross join lateral unnest(array_prepend(p.portfolio_id, p.parts)) a (account)
    order by p.connection_id, a.account, a.account = p.portfolio_id desc, p.ordinal;
end
$function$

CREATE OR REPLACE FUNCTION silent_letters(p_since timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, letter_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select l.tenant_id, l.letter_id
  from letters l
  where l.status = 'Connected'
    and not exists (
      select from feed_files f
      where f.tenant_id = l.tenant_id and f.connection_id = l.connection_id and f.taken_at >= p_since
    )
    and not exists (
      select from letter_moves m
      where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id and m.at >= p_since and m.event in ('connect', 'resolve')
    )
  limit p_limit
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION sorted_runs(p_tenant uuid, p_product text, p_sort text, p_offset bigint, p_limit integer)
 RETURNS TABLE(currency text, is_notional boolean, is_unknown boolean, skipped bigint, wanted bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with named as materialized (
    select s.name, s.total
    from tenant_revisions t cross join stored_totals(t.counts -> p_product -> 'sums') s
    where t.tenant_id = p_tenant and p_sort in ('-balance', 'balance')
  ), counted as (
    select r.currency, b.total as balance, r.total::bigint as row_count, coalesce(n.total, 0)::bigint as notional,
      coalesce(w.total, 0)::bigint as without,
      -- Totals do not say how many of the notionals are unknown.
      case when p_sort = 'balance' and n.total > 0 and w.total > 0 then (
        select count(*) from holdings h
        where h.tenant_id = p_tenant and h.is_notional and h.currency = r.currency and h.balance is null
          and (
            select s.until_revision is null from snapshots s
            where s.tenant_id = p_tenant and s.connection_id = h.connection_id and s.product = 'investment' and s.revision = h.revision
          )
      ) else 0 end as unknown_notional
    from (select left(name, -5) as currency, total from named where name like '% rows') r
    left join named b on b.name = r.currency
    left join named n on n.name = r.currency || ' notional'
    left join named w on w.name = r.currency || ' without'
  ), runs as (
    select c.currency, c.balance, run.is_notional, run.is_unknown, run.row_count
    from counted c
    cross join lateral (
      values
        ('-balance', false, null, c.row_count - c.notional),
        ('-balance', true, null, c.notional),
        ('balance', false, false, c.row_count - c.notional - (c.without - c.unknown_notional)),
        ('balance', false, true, c.without - c.unknown_notional),
        ('balance', true, false, c.notional - c.unknown_notional),
        ('balance', true, true, c.unknown_notional)
    ) run (sort, is_notional, is_unknown, row_count)
    where run.sort = p_sort
  ), placed as (
    select r.*, row_number() over in_order as nth, (sum(r.row_count) over in_order)::bigint as until
    from runs r
    window in_order as (
      order by r.is_notional, r.balance desc nulls last, r.currency collate "C", r.is_unknown rows unbounded preceding
    )
  )
  (
    select p.currency, p.is_notional, p.is_unknown, greatest(p_offset - (p.until - p.row_count), 0),
      least(p.until, p_offset + p_limit) - greatest(p.until - p.row_count, p_offset)
    from placed p
    where p.until > p_offset and p.until - p.row_count < p_offset + p_limit and p.row_count > 0
    order by p.nth
  )
  union all
  (
    select null, null, run.is_unknown, run.skipped, run.wanted
    from (
      select count(*) as known
      from (
        select from holdings h
        where p_sort = 'valuation_date' and h.tenant_id = p_tenant and h.valuation_date is not null
          and (
            select s.until_revision is null from snapshots s
            where s.tenant_id = p_tenant and s.connection_id = h.connection_id and s.product = 'investment' and s.revision = h.revision
          )
        order by h.valuation_date nulls first
        limit p_offset + p_limit
      ) k
    ) c
    cross join lateral (
      values
        (false, p_offset, greatest(c.known - p_offset, 0)),
        (true, greatest(p_offset - c.known, 0), p_offset + p_limit - greatest(c.known, p_offset))
    ) run (is_unknown, skipped, wanted)
    where p_sort = 'valuation_date' and run.wanted > 0
    order by run.is_unknown
  )
  union all
  select null, null, null, p_offset, p_limit where p_sort not in ('-balance', 'balance', 'valuation_date')
$function$

CREATE OR REPLACE FUNCTION sources_to_report(p_tenant uuid, p_now timestamp with time zone, p_product text, p_without bigint)
 RETURNS TABLE(connection_id uuid, created_at timestamp with time zone, bank text, as_of text, pending boolean, blocked boolean, errored boolean, overdue boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select
    c.connection_id, c.created_at, c.bank, to_char(c.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.pending, c.needs_relogin,
    case p_product
      when 'portfolio' then c.portfolio_errored
      when 'investment' then c.investment_errored
      else c.transaction_errored
    end,
    c.stale_at < p_now
  from (
    select told.*, s.as_of, s.stale_at
    from connections told
    cross join lateral (
      select snapshots.as_of, snapshots.stale_at from snapshots
      where tenant_id = p_tenant and snapshots.connection_id = told.connection_id and product = p_product
      order by snapshots.revision desc
      limit 1
    ) s
    where told.tenant_id = p_tenant
      and (told.needs_relogin or told.portfolio_errored or told.investment_errored or told.transaction_errored)
      and case p_product
        when 'portfolio' then told.needs_relogin or told.portfolio_errored
        when 'investment' then told.needs_relogin or told.investment_errored
        else told.needs_relogin or told.transaction_errored
      end
    union all
    select late.*, s.as_of, s.stale_at
    from snapshots s
    join connections late on late.tenant_id = p_tenant and late.connection_id = s.connection_id
    where s.tenant_id = p_tenant and s.product = p_product and s.until_revision is null and s.row_count >= 0 and s.stale_at < p_now
      and not case p_product
        when 'portfolio' then late.needs_relogin or late.portfolio_errored
        when 'investment' then late.needs_relogin or late.investment_errored
        else late.needs_relogin or late.transaction_errored
      end
    union all
    (
      select without.*, null, null
      from connections without
      left join lateral (
        select true as found from snapshots
        where tenant_id = p_tenant and snapshots.connection_id = without.connection_id and product = p_product
        limit 1
      ) s on true
      where without.tenant_id = p_tenant and s.found is null
      order by without.created_at desc, without.connection_id desc
      limit p_without
    )
  ) c
  order by c.created_at, c.connection_id
$function$

CREATE OR REPLACE FUNCTION store_valuations(p_tenant uuid, p_connection uuid, p_valued json)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  file bigint := (p_valued ->> 'arrival')::bigint;
  complete_on date := (p_valued ->> 'complete_on')::date;
  accounts json := p_valued -> 'accounts';
  -- Of the current snapshots.
  holdings_revision bigint;
  portfolios_revision bigint;
  -- Of the accounts that are known: whether some have the current holdings, and some are not stated.
  has_known boolean;
  has_others boolean;
  unchanged integer := 0;
  gone jsonb;
  stated jsonb;
  listed jsonb;
  -- What some of `stated` has to do: with a day that may be valued already, one before the last, the holdings until now, the account, what it ever listed.
  has_days boolean;
  has_earlier boolean;
  has_ended boolean;
  has_accounts boolean;
  has_listed boolean;
  replaced jsonb;
begin
  select max(s.revision) filter (where s.product = 'investment'), max(s.revision) filter (where s.product = 'portfolio')
  into holdings_revision, portfolios_revision
  from snapshots s
  where s.tenant_id = p_tenant and s.connection_id = p_connection and s.until_revision is null;

  select bool_or(k.revision = holdings_revision),
    complete_on is not null and bool_or(k.portfolio_id <> all (array(
      select a.portfolio_id from json_to_recordset(accounts) a (portfolio_id uuid)
    )))
  into has_known, has_others
  from valued_accounts k
  where k.tenant_id = p_tenant and k.connection_id = p_connection;

  -- On most days accounts stay as they are, with the same holdings: then all is done by one insertion.
  if has_known then
    insert into valuations (tenant_id, connection_id, portfolio_id, day, stated_at, arrival, balance, currency, value, content, source, places)
    select k.tenant_id, k.connection_id, k.portfolio_id, a.day, a.stated_at, file, a.balance, a.currency, k.value, k.content, a.source, a.places
    from json_to_recordset(accounts) a (
      portfolio_id uuid, ordinal integer, name text, ref_account text, currency text, type text, is_cash boolean, day date,
      stated_at timestamptz, balance numeric, source jsonb, places text, is_shown boolean
    )
    join valued_accounts k on k.tenant_id = p_tenant and k.connection_id = p_connection and k.portfolio_id = a.portfolio_id
    where a.is_shown and k.revision = holdings_revision and k.content is not null
      and (k.ordinal, k.name, k.currency, k.type, k.is_cash) = (a.ordinal, a.name, a.currency, a.type, a.is_cash)
      and k.ref_account is not distinct from a.ref_account
      and not exists (
        select from valuations v
        where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = a.portfolio_id and v.day >= a.day
      );
    get diagnostics unchanged = row_count;
  end if;

  if has_others then
    select jsonb_agg(g) into gone
    from (
      select a.portfolio_id, a.ordinal, a.name, a.ref_account, a.currency, a.type, a.is_cash, complete_on as day,
        coalesce((p_valued ->> 'read_at')::timestamptz, now()) as stated_at, '0' as balance, l.source, false as is_shown, '[]' as items,
        '[]' as sums, '{}'::jsonb as value
      from valued_accounts a cross join lateral (
        select v.day, v.stated_at, v.balance, v.source from valuations v
        where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = a.portfolio_id
        order by v.day desc
        limit 1
      ) l
      where a.tenant_id = p_tenant and a.connection_id = p_connection
        and not exists (
          select from portfolios p
          where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = portfolios_revision
            and p.portfolio_id = a.portfolio_id
        )
        and l.balance is distinct from 0 and l.day <= complete_on
        and exists (
          select from transactions t
          where t.tenant_id = p_tenant and t.connection_id = p_connection and t.portfolio_id = a.portfolio_id
            and t.kind in ('withdrawal', 'transfer_out') and (t.operation_date > l.day or t.read_at > l.stated_at)
        )
    ) g;
    if gone is not null then
      accounts := accounts::jsonb || gone;
    end if;
  end if;
  if json_array_length(accounts) = unchanged then
    return;
  end if;

  with asked as materialized (
    select a.portfolio_id, a.ordinal, a.name, a.ref_account, a.currency, a.type, a.is_cash, a.day, a.stated_at, a.balance, a.source, a.places,
      a.is_shown, a.items, a.sums, a.value, a.lists_securities, a.lists_cash,
      -- Holdings that are known already are neither read nor stored again.
      a.is_shown and k.revision is not distinct from holdings_revision and k.content is not null as is_known,
      case when a.is_shown then holdings_revision end as revision, k.content as last_content, k.value as last_value, l.day as last_day,
      coalesce(k.lists_securities, false) as listed_securities, coalesce(k.lists_cash, false) as listed_cash,
      row_number() over (partition by a.portfolio_id order by a.day desc) = 1
        and (l.day is null or (a.day, a.stated_at, file) >= (l.day, l.stated_at, l.arrival)) as is_latest,
      k.portfolio_id is null or k.revision is distinct from case when a.is_shown then holdings_revision end
        or (k.ordinal, k.name, k.currency, k.type, k.is_cash) <> (a.ordinal, a.name, a.currency, a.type, a.is_cash)
        or k.ref_account is distinct from a.ref_account as is_other
    from json_to_recordset(accounts) a (
      portfolio_id uuid, ordinal integer, name text, ref_account text, currency text, type text, is_cash boolean, day date,
      stated_at timestamptz, balance text, source jsonb, places text, is_shown boolean, items text, sums text, value jsonb,
      lists_securities boolean, lists_cash boolean
    )
    left join valued_accounts k on k.tenant_id = p_tenant and k.connection_id = p_connection and k.portfolio_id = a.portfolio_id
    left join lateral (
      select v.day, v.stated_at, v.arrival from valuations v
      where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = a.portfolio_id
      order by v.day desc
      limit 1
    ) l on true
  ), held as materialized (
    select h.portfolio_id, h.ordinal, h.type, h.currency, h.balance, h.balance is not null and not h.is_notional as is_valued,
      left(h.item, -1) || coalesce(',' || nullif(substr(h.facts, 2, length(h.facts) - 2), ''), '')
        || case when h.is_notional then ',"is_notional":true}' else '}' end as entry
    from holdings h
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = holdings_revision
      and h.portfolio_id = any (array(select a.portfolio_id from asked a where a.is_shown and not a.is_known))
  ), shown as (
    select r.portfolio_id, r.items, r.lists_securities, r.lists_cash, case when r.is_valued then v.value end as value,
      coalesce(v.sums, '[]') as sums
    from (
      select h.portfolio_id, '[' || string_agg(h.entry, ',' order by h.ordinal) || ']' as items,
        bool_or(h.type <> 'L') as lists_securities, bool_or(h.type = 'L') as lists_cash, bool_and(h.is_valued) as is_valued
      from held h
      group by h.portfolio_id
    ) r
    join (
      select c.portfolio_id, jsonb_object_agg(c.currency, c.balance::text) as value, '[' || string_agg(c.sums, ',') || ']' as sums
      from (
        select s.portfolio_id, s.currency, sum(s.balance) as balance,
          string_agg(json_build_array(s.type, s.currency, s.balance::text)::text, ',') filter (where s.balance is not null) as sums
        from (
          select h.portfolio_id, h.currency, h.type, sum(h.balance) filter (where h.is_valued) as balance
          from held h
          group by h.portfolio_id, h.currency, h.type
        ) s
        group by s.portfolio_id, s.currency
      ) c
      group by c.portfolio_id
    ) v on v.portfolio_id = r.portfolio_id
  ), valued as materialized (
    select a.*, n.items as new_items, case when a.is_shown then coalesce(l.sums, '[]') else a.sums end as new_sums,
      case when a.is_known then a.last_content else md5(n.items)::uuid end as content,
      case when a.is_known then a.last_value when not a.is_shown then a.value when l.items is null then '{}' else l.value end as new_value,
      case when a.is_known then a.listed_securities else coalesce(a.lists_securities, l.lists_securities, false) end as lists_them,
      case when a.is_known then a.listed_cash else coalesce(a.lists_cash, l.lists_cash, false) end as lists_money
    from asked a left join shown l on a.is_shown and not a.is_known and l.portfolio_id = a.portfolio_id
    cross join lateral (select case when a.is_shown then coalesce(l.items, '[]') else a.items end as items) n
  )
  select jsonb_agg(jsonb_build_object('portfolio_id', s.portfolio_id, 'content', s.content, 'day', s.day, 'items', s.new_items,
      'sums', s.new_sums))
      filter (where not s.is_known and s.content is not null),
    jsonb_agg(jsonb_build_object(
      'portfolio_id', s.portfolio_id, 'ordinal', s.ordinal, 'name', s.name, 'ref_account', s.ref_account, 'currency', s.currency,
      'type', s.type, 'is_cash', s.is_cash, 'day', s.day, 'stated_at', s.stated_at, 'balance', s.balance, 'source', s.source,
      'places', s.places, 'content', s.content, 'value', s.new_value, 'lists_securities', s.lists_them, 'lists_cash', s.lists_money,
      'revision', s.revision, 'last_content', s.last_content, 'last_day', s.last_day, 'is_latest', s.is_latest, 'is_other', s.is_now_other
    )),
    bool_or(s.day <= s.last_day), bool_or(s.day < s.last_day),
    bool_or(s.is_latest and s.content is distinct from s.last_content and exists (
      select from valued_holdings h
      where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = s.portfolio_id and h.content = s.last_content
        and h.last_day < s.last_day
    )),
    bool_or(s.is_latest and s.is_now_other), bool_or(s.lists_them and not s.listed_securities or s.lists_money and not s.listed_cash)
  into listed, stated, has_days, has_earlier, has_ended, has_accounts, has_listed
  from (
    select v.*,
      v.is_other or v.content is distinct from v.last_content or v.new_value is distinct from v.last_value as is_now_other
    from valued v
  ) s;

  if has_days then
    select jsonb_agg(v) into replaced
    from jsonb_to_recordset(stated) s (
      portfolio_id uuid, day date, stated_at timestamptz, balance text, currency text, content uuid
    ) cross join lateral (
      select * from valuations v
      where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = s.portfolio_id and v.day = s.day
      limit 1
    ) v
    where v.stated_at <= s.stated_at and (v.stated_at < s.stated_at or v.arrival <= file)
      and (v.content is distinct from s.content or v.balance is distinct from s.balance::numeric or v.currency <> s.currency);
    if replaced is not null then
      perform keep_former_valuations(p_tenant, p_connection, replaced);
    end if;
  end if;

  -- The month of an account's last valuation is never kept.
  if has_earlier then
    delete from valued_months m
    using (
      select e.portfolio_id, min(e.day) as day from jsonb_to_recordset(stated) e (portfolio_id uuid, day date) group by e.portfolio_id
    ) e
    where m.tenant_id = p_tenant and m.connection_id = p_connection and m.portfolio_id = e.portfolio_id and m.until >= e.day;
  end if;

  if listed is not null then
    insert into valued_holdings as h (tenant_id, connection_id, portfolio_id, content, first_day, last_day, items, sums)
    select p_tenant, p_connection, l.portfolio_id, l.content, min(l.day), max(l.day), min(l.items), min(l.sums)
    from jsonb_to_recordset(listed) l (portfolio_id uuid, content uuid, day date, items text, sums text)
    group by l.portfolio_id, l.content
    on conflict (tenant_id, connection_id, portfolio_id, content) do update set
      first_day = least(h.first_day, excluded.first_day), last_day = greatest(h.last_day, excluded.last_day)
      where excluded.first_day < h.first_day or excluded.last_day > h.last_day;
  end if;
  insert into valuations as v (
    tenant_id, connection_id, portfolio_id, day, stated_at, arrival, balance, currency, value, content, source, places
  )
  select p_tenant, p_connection, s.portfolio_id, s.day, s.stated_at, file, s.balance::numeric, s.currency, s.value, s.content, s.source,
    s.places
  from jsonb_to_recordset(stated) s (
    portfolio_id uuid, day date, stated_at timestamptz, balance text, currency text, value jsonb, content uuid, source jsonb, places text
  )
  on conflict (tenant_id, connection_id, portfolio_id, day) do update set
    stated_at = excluded.stated_at, arrival = excluded.arrival, balance = excluded.balance, currency = excluded.currency,
    value = excluded.value, content = excluded.content, source = excluded.source, came_at = excluded.came_at, places = excluded.places
    where v.stated_at <= excluded.stated_at and (v.stated_at < excluded.stated_at or v.arrival <= excluded.arrival);

  -- The holdings of the latest valuation until now are those of its day for the last time. Of accounts whose `is_latest` equals a text the planner
  -- expects one, and looks its holdings up, where it would otherwise compare all of the connection's.
  if has_ended then
    update valued_holdings h set last_day = s.last_day
    from (
      select s.portfolio_id, s.last_content, s.last_day
      from jsonb_to_recordset(stated) s (portfolio_id uuid, is_latest text, content uuid, last_content uuid, last_day date)
      where s.is_latest = 'true' and s.content is distinct from s.last_content
    ) s
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = s.portfolio_id and h.content = s.last_content
      and h.last_day < s.last_day;
  end if;
  if has_accounts then
    insert into valued_accounts as a (
      tenant_id, connection_id, portfolio_id, ordinal, name, ref_account, currency, type, is_cash, lists_securities, lists_cash,
      content, value, revision
    )
    select p_tenant, p_connection, s.portfolio_id, s.ordinal, s.name, s.ref_account, s.currency, s.type, s.is_cash,
      s.lists_securities, s.lists_cash, s.content, s.value, s.revision
    from jsonb_to_recordset(stated) s (
      portfolio_id uuid, ordinal integer, name text, ref_account text, currency text, type text, is_cash boolean, lists_securities boolean,
      lists_cash boolean, content uuid, value jsonb, revision bigint, is_latest boolean, is_other boolean
    )
    where s.is_latest and s.is_other
    on conflict (tenant_id, connection_id, portfolio_id) do update set
      ordinal = excluded.ordinal, name = excluded.name, ref_account = excluded.ref_account, currency = excluded.currency,
      type = excluded.type, is_cash = excluded.is_cash, content = excluded.content, value = excluded.value, revision = excluded.revision;
  end if;
  if has_listed then
    update valued_accounts a set
      lists_securities = a.lists_securities or s.lists_securities, lists_cash = a.lists_cash or s.lists_cash
    from (
      select o.portfolio_id, bool_or(o.lists_securities) as lists_securities, bool_or(o.lists_cash) as lists_cash
      from jsonb_to_recordset(stated) o (portfolio_id uuid, lists_securities boolean, lists_cash boolean)
      group by o.portfolio_id
    ) s
    where a.tenant_id = p_tenant and a.connection_id = p_connection and a.portfolio_id = s.portfolio_id
      and (s.lists_securities and not a.lists_securities or s.lists_cash and not a.lists_cash);
  end if;

  if replaced is not null then
    delete from valued_holdings h
    using (
      select r.portfolio_id, r.content
      from jsonb_to_recordset(replaced) r (portfolio_id uuid, content uuid)
      join valued_accounts a on a.tenant_id = p_tenant and a.connection_id = p_connection and a.portfolio_id = r.portfolio_id
      where a.content is distinct from r.content
    ) r
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = r.portfolio_id and h.content = r.content
      and not exists (
        select from valuations v
        where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = h.portfolio_id
          and v.day between h.first_day and h.last_day and v.content = h.content
      );
  end if;
end
$function$

CREATE OR REPLACE FUNCTION stored_totals(p_sums jsonb)
 RETURNS TABLE(name text, total numeric)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select by_name.key, sum((by_digits.value ->> 'balance')::numeric)
  from jsonb_each(p_sums) by_name
  cross join jsonb_each(by_name.value) by_digits
  group by by_name.key
$function$

CREATE OR REPLACE FUNCTION take_provider_slot(p_key text, p_every bigint[], p_calls integer[], p_longest bigint)
 RETURNS TABLE(granted boolean, wait_ms bigint)
 LANGUAGE plpgsql
AS $function$
declare
  known bigint[];
  now_ms bigint;
  turn bigint;
  kept integer := (select max(c) from unnest(p_calls) c);
begin
  delete from provider_slots where slot_key in (
    select t.slot_key from provider_slots t where t.last_at < now() - interval '1 day' order by t.last_at limit 2 for update skip locked);
  insert into provider_slots (slot_key) values (p_key) on conflict do nothing;
  select t.turns into known from provider_slots t where t.slot_key = p_key for update;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  turn := now_ms;
  for i in 1 .. cardinality(p_every) loop
    if cardinality(known) >= p_calls[i] then
      turn := greatest(turn, known[cardinality(known) - p_calls[i] + 1] + p_every[i]);
    end if;
  end loop;
  if turn - now_ms <= p_longest then
    -- With wider limits than those of turns in the future, this one may be before them.
    known := array(select t from unnest(known || turn) t order by t);
    update provider_slots t
    set turns = known[greatest(1, cardinality(known) - kept + 1):], last_at = to_timestamp(turn / 1000.0)
    where t.slot_key = p_key;
  end if;
  return query select turn - now_ms <= p_longest, turn - now_ms;
end
$function$

CREATE OR REPLACE FUNCTION tenant_is_there()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.tenant_id <> '00000000-0000-0000-0000-000000000000' then
    -- Like a foreign key: a deletion of the tenant waits until this transaction commits, and then removes this row too.
    perform from tenants t where t.tenant_id = new.tenant_id for key share;
    if not found then
      raise exception 'there is no tenant %', new.tenant_id using errcode = 'foreign_key_violation', constraint = 'tenant_is_there';
    end if;
  end if;
  return new;
end
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION tenant_of_recovery_code(p_hash text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select tenant_id from people_recovery_codes where code_hash = p_hash
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION tenants_use(p_tenant uuid, p_at timestamp with time zone)
 RETURNS TABLE(tenant_id uuid, grants bigint, open_sessions bigint, session_bytes bigint, letters bigint, document_bytes bigint, clients bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select t.tenant_id,
    (select count(*) from grants g where g.tenant_id = t.tenant_id and g.ended_at is null and g.refresh_expires_at > p_at),
    open.sessions,
    open.bytes,
    (select coalesce(sum(c.letters), 0)::bigint from letter_counts c where c.tenant_id = t.tenant_id),
    coalesce(used.document_bytes, 0),
    coalesce(used.clients, 0)
  from tenants t left join tenant_usage used on used.tenant_id = t.tenant_id cross join lateral (
    select count(*) as sessions, coalesce(sum(s.session_bytes), 0)::bigint as bytes from sessions s
    where s.tenant_id = t.tenant_id and not s.finished and s.expires_at > p_at
  ) open
  where p_tenant is null or t.tenant_id = p_tenant
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION totals_of(p_groups jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return (
    select coalesce(jsonb_object_agg(t.name, t.value) filter (where t.value is not null), '{}')
    from jsonb_to_recordset(p_groups) g (currency text, row_count bigint, valued bigint, notional bigint, balance numeric)
    cross join lateral (
      values
        (g.currency, g.balance::text),
        (g.currency || ' rows', g.row_count::text),
        (g.currency || ' without', nullif(g.row_count - g.valued, 0)::text),
        (g.currency || ' notional', nullif(g.notional, 0)::text)
    ) t (name, value)
  );
end
$function$

CREATE OR REPLACE FUNCTION unpolled_challenges(p_before timestamp with time zone, p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(tenant_id uuid, session_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id, c.look_after from sessions c
    where c.tenant_id = t.tenant_id and c.status = 'Waiting:Challenge' and c.look_after <= p_before and c.expires_at > p_now
    order by c.look_after
    limit p_limit
  ) s
  order by s.look_after
  limit p_limit
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION use_assertion(p_client_id text, p_jti text, p_expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  insert into used_assertions (client_id, jti, expires_at) values (p_client_id, p_jti, p_expires_at) on conflict do nothing;
  return found;
end
$function$

CREATE OR REPLACE FUNCTION waiting_statements(p_limit integer)
 RETURNS TABLE(tenant_id uuid, connection_id uuid, letter_id uuid, statement text, title text, pages integer[], last_page integer, first_at timestamp with time zone, latest_at timestamp with time zone, expired_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select
    p.tenant_id, p.connection_id,
    (select l.letter_id from letters l where l.tenant_id = p.tenant_id and l.connection_id = p.connection_id limit 1),
    p.statement, max(p.title), array_agg(p.page order by p.page), max(p.page) filter (where p.is_last),
    min(p.kept_at), max(p.kept_at), case when bool_and(p.expired_at is not null) then max(p.expired_at) end
  from feed_pages p
  group by p.tenant_id, p.connection_id, p.statement
  order by max(p.kept_at), p.statement, p.connection_id
  limit p_limit
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION webhook_asks_for(p_types text[], p_labels text[], p_endpoint uuid, p_type text, p_event_labels text[], p_event_endpoints uuid[], p_object text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when p_type = 'webhook.test' then p_object = p_endpoint::text
    else p_types && array['*', p_type, split_part(p_type, '.', 1) || '.*']
      and (p_event_labels @> p_labels or p_endpoint = any (p_event_endpoints))
  end
$function$

CREATE OR REPLACE FUNCTION webhook_backlog(p_now timestamp with time zone)
 RETURNS TABLE(pending bigint, oldest_due_at timestamp with time zone, failing bigint, disabled bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select
    (select count(*) from (select from webhook_deliveries d where d.state = 'pending' limit 100000) p),
    (select min(w.due_at) from webhook_endpoints w where w.is_enabled and w.due_at <= p_now),
    (select count(*) from webhook_endpoints w where w.is_enabled and w.failing_since is not null),
    (select count(*) from webhook_endpoints w where w.removed_at is null and w.disabled_reason in ('gone', 'failing'))
$function$
-- owner: wealth_connect_cleanup

CREATE OR REPLACE FUNCTION withdraw_missing(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamp with time zone, p_rows json, p_from date)
 RETURNS bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  stated uuid[] := array(select r.transaction_id from json_to_recordset(p_rows) as r (transaction_id uuid));
  withdrawn jsonb;
begin
  with gone as (
    delete from transactions t
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.operation_date >= p_from and t.transaction_id <> all (stated)
    returning t.*
  )
  select jsonb_agg(g) into withdrawn from gone g;
  return keep_former_versions(p_tenant, p_connection, p_revision, p_published_at, withdrawn);
end
$function$

CREATE OR REPLACE FUNCTION withdraw_transactions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamp with time zone, p_ids uuid[])
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  withdrawn jsonb;
  withdrawn_ids uuid[];
begin
  with gone as (
    delete from transactions t
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.transaction_id = any (p_ids)
    returning t.*
  )
  select jsonb_agg(g), array_agg(g.transaction_id) into withdrawn, withdrawn_ids from gone g;
  perform keep_former_versions(p_tenant, p_connection, p_revision, p_published_at, withdrawn);
  return coalesce(withdrawn_ids, '{}');
end
$function$

CREATE OR REPLACE FUNCTION words_of(p_tenant uuid, p_words tsquery)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_tenant IS NULL) THEN p_words ELSE (p_words && (concat('''/', p_tenant, ''''))::tsquery) END

CREATE OR REPLACE FUNCTION work_lines(p_tenant uuid, p_kinds text[], p_listed text[], p_days jsonb, p_now timestamp with time zone, p_counted integer, p_after_kind text, p_after_since timestamp with time zone, p_after_id text, p_limit integer, p_marks_of uuid, p_filter jsonb)
 RETURNS TABLE(kind text, lines bigint, since timestamp with time zone, subject_id text, tenant_id uuid, tenant_name text, facts jsonb, cause text, mark jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  one text;
  -- `rest` is what follows `from` for a kind; the columns say what its lines consist of. `x` is the row that a line is about.
  rest text;
  at_column text;
  id_column text;
  id_type text;
  owner_column text;
  facts_of text;
  -- What is searched for words: of what a tenant may read.
  words_of text;
  connector_of text;
  client_of text;
  cause_of text;
  criteria text;
  letters_from text := 'letters x';
  about jsonb;
  owner constant text := p_filter ->> 'owner_id';
  words constant text := lower(p_filter ->> 'words');
  connectors constant text[] := array(select jsonb_array_elements_text(p_filter -> 'connector_ids'));
  named text[];
  -- Of this name.
  custodians text[];
  clients constant text[] := array(select jsonb_array_elements_text(p_filter -> 'client_refs'));
  ids constant text[] := array(select jsonb_array_elements_text(p_filter -> 'ids'));
  uuids constant uuid[] := array(select v::uuid from unnest(ids) v where v ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
  of_tenant constant text := case when p_tenant is null then '' else ' and x.tenant_id = $1' end;
  found_lines bigint;
  wanted integer := p_limit;
  mail_of constant text := 'case x.status when ''SentToUser'' then ''signature_request'' when ''SentToCustodian'' then ''authorization_letter''
    when ''Discontinued'' then ''revocation_notice'' end';
  under_way constant text := ' and x.status not in (''Connected'', ''Cancelled'', ''Revoked'')';
  -- An observation on a letter means that someone has looked after it.
  noted_since constant text := 'exists (select from letter_moves m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id
    and m.event = ''observe'' and m.at >= ';
  a_mail constant text := 'exists (select from mails m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id and ';
  last_block constant text := '(select m.%s from letter_moves m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id
    and m.event = ''block'' order by m.at desc limit 1)';
  client_name constant text := '(select k.name from clients k where k.tenant_id = %1$s.tenant_id and k.client_ref = %1$s.client_ref)';
  letter_facts constant text := 'jsonb_build_object(''letter_id'', x.letter_id, ''connector_id'', x.connector_id, ''status'', x.status,
    ''client_ref'', x.client_ref, ''client_name'', ' || format(client_name, 'x') || ',
    ''labels'', x.labels, ''observations'', x.observations, ''connection_id'', x.connection_id, ''previous_status'', x.previous_status)';
  letter_connector constant text := '(select l.connector_id from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
  connection_connector constant text :=
    '(select c.connector_id from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
  letter_client constant text := '(select l.client_ref from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
  connection_client constant text :=
    '(select c.client_ref from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
  connection_facts constant text := '(select jsonb_build_object(''connection_id'', c.connection_id, ''connector_id'', c.connector_id,
    ''client_ref'', c.client_ref, ''client_name'', ' || format(client_name, 'c') || ',
    ''labels'', c.labels) from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
begin
  if p_filter ? 'custodian' then
    custodians := array(select c.connector_id from connectors c
      where position(lower(p_filter ->> 'custodian') in lower(c.name)) > 0 or c.connector_id = p_filter ->> 'custodian');
  end if;
  if words is not null then
    named := array(select c.connector_id from connectors c where position(words in lower(c.name)) > 0 or c.connector_id = words);
    about := letters_about(p_tenant, (p_filter ->> 'query')::tsquery, named, p_counted);
    if about is not null then
      letters_from := 'jsonb_to_recordset($16) w (tenant_id uuid, letter_id uuid, status text)
        join letters x on x.tenant_id = w.tenant_id and x.letter_id = w.letter_id and x.status = w.status';
    end if;
  end if;
  foreach one in array p_kinds loop
    owner_column := 'x.tenant_id';
    id_type := 'uuid';
    connector_of := 'x.connector_id';
    client_of := 'null::text';
    words_of := null;
    cause_of := null;
    case one
      when 'letter_overdue' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        client_of := 'x.client_ref';
        words_of := letter_facts;
        facts_of := letter_facts || ' || jsonb_build_object(''limit_days'', x.limit_days)';
        -- From each status as many as can be needed. A mail that failed, or was never queued, is a line of its own.
        rest := 'jsonb_each_text($2) d (status, days) cross join lateral (
          select x.*, d.days::integer as limit_days from ' || letters_from || '
          where x.status = d.status' || under_way || ' and x.status_since < $3 - make_interval(days => d.days::integer){tenant}
            and not ' || noted_since || '$3 - make_interval(days => d.days::integer))
            and not ' || a_mail || 'm.state in (''failed'', ''in_doubt''))
            and (' || mail_of || ' is null or ' || noted_since || 'x.status_since)
              or ' || a_mail || 'm.kind = ' || mail_of || ' and m.state in (''queued'', ''sent''))){behind}
          order by x.status_since, x.letter_id limit $6
        ) x where true';
      when 'letter_unmailed' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        client_of := 'x.client_ref';
        facts_of := letter_facts;
        -- Looks only at those that have waited longest; an operator with more to look after starts with these.
        rest := '(values (''SentToUser''), (''SentToCustodian''), (''Discontinued'')) d (status) cross join lateral (
          select x.* from ' || letters_from || ' where x.status = d.status' || under_way || '{tenant}
          order by x.status_since, x.letter_id limit 2000
        ) x where not ' || a_mail || 'm.kind = ' || mail_of || ' and m.state <> ''withdrawn'')
          and not ' || noted_since || 'x.status_since){behind}';
      when 'letter_blocked', 'feed_silent' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        client_of := 'x.client_ref';
        words_of := letter_facts;
        facts_of := letter_facts || ' || jsonb_build_object(''note'', ' || format(last_block, 'note') || ')';
        rest := letters_from || ' where x.status = ''Blocked''' || under_way || '{tenant} and ' || format(last_block, 'actor')
          || case one when 'feed_silent' then ' = ''system''' else ' is distinct from ''system''' end || '{behind}';
      when 'mail_failed', 'mail_in_doubt' then
        at_column := 'coalesce(x.settled_at, x.created_at)';
        id_column := 'x.mail_id';
        connector_of := letter_connector;
        client_of := letter_client;
        facts_of := 'jsonb_build_object(''letter_id'', x.letter_id, ''mail_id'', x.mail_id, ''mail_kind'', x.kind, ''recipient'', x.recipient,
          ''reason'', x.last_error, ''attempts'', x.attempts) || (select jsonb_build_object(''connector_id'', l.connector_id, ''status'', l.status,
          ''client_ref'', l.client_ref, ''client_name'', ' || format(client_name, 'l') || ',
          ''labels'', l.labels) from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
        rest := 'mails x where x.state = ''' || replace(one, 'mail_', '') || '''{tenant}{behind}';
      when 'connection_relogin' then
        connector_of := connection_connector;
        client_of := connection_client;
        at_column := 'x.attempted_at';
        id_column := 'x.connection_id';
        facts_of := connection_facts;
        rest := 'connection_refreshes x where x.due_at is null and x.outcome is distinct from ''already_exists''{tenant}{behind}';
      when 'consent_ending' then
        connector_of := connection_connector;
        client_of := connection_client;
        at_column := '(x.consent_expires_at - interval ''168 hours'')';
        id_column := 'x.connection_id';
        facts_of := connection_facts || ' || jsonb_build_object(''until'', x.consent_expires_at)';
        rest := 'connection_refreshes x where x.due_at is not null and x.consent_expires_at is not null
          and x.consent_expires_at <= $3 + interval ''168 hours''{tenant}{behind}';
      when 'webhook_disabled' then
        connector_of := 'null::text';
        at_column := 'x.disabled_at';
        id_column := 'x.endpoint_id';
        facts_of := 'jsonb_build_object(''host'', substring(x.url from ''://([^/?#]+)''), ''reason'', x.disabled_reason)';
        rest := 'webhook_endpoints x where not x.is_enabled and x.disabled_reason in (''gone'', ''failing'') and x.removed_at is null{tenant}{behind}';
      when 'provider_failing' then
        at_column := 'x.opened_at';
        id_column := '(x.connector_id || '' '' || x.tenant_id)';
        id_type := 'text';
        owner_column := 'nullif(x.tenant_id, ''00000000-0000-0000-0000-000000000000'')';
        facts_of := 'jsonb_build_object(''connector_id'', x.connector_id, ''provider'', x.provider)';
        rest := 'provider_circuits x where true{tenant}{behind}';
      when 'source_failing' then
        connector_of := 'null::text';
        cause_of := 'concat_ws('' '', extract(epoch from x.succeeded_at), x.last_error)';
        at_column := 'coalesce(x.succeeded_at, x.created_at)';
        id_column := 'x.source';
        id_type := 'text';
        owner_column := 'null::uuid';
        facts_of := 'jsonb_build_object(''source'', x.source, ''reason'', x.last_error, ''attempts'', x.failures)';
        rest := 'feed_sources x where x.is_enabled and x.failures >= 3{installation}{behind}';
      when 'file_held' then
        at_column := 'x.came_at';
        id_column := 'x.file_id';
        client_of := 'coalesce(' || connection_client || ', ' || replace(letter_client, 'x.letter_id', 'x.id') || ')';
        cause_of := 'concat_ws('' '', extract(epoch from x.came_at), x.cause)';
        facts_of := 'jsonb_build_object(''source'', x.source, ''name'', x.name, ''until'', x.held_until,
          ''cause'', x.cause, ''is_part'', nullif(x.is_part, false), ''connector_id'', x.connector_id, ''connection_id'', x.connection_id, ''letter_id'', case when x.connection_id is null then x.id end)';
        -- A file of the drop folder was in the folder of the connection or letter it is for; a file of another source may be for any tenant.
        rest := '(
          select f.file_id, f.source, f.name, f.came_at, h.held_until, h.cause, h.is_part, o.*
          from feed_source_files f left join feed_held h using (file_id) left join lateral feeds_of(array[case
            when f.source = ''drop-folder'' and f.name ~* ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'' then split_part(f.name, ''/'', 1)::uuid
          end]) o on true
          where f.state = ''held''
        ) x where true{tenant}{behind}';
      when 'pages_overdue' then
        connector_of := connection_connector;
        client_of := connection_client;
        at_column := 'x.expired_at';
        id_column := '(x.connection_id || '' '' || x.statement)';
        id_type := 'text';
        facts_of := connection_facts || ' || jsonb_build_object(''letter_id'', x.letter_id, ''statement'', x.statement, ''name'', x.title)';
        rest := 'waiting_statements(null) x where x.expired_at is not null{tenant}{behind}';
      when 'feed_differs' then
        connector_of := connection_connector;
        client_of := connection_client;
        cause_of := 'extract(epoch from x.newest)::text';
        at_column := 'x.found_at';
        id_column := 'x.connection_id';
        facts_of := connection_facts || ' || jsonb_build_object(''differences'', x.differences)';
        -- Those of the last week; only the newest if there are very many.
        rest := '(
          select x.tenant_id, x.connection_id, min(x.found_at) as found_at, max(x.found_at) as newest, count(*) as differences
          from (
            (select x.tenant_id, x.connection_id, x.found_at from feed_differences x
              where x.found_at > $3 - interval ''168 hours''{tenant} order by x.found_at desc limit 10000)
            union all
            (select x.tenant_id, x.connection_id, x.found_at from feed_gaps x
              where x.found_at > $3 - interval ''168 hours''{tenant} order by x.found_at desc limit 10000)
          ) x group by x.tenant_id, x.connection_id
        ) x where true{behind}';
      else
        raise exception 'no kind of work: %', one using errcode = 'invalid_parameter_value';
    end case;
    if id_type = 'text' then id_column := id_column || ' collate "C"'; end if;
    cause_of := coalesce(cause_of, 'extract(epoch from ' || at_column || ')::text');

    criteria := '';
    if p_filter ? 'ids' then
      criteria := criteria || ' and ' || id_column || case id_type when 'uuid' then ' = any ($13)' else ' = any ($12)' end;
    end if;
    if p_filter ? 'client_refs' then criteria := criteria || ' and ' || client_of || ' = any ($15)'; end if;
    if p_filter ? 'custodian' then criteria := criteria || ' and ' || connector_of || ' = any ($17)'; end if;
    if p_filter ? 'connector_ids' then criteria := criteria || ' and ' || connector_of || ' = any ($9)'; end if;
    if p_filter ? 'owner_id' then
      criteria := criteria || case when owner is null then ' and not' else ' and' end || ' exists (select from work_marks k
        where k.tenant_id = $7 and k.kind = $14 and k.subject_id = (' || id_column || ')::text and k.owner_id '
        || case when owner is null then 'is not null)' else '= $8)' end;
    end if;
    if p_filter ? 'is_snoozed' then
      criteria := criteria || case when (p_filter -> 'is_snoozed')::boolean then ' and' else ' and not' end || ' exists (select from work_marks k
        where k.tenant_id = $7 and k.kind = $14 and k.subject_id = (' || id_column || ')::text and k.snoozed_until > $3
        and k.cause = ' || cause_of || ')';
    end if;
    -- Letters of the index are found already.
    if words is not null and (about is null or one not in ('letter_overdue', 'letter_unmailed', 'letter_blocked', 'feed_silent')) then
      rest := '(select x.* from ' || replace(replace(rest, '{behind}', ''), 'limit $6', 'limit ' || p_counted) || ' order by ' || at_column || ', '
        || id_column || ' limit ' || p_counted || ') x where true{behind}';
      criteria := criteria || ' and (' || connector_of || ' = any ($10) or exists (select from jsonb_each_text(' || coalesce(words_of, facts_of) || ') f
        where f.value = $11 or position($11 in lower(f.value)) > 0 and f.key not in (''letter_id'', ''connection_id'', ''mail_id'', ''connector_id'',
        ''status'', ''previous_status'', ''mail_kind'', ''limit_days'', ''attempts'', ''until'', ''differences'', ''cause'', ''is_part'')))';
    end if;
    rest := replace(rest, '{behind}', criteria || '{behind}');
    rest := replace(replace(rest, '{tenant}', of_tenant), '{installation}', case when p_tenant is null then '' else ' and false' end);

    execute 'select count(*) from (select from ' || replace(rest, '{behind}', '') || ' limit $6) counted'
    into found_lines using p_tenant, p_days, p_now, p_after_since, p_after_id, p_counted, p_marks_of, owner, connectors, named, words, ids, uuids, one,
      clients, about, custodians;
    return query select one, found_lines, null::timestamptz, null::text, null::uuid, null::text, null::jsonb, null::text, null::jsonb;

    if found_lines > 0 and wanted > 0 and one = any (p_listed)
      and (p_after_kind is null or array_position(p_kinds, one) >= array_position(p_kinds, p_after_kind)) then
      return query execute 'select $14, null::bigint, page.since, page.subject_id::text, page.owner, t.name, jsonb_strip_nulls(page.facts), page.cause,
        case when k.version is not null then jsonb_build_object(''owner_id'', k.owner_id, ''snoozed_until'', k.snoozed_until, ''reason'', k.reason,
          ''version'', k.version, ''is_snoozed'', coalesce(k.snoozed_until > $3 and k.cause = page.cause, false), ''owner_name'', coalesce(
            (select p.name from people p where p.tenant_id = $7
              and p.person_id = case when k.owner_id like ''person:%'' then substring(k.owner_id from 8)::uuid end),
            (select a.name from applications a where a.application_id::text = k.owner_id))) end
        from (
          select ' || at_column || ' as since, ' || id_column || ' as subject_id, ' || owner_column || ' as owner, ' || facts_of || ' as facts, '
            || cause_of || ' as cause
          from ' || replace(rest, '{behind}', case when p_after_kind = one
            then ' and (' || at_column || ', ' || id_column || ') > ($4, $5::' || id_type || ')' else '' end)
          || ' order by 1, 2 limit $6
        ) page left join tenants t on t.tenant_id = page.owner
        left join work_marks k on k.tenant_id = $7 and k.kind = $14 and k.subject_id = page.subject_id::text
        order by page.since, page.subject_id'
      using p_tenant, p_days, p_now, p_after_since, p_after_id, wanted, p_marks_of, owner, connectors, named, words, ids, uuids, one,
      clients, about, custodians;
      get diagnostics found_lines = row_count;
      wanted := wanted - found_lines::integer;
    end if;
  end loop;
end
$function$
-- owner: wealth_connect_cleanup

