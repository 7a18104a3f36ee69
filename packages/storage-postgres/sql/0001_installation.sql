-- Tables of the installation as a whole, the database roles, and the table that maps an id to its tenant.

-- Nobody logs in as these roles. The server's own login is a member of the first three and switches to one of them for each transaction:
--   wealth_connect_app      the rows of one tenant, enforced by row-level security
--   wealth_connect_upkeep   tenants, the catalogue, look-ups and clean-up across tenants
--   wealth_connect_auth     the authorization server's tables and the server's own keys
--   wealth_connect_cleanup  owns the functions that work across tenants, so the upkeep role need not see the rows they delete
--   wealth_connect_backup   reads everything, for pg_dump
-- src/protect-tables.ts applies the rules for every table and function: their owners, and the policies and rights of the last two roles.
-- Roles belong to the whole cluster: another database may have created them already, or be creating them now.
do $$
declare
  role_name text;
begin
  foreach role_name in array array[
    'wealth_connect_app', 'wealth_connect_upkeep', 'wealth_connect_auth', 'wealth_connect_cleanup', 'wealth_connect_backup'
  ] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin noinherit', role_name);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'role % is missing, and % may not create roles', role_name, current_user
            using errcode = 'insufficient_privilege',
              hint = format('as an administrator: create role %1$I nologin noinherit; grant %1$I to %2$I;', role_name, current_user);
      end;
    end if;
    begin
      execute format('grant %I to current_user', role_name);
    exception
      -- An administrator has created and granted the roles. If the grants are missing, the first transaction reports it.
      when insufficient_privilege then null;
    end;
  end loop;
  -- The roles that servers switch to are members of no role and must not inherit from any.
  foreach role_name in array array['wealth_connect_app', 'wealth_connect_upkeep', 'wealth_connect_auth'] loop
    begin
      execute format('alter role %I noinherit', role_name);
    exception
      when insufficient_privilege then null;
    end;
  end loop;
end
$$;

create table tenants (
  tenant_id uuid primary key,
  name text not null,
  -- The name in lower case. The application computes it, so that it does not depend on the database's locale.
  name_key text not null unique,
  created_at timestamptz not null,
  -- How the tenant appears to bank customers and custodians. Any of these may be missing.
  display_name text,
  legal_name text,
  postal_address text[],
  privacy_url text,
  support_contact text
);
-- A tenant's own transactions read and change its row, so row-level security protects the list of tenants as well.
grant select on tenants to wealth_connect_app, wealth_connect_auth;
grant select, insert on tenants to wealth_connect_upkeep;
grant update (display_name, legal_name, postal_address, privacy_url, support_contact) on tenants to wealth_connect_app;
alter table tenants enable row level security;
create policy own_tenant on tenants to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenants to wealth_connect_upkeep, wealth_connect_auth using (true);

create table tenant_logos (
  tenant_id uuid primary key references tenants on delete cascade,
  -- Hash of the content, in hex. Anyone who knows it may see the logo.
  sha256 text collate "C" not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  width integer not null,
  height integer not null,
  content bytea not null
);
create index tenant_logos_by_hash on tenant_logos (sha256);
grant select, insert, update, delete on tenant_logos to wealth_connect_app;
grant select on tenant_logos to wealth_connect_upkeep;
alter table tenant_logos enable row level security;
create policy own_tenant on tenant_logos to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenant_logos to wealth_connect_upkeep using (true);

-- People, webhook endpoints and provider states belong to a tenant or to the installation, so a foreign key cannot check their tenant.
create function tenant_is_there() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
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
$$;

create table connectors (
  connector_id text collate "C" primary key,
  name text not null,
  type text not null,
  countries text[] not null,
  available boolean not null,
  provider text not null,
  metadata jsonb not null,
  -- The provider's own name for the institution.
  provider_ref text
);
grant select on connectors to public;
grant select, insert, update on connectors to wealth_connect_upkeep;

-- One row: how often the catalogue has changed.
create table catalogue (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0
);
insert into catalogue default values;
grant select on catalogue to public;
grant select, update on catalogue to wealth_connect_upkeep;

-- Maps the id of a connection or letter to its tenant.
create table object_owners (
  object_id uuid primary key,
  kind text not null check (kind in ('connection', 'letter')),
  tenant_id uuid not null
);
grant select, insert, delete on object_owners to wealth_connect_app;
grant select on object_owners to wealth_connect_upkeep;
alter table object_owners enable row level security;
create policy own_tenant on object_owners to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on object_owners to wealth_connect_upkeep using (true);

-- The server's own keys, encrypted under the installation's encryption keys.
create table server_keys (
  name text collate "C" primary key,
  sealed text not null,
  -- From when on this key makes new hashes and signatures; null = from the beginning.
  active_from timestamptz
);
grant select, insert, update on server_keys to wealth_connect_auth;

-- Limits: where a tenant's differ from the installation's, and where the installation's differ from the built-in ones.
create table tenant_limits (
  tenant_id uuid not null references tenants on delete cascade,
  name text collate "C" not null,
  value bigint not null check (value >= 0),
  primary key (tenant_id, name)
);
grant select, insert, update, delete on tenant_limits to wealth_connect_upkeep;
alter table tenant_limits enable row level security;
create policy all_tenants on tenant_limits to wealth_connect_upkeep using (true);

create table installation_limits (
  name text collate "C" primary key,
  value bigint not null check (value >= 0)
);
grant select, insert, update, delete on installation_limits to wealth_connect_upkeep;

-- Bytes of the documents of a tenant's letters, and its clients. Transactions that are about to add something limited lock this row, one after the other.
create table tenant_usage (
  tenant_id uuid primary key references tenants on delete cascade,
  document_bytes bigint not null default 0,
  clients bigint not null default 0
);
grant select, insert, update on tenant_usage to wealth_connect_app;
alter table tenant_usage enable row level security;
create policy own_tenant on tenant_usage to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- These work across all tenants: only upkeep may call them.
revoke all on function tenant_is_there from public;
grant execute on function tenant_is_there to wealth_connect_upkeep;
