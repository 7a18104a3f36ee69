-- In which order files came. The number is drawn once for the same bytes, before they are read: a repetition, or a file that a
-- replica was slow with, does not become newer than what came and was taken meanwhile. Rows go after a week (snapshots.ts).
create sequence feed_arrival_numbers;
grant usage on sequence feed_arrival_numbers to wealth_connect_app;

create table feed_arrivals (
  tenant_id uuid not null references tenants on delete cascade,
  -- The connection or letter that the file was sent for.
  target_id uuid not null,
  sha256 text collate "C" not null,
  arrival bigint not null default nextval('feed_arrival_numbers'),
  arrived_at timestamptz not null default now(),
  primary key (tenant_id, target_id, sha256)
);
grant select, insert, update, delete on feed_arrivals to wealth_connect_app;
alter table feed_arrivals enable row level security;
create policy own_tenant on feed_arrivals to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Which file the statement came with. 0 = from before this migration, or from a server of the version before.
alter table feed_portfolios add column arrival bigint not null default 0;
