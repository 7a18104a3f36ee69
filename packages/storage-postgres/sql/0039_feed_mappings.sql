-- Mappings of CSV and of files in fixed columns (docs/feed-mappings.md): a connector's, for its files in any tenant, and a connection's
-- own. What they say is no secret.
create table installation_feed_mappings (
  connector_id text collate "C" not null,
  name text collate "C" not null,
  mapping text not null,
  changed_at timestamptz not null,
  primary key (connector_id, name)
);
create table connection_feed_mappings (
  tenant_id uuid not null,
  connection_id uuid not null,
  name text collate "C" not null,
  mapping text not null,
  changed_at timestamptz not null,
  primary key (tenant_id, connection_id, name),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);
grant select, insert, update, delete on installation_feed_mappings to wealth_connect_upkeep;
grant select on connection_feed_mappings to wealth_connect_upkeep;
grant select, insert, update, delete on connection_feed_mappings to wealth_connect_app;
alter table connection_feed_mappings enable row level security;
create policy own_tenant on connection_feed_mappings to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on connection_feed_mappings to wealth_connect_upkeep using (true);
