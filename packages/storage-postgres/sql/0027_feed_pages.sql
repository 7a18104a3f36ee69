-- Pages of custodians' statements that wait for the others of their statement, as the files had them. They go when the statement is
-- whole, after a week (feed-pages.ts), and with their connection.
create table feed_pages (
  tenant_id uuid not null,
  connection_id uuid not null,
  statement text collate "C" not null,
  page integer not null,
  is_last boolean not null,
  place text not null,
  content text not null,
  kept_at timestamptz not null default now(),
  primary key (tenant_id, connection_id, statement, page),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);
grant select, insert, update, delete on feed_pages to wealth_connect_app;
alter table feed_pages enable row level security;
create policy own_tenant on feed_pages to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
