-- How a tenant shows itself to bank customers and custodians. Anything may be missing.
alter table tenants
  add column display_name text,
  add column legal_name text,
  add column postal_address text[],
  add column privacy_url text,
  add column support_contact text;

-- A tenant's own transactions read and change it, so that the list of tenants is kept apart as well.
grant select on tenants to wealth_connect_app;
grant update (display_name, legal_name, postal_address, privacy_url, support_contact) on tenants to wealth_connect_app;
create policy own_tenant on tenants to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenants to wealth_connect_upkeep, wealth_connect_auth using (true);
-- As src/settle.ts has them, which comes a moment later: clean-up and backups see all tenants meanwhile, too.
create policy clean_up on tenants to wealth_connect_cleanup using (true);
create policy backup on tenants for select to wealth_connect_backup using (true);
alter table tenants enable row level security;

create table tenant_logos (
  tenant_id uuid primary key references tenants on delete cascade,
  -- Of the content, in hex. Whoever knows it may see the logo.
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
