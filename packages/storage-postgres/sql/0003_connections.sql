create table connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  connector_id text not null,
  bank text not null,
  -- The bank's name in lower case; made by the application, so that it does not depend on the database's locale.
  bank_key text not null,
  provider text not null,
  labels jsonb not null,
  status jsonb not null,
  pending boolean not null generated always as ((status ->> 'pending')::boolean) stored,
  blocked boolean not null generated always as ((status ->> 'blocked')::boolean) stored,
  portfolio_errored boolean not null generated always as (
    (status #>> '{errored,product,portfolio}')::boolean or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  investment_errored boolean not null generated always as (
    (status #>> '{errored,product,investment}')::boolean or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  transaction_errored boolean not null generated always as (
    (status #>> '{errored,transaction,investment}')::boolean or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  identity_hash text,
  sealed_access text,
  created_at timestamptz not null,
  primary key (tenant_id, connection_id)
);
-- One identity has one connection per connector; custodian feeds have no identity.
create unique index connections_identity on connections (tenant_id, connector_id, identity_hash);
create index connections_oldest_first on connections (tenant_id, created_at, connection_id);

create table sessions (
  tenant_id uuid not null references tenants,
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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  version integer not null,
  finished boolean not null generated always as (starts_with(status, 'Finished:')) stored,
  primary key (tenant_id, session_id)
);
create index sessions_of_connection on sessions (tenant_id, connection_id) where connection_id is not null;
create index sessions_to_expire on sessions (tenant_id, expires_at) where not finished;
create index sessions_to_reap on sessions (tenant_id, updated_at) where finished;

grant select, insert, update, delete on connections, sessions to wealth_connect_app;
grant select, update, delete on sessions to wealth_connect_upkeep;

alter table connections enable row level security;
alter table sessions enable row level security;
create policy own_tenant on connections to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on sessions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on sessions to wealth_connect_upkeep using (true);
