-- The statement before the latest one of each account: its day, and what it held then. Positions are kept once the next day is stated.
-- `positions_day` is the day that feed_positions has. A server of the version before leaves these as they are: then two statements are
-- compared that are further apart.
alter table feed_portfolios add column before_day date, add column positions_day date;

create table feed_positions (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  day date not null,
  holding_id uuid not null,
  units numeric not null,
  name text not null,
  isin text,
  primary key (tenant_id, connection_id, portfolio_id, day, holding_id),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);

-- Where a statement is not the one before it with the movements between, by holding.
create table feed_differences (
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
  found_at timestamptz not null,
  primary key (tenant_id, connection_id, portfolio_id, to_day, holding_id),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);

-- Business days between two statements of an account for which none has come.
create table feed_gaps (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  from_day date not null,
  to_day date not null,
  days date[] not null,
  found_at timestamptz not null,
  primary key (tenant_id, connection_id, portfolio_id, to_day),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);

grant select, insert, update, delete on feed_positions, feed_differences, feed_gaps to wealth_connect_app;
alter table feed_positions enable row level security;
alter table feed_differences enable row level security;
alter table feed_gaps enable row level security;
create policy own_tenant on feed_positions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on feed_differences to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on feed_gaps to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
