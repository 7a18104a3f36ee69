-- What belongs to the installation and to no tenant, and the way from an id to its tenant.

create table tenants (
  tenant_id uuid primary key,
  name text not null,
  -- The name in lower case; made by the application, so that it does not depend on the database's locale.
  name_key text not null unique,
  created_at timestamptz not null
);

-- Grows with every publication of a tenant; its row lock puts publications in order. Revisions below `pruned_revision` cannot be read.
create table tenant_revisions (
  tenant_id uuid primary key references tenants,
  revision bigint not null default 0,
  pruned_revision bigint not null default 0
);

create table connectors (
  connector_id text collate "C" primary key,
  name text not null,
  type text not null,
  countries text[] not null,
  available boolean not null,
  provider text not null,
  metadata jsonb not null
);

-- One row: how often the catalogue has changed.
create table catalogue (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0
);
insert into catalogue default values;

-- From the secret of a widget link (SHA-256, hex) to its session.
create table session_links (
  link_hash text collate "C" primary key,
  tenant_id uuid not null,
  session_id uuid not null
);

-- From a connection's or letter's id to its tenant.
create table object_owners (
  object_id uuid primary key,
  kind text not null check (kind in ('connection', 'letter')),
  tenant_id uuid not null
);

-- The server's own keys, encrypted under the installation's encryption keys.
create table server_keys (
  name text collate "C" primary key,
  sealed text not null
);

grant select, insert on tenants to wealth_connect_upkeep;
grant select, insert, update on tenant_revisions to wealth_connect_upkeep;
grant select, update on tenant_revisions to wealth_connect_app;
grant select on connectors, catalogue to public;
grant select, insert, update on connectors to wealth_connect_upkeep;
grant select, update on catalogue to wealth_connect_upkeep;
grant select, delete on session_links, object_owners to wealth_connect_upkeep;
grant select, insert, delete on session_links, object_owners to wealth_connect_app;
grant select, insert, update on server_keys to wealth_connect_auth;

alter table tenant_revisions enable row level security;
alter table session_links enable row level security;
alter table object_owners enable row level security;
create policy own_tenant on tenant_revisions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on session_links to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on object_owners to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenant_revisions to wealth_connect_upkeep using (true);
create policy all_tenants on session_links to wealth_connect_upkeep using (true);
create policy all_tenants on object_owners to wealth_connect_upkeep using (true);
