-- A snapshot is one product of one connection as it stands from `revision` until before `until_revision` (null = now).
-- Its count and its sums are stored with it, so that a page of the whole costs the same at any size.
create table snapshots (
  tenant_id uuid not null,
  connection_id uuid not null,
  product text collate "C" not null check (product in ('portfolio', 'investment', 'transaction')),
  revision bigint not null,
  until_revision bigint,
  as_of timestamptz not null,
  replaced_at timestamptz,
  row_count integer not null,
  -- {currency: sum of balances}, sums as decimal strings
  totals jsonb not null,
  primary key (tenant_id, connection_id, product, revision),
  foreign key (tenant_id, connection_id) references connections
);
create index snapshots_to_reap on snapshots (tenant_id, replaced_at) where replaced_at is not null;

-- Rows of a snapshot are numbered from 0 without gaps: a page is a range of the primary key. `numeric` without a precision
-- keeps the scale of the source. `item` is what a read answers for the row, written together with it and never changed.
create table portfolios (
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
  primary key (tenant_id, connection_id, revision, ordinal)
);
create index portfolios_by_id on portfolios (tenant_id, portfolio_id);

create table holdings (
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
  item text not null,
  primary key (tenant_id, connection_id, revision, ordinal)
);
create index holdings_by_id on holdings (tenant_id, holding_id);
create index holdings_of_portfolio on holdings (tenant_id, portfolio_id, connection_id, revision, ordinal);

-- The history of a connection: rows are added and stay; `revision` is the one that brought the row.
create table transactions (
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
  primary key (tenant_id, connection_id, transaction_id)
);
create index transactions_newest_first on transactions (tenant_id, operation_date desc, transaction_id desc, connection_id);
create index transactions_of_connection on transactions (tenant_id, connection_id, operation_date desc, transaction_id desc);
create index transactions_of_holding on transactions (tenant_id, holding_id, operation_date desc, transaction_id desc)
  where holding_id is not null;

create table feed_files (
  tenant_id uuid not null,
  connection_id uuid not null,
  sha256 text collate "C" not null,
  name text not null,
  format text not null,
  taken_at timestamptz not null,
  primary key (tenant_id, connection_id, sha256),
  foreign key (tenant_id, connection_id) references connections
);

grant select, insert, delete on portfolios, holdings, transactions, feed_files to wealth_connect_app;
grant select, insert, update, delete on snapshots to wealth_connect_app;
grant select, delete on snapshots, portfolios, holdings to wealth_connect_upkeep;

alter table snapshots enable row level security;
alter table portfolios enable row level security;
alter table holdings enable row level security;
alter table transactions enable row level security;
alter table feed_files enable row level security;
create policy own_tenant on snapshots to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on portfolios to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on holdings to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on transactions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on feed_files to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on snapshots to wealth_connect_upkeep using (true);
create policy all_tenants on portfolios to wealth_connect_upkeep using (true);
create policy all_tenants on holdings to wealth_connect_upkeep using (true);
