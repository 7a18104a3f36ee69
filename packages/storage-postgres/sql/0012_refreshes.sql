-- When each bank connection is refreshed, and who does it now. Custodian feeds have no row: nobody can ask for their files.
create table connection_refreshes (
  tenant_id uuid not null,
  connection_id uuid not null,
  -- When it is looked at next; while a lease is held: when the lease ends. Null = not until the customer logs in again.
  due_at timestamptz,
  lease uuid,
  failures integer not null default 0,
  attempted_at timestamptz,
  outcome text,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);
-- Workers ask for what is due in the whole installation, every few seconds.
create index connection_refreshes_due on connection_refreshes (due_at) where due_at is not null;
create index connection_refreshes_waiting on connection_refreshes (tenant_id) where due_at is null;

grant select, insert, update, delete on connection_refreshes to wealth_connect_app;
grant select, update on connection_refreshes to wealth_connect_upkeep;
alter table connection_refreshes enable row level security;
create policy own_tenant on connection_refreshes to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on connection_refreshes to wealth_connect_upkeep using (true);

-- Connections that are there already are spread over a day; each finds its own time of the day after its first refresh.
insert into connection_refreshes (tenant_id, connection_id, due_at)
select tenant_id, connection_id, now() + random() * interval '24 hours' from connections where sealed_access is not null;
