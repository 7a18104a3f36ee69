-- A connection's portfolios, holdings and transactions, and their publication.

-- One row per tenant; each publication raises its revision, and its row lock serializes publications. Revisions below `pruned_revision`
-- cannot be read.
create table tenant_revisions (
  tenant_id uuid primary key references tenants,
  revision bigint not null default 0,
  pruned_revision bigint not null default 0,
  -- Counts and sums over the latest snapshots of all of the tenant's connections, maintained by publications:
  -- {product: {"snapshots": 2, "rows": 9, "sums": {total: {digits: {"snapshots": 2, "balance": "3.50"}}}}}, totals as in `snapshots`.
  -- A sum has as many decimals as its most exact member, so sums are kept by number of decimals; a snapshot that leaves takes its part along.
  -- They are valid for `counted_revision` only. Null if the tenant has few connections.
  counts jsonb,
  counted_revision bigint,
  -- The day on which `keep_months` last went through all accounts, and the last account it looked at since; null = none.
  months_kept_on date not null default '-infinity',
  months_kept_connection uuid,
  months_kept_portfolio uuid
);
grant select, update on tenant_revisions to wealth_connect_app;
grant insert on tenant_revisions to wealth_connect_upkeep;
alter table tenant_revisions enable row level security;
create policy own_tenant on tenant_revisions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenant_revisions to wealth_connect_upkeep using (true);

-- A snapshot is one product of one connection, valid from `revision` until just before `until_revision` (null = current).
-- Its count and sums are stored with it, so that a page of the whole costs the same at any size.
create table snapshots (
  tenant_id uuid not null,
  connection_id uuid not null,
  product text collate "C" not null check (product in ('portfolio', 'investment', 'transaction')),
  revision bigint not null,
  until_revision bigint,
  as_of timestamptz not null,
  -- From then on the data are overdue; null = never.
  stale_at timestamptz,
  -- The first and the last valuation day of the holdings of an investment snapshot; null if none states one, and for other products.
  oldest_day date,
  newest_day date,
  replaced_at timestamptz,
  row_count integer not null,
  -- Totals of the rows, as `totals_of` computes them: {"EUR": "3.50", "EUR rows": "2", …}
  totals jsonb not null,
  -- Digest of what the bank stated. On most days a bank states much of what it stated the day before: such a product gets the new `as_of` here,
  -- and none of its rows is made, sent or compared.
  digest text,
  primary key (tenant_id, connection_id, product, revision),
  foreign key (tenant_id, connection_id) references connections
);
create index snapshots_to_reap on snapshots (tenant_id, replaced_at) where replaced_at is not null;
-- From when to when the data of a tenant with many connections are, and which of them are overdue. Of `row_count` all rows are true: only who
-- asks for it can use these indexes. Without statistics the planner would find one connection among all of its tenant's by them.
create index snapshots_by_age on snapshots (tenant_id, product, as_of) where until_revision is null and row_count >= 0;
create index snapshots_by_oldest_day on snapshots (tenant_id, oldest_day) where until_revision is null and oldest_day is not null;
create index snapshots_by_newest_day on snapshots (tenant_id, newest_day) where until_revision is null and newest_day is not null;
create index snapshots_overdue on snapshots (tenant_id, product, stale_at)
  where until_revision is null and stale_at is not null and row_count >= 0;
grant select, insert, update, delete on snapshots to wealth_connect_app;
alter table snapshots enable row level security;
create policy own_tenant on snapshots to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Rows of a snapshot are numbered from 0 without gaps, so that a page is a range of the primary key. `numeric` without a precision keeps
-- the scale of the source. `item` is the JSON text that a read returns for the row; it is written with the row and never changed.
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
  -- Further accounts shown as part of this portfolio, stored with each revision. Holdings and transactions keep the id of their own account.
  parts uuid[],
  -- The first 500 characters of the search key of the name, by which rows are found and sorted.
  name_key text collate "C" not null,
  primary key (tenant_id, connection_id, revision, ordinal)
);
create index portfolios_by_id on portfolios (tenant_id, portfolio_id);
create index portfolios_by_balance on portfolios (tenant_id, currency, balance desc nulls last, portfolio_id, connection_id);
create index portfolios_by_name on portfolios (tenant_id, name_key, portfolio_id, connection_id);
grant select, insert, delete on portfolios to wealth_connect_app;
alter table portfolios enable row level security;
create policy own_tenant on portfolios to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- The first three portfolios of each connection in its latest snapshot, in the bank's order.
create function first_accounts(p_tenant uuid, p_connections uuid[]) returns table (connection_id uuid, accounts jsonb)
language plpgsql stable
as $$
#variable_conflict use_column
declare
  connection_ids uuid[];
  revisions bigint[];
begin
  if p_connections = '{}' then
    return;
  end if;
  select array_agg(c.connection_id), array_agg(s.revision) into connection_ids, revisions
  from unnest(p_connections) c (connection_id) cross join lateral (
    select l.revision from snapshots l
    where l.tenant_id = p_tenant and l.connection_id = c.connection_id and l.product = 'portfolio'
    order by l.revision desc
    limit 1
  ) s;
  -- On a cluster snapshots and portfolios are in different places, so this statement names portfolios alone.
  return query
    select
      p.connection_id,
      jsonb_agg(jsonb_build_object('name', p.name, 'ref_account', p.ref_account) order by p.ordinal)
    from unnest(connection_ids, revisions) s (connection_id, revision)
    join portfolios p on p.tenant_id = p_tenant and p.connection_id = s.connection_id and p.revision = s.revision and p.ordinal < 3
    group by p.connection_id;
end
$$;

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
  -- The balance is the notional amount of a contract and counts in no total.
  is_notional boolean not null default false,
  item text not null,
  -- What a source states beyond the fields that every tool returns: a JSON object, as text like `item`; null if there is nothing. Most rows
  -- have none, and a read that does not ask for facts does not read them.
  facts text,
  -- The first 500 characters of the search key of the name, by which rows are found and sorted.
  name_key text collate "C" not null,
  primary key (tenant_id, connection_id, revision, ordinal)
);
create index holdings_by_id on holdings (tenant_id, holding_id);
create index holdings_of_portfolio on holdings (tenant_id, portfolio_id, connection_id, revision, ordinal);
create index holdings_by_balance on holdings (tenant_id, is_notional, currency, balance desc nulls last, holding_id, connection_id);
create index holdings_by_name on holdings (tenant_id, name_key, holding_id, connection_id);
create index holdings_by_day on holdings (tenant_id, valuation_date desc nulls last, holding_id, connection_id);
grant select, insert, delete on holdings to wealth_connect_app;
alter table holdings enable row level security;
create policy own_tenant on holdings to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- A connection's history: rows are added and stay. `revision` is the one that added the row.
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
  facts text,
  -- The search key of a description that is not plain ASCII; the key of any other is its lower case, computed where it is compared.
  description_key text collate "C",
  -- From the facts, to be found by them.
  kind text,
  isin text,
  -- When it was first read with this content.
  read_at timestamptz not null,
  -- SHA-256 of the file that stated this content first, and where in it; null = a provider did, or the file does not tell.
  file bytea,
  place text,
  primary key (tenant_id, connection_id, transaction_id)
);
create index transactions_newest_first on transactions (tenant_id, operation_date desc, transaction_id desc, connection_id);
create index transactions_by_read on transactions (tenant_id, connection_id, read_at);
create index transactions_of_connection on transactions (tenant_id, connection_id, operation_date desc, transaction_id desc);
create index transactions_of_holding on transactions (tenant_id, holding_id, operation_date desc, transaction_id desc)
  where holding_id is not null;
create index transactions_by_balance on transactions (tenant_id, currency, balance desc nulls last, transaction_id, connection_id);
create index transactions_of_kind on transactions (tenant_id, kind, operation_date desc) where kind is not null;
create index transactions_of_isin on transactions (tenant_id, isin, operation_date desc) where isin is not null;
-- Whether an account ever had income. Few movements are, so most publications do not write it.
create index transactions_with_income on transactions (tenant_id, connection_id, portfolio_id) where kind in ('dividend', 'coupon');
grant select, insert, delete on transactions to wealth_connect_app;
alter table transactions enable row level security;
create policy own_tenant on transactions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Former versions of transactions that a later message completed or withdrew, valid from `revision` until just before `until_revision`: for
-- readers that page through an earlier revision, and for those who ask what a transaction said before. Of one transaction those that earlier
-- revisions can still be read with and the ten latest are kept, each for a limited time. Columns as in transactions.
create table replaced_transactions (
  tenant_id uuid not null,
  connection_id uuid not null,
  transaction_id uuid not null,
  revision bigint not null,
  until_revision bigint not null,
  portfolio_id uuid not null,
  holding_id uuid,
  operation_date date not null,
  description text not null,
  amount numeric,
  balance numeric,
  currency text not null,
  unit_price numeric,
  item text not null,
  facts text,
  description_key text collate "C",
  kind text,
  isin text,
  read_at timestamptz not null,
  file bytea,
  place text,
  replaced_at timestamptz not null,
  primary key (tenant_id, until_revision, connection_id, transaction_id),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);
create index replaced_transactions_of_connection on replaced_transactions (tenant_id, connection_id, transaction_id, until_revision desc);
create index replaced_transactions_to_reap on replaced_transactions (tenant_id, replaced_at);
grant select, insert, delete on replaced_transactions to wealth_connect_app;
alter table replaced_transactions enable row level security;
create policy own_tenant on replaced_transactions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Publication in one call. A publisher holds the tenant's publication lock until it commits, and the tenant's other publishers wait. Some
-- twenty separate statements would add their round trips to that time. `publish_snapshot` does everything; a publisher whose rows arrive in
-- slices calls the parts.

-- Computes totals from counts and sums by currency: [{"currency": "EUR", "row_count": 3, "valued": 2, "notional": 1, "balance": "3.50"}].
-- Each total is a decimal under a name, so that all of them can be added up alike: `EUR` is the sum of balances, `EUR rows` the number of
-- rows and, where not 0, `EUR without` the rows without a balance and `EUR notional` the rows whose balance is in no sum. A currency without
-- any balance has no sum. In PL/pgSQL its plan is kept; in SQL each call would make one.
create function totals_of(p_groups jsonb) returns jsonb
language plpgsql immutable
as $$
begin
  return (
    select coalesce(jsonb_object_agg(t.name, t.value) filter (where t.value is not null), '{}')
    from jsonb_to_recordset(p_groups) g (currency text, row_count bigint, valued bigint, notional bigint, balance numeric)
    cross join lateral (
      values
        (g.currency, g.balance::text),
        (g.currency || ' rows', g.row_count::text),
        (g.currency || ' without', nullif(g.row_count - g.valued, 0)::text),
        (g.currency || ' notional', nullif(g.notional, 0)::text)
    ) t (name, value)
  );
end
$$;

create function added_totals(p_totals jsonb, p_more jsonb) returns jsonb
language sql immutable
as $$
  select coalesce(jsonb_object_agg(t.key, t.value), '{}')
  from (
    select e.key, sum(e.value::numeric)::text as value
    from (select * from jsonb_each_text(p_totals) union all select * from jsonb_each_text(p_more)) e
    group by e.key
  ) t
$$;

-- These insert a product's rows, given as a JSON array of objects with the columns' names, and return counts and sums of the inserted rows by
-- currency. `item` is built from the same columns, so that it cannot differ from them; numbers are JSON strings that keep their scale.
-- `facts` are stored as given. Holdings also return their first and last valuation day.
create function insert_portfolios(p_tenant uuid, p_connection uuid, p_revision bigint, p_first integer, p_rows json)
returns table (currency text, row_count bigint, valued bigint, notional bigint, balance text)
language plpgsql
as $$
#variable_conflict use_column
begin
  return query
  with added as (
    insert into portfolios (
      tenant_id, connection_id, revision, ordinal, portfolio_id, name, balance, currency, ref_account, type, parts, name_key, item
    )
    select p_tenant, p_connection, p_revision, p_first + r.number - 1, r.portfolio_id, r.name, r.balance, r.currency, r.ref_account, r.type,
      r.parts, left(coalesce(r.name_key, btrim(lower(r.name collate "C"))), 500),
      '{"id":"' || r.portfolio_id::text || '","name":' || coalesce(to_json(r.name)::text, 'null')
        || ',"balance":' || coalesce('"' || r.balance::text || '"', 'null')
        || ',"currency":' || coalesce(to_json(r.currency)::text, 'null')
        || ',"refAccount":' || coalesce(to_json(r.ref_account)::text, 'null')
        || ',"type":' || coalesce(to_json(r.type)::text, 'null') || '}'
    from rows from (
      json_to_recordset(p_rows) as (
        portfolio_id uuid, name text, balance numeric, currency text, ref_account text, type text, parts uuid[], name_key text
      )
    ) with ordinality as r (portfolio_id, name, balance, currency, ref_account, type, parts, name_key, number)
    returning currency, balance
  )
  select a.currency, count(*), count(a.balance), 0::bigint, sum(a.balance)::text from added a group by a.currency;
end
$$;

create function insert_holdings(p_tenant uuid, p_connection uuid, p_revision bigint, p_first integer, p_rows json)
returns table (currency text, row_count bigint, valued bigint, notional bigint, balance text, oldest_day date, newest_day date)
language plpgsql
as $$
#variable_conflict use_column
begin
  return query
  with added as (
    insert into holdings (
      tenant_id, connection_id, revision, ordinal, holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type,
      subtype, is_notional, facts, name_key, item
    )
    select p_tenant, p_connection, p_revision, p_first + r.number - 1, r.holding_id, r.portfolio_id, r.name, r.isin, r.amount, r.balance,
      r.currency, r.valuation_date, r.type, r.subtype, coalesce(r.is_notional, false), r.facts::text,
      left(coalesce(r.name_key, btrim(lower(r.name collate "C"))), 500),
      '{"id":"' || r.holding_id::text || '","name":' || coalesce(to_json(r.name)::text, 'null')
        || ',"isin":' || coalesce(to_json(r.isin)::text, 'null')
        || ',"amount":' || coalesce('"' || r.amount::text || '"', 'null')
        || ',"balance":' || coalesce('"' || r.balance::text || '"', 'null')
        || ',"currency":' || coalesce(to_json(r.currency)::text, 'null')
        || ',"valuation_date":' || coalesce('"' || to_char(r.valuation_date, 'YYYY-MM-DD') || '"', 'null')
        || ',"type":' || coalesce(to_json(r.type)::text, 'null')
        || ',"subtype":' || coalesce(to_json(r.subtype)::text, 'null') || '}'
    from rows from (
      json_to_recordset(p_rows) as (
        holding_id uuid, portfolio_id uuid, name text, isin text, amount numeric, balance numeric, currency text, valuation_date date,
        type text, subtype text, is_notional boolean, facts json, name_key text
      )
    ) with ordinality as r (
      holding_id, portfolio_id, name, isin, amount, balance, currency, valuation_date, type, subtype, is_notional, facts, name_key, number
    )
    returning currency, balance, is_notional, valuation_date
  )
  select a.currency, count(*), count(a.balance), count(*) filter (where a.is_notional),
    (sum(a.balance) filter (where not a.is_notional))::text, min(a.valuation_date), max(a.valuation_date)
  from added a group by a.currency;
end
$$;

-- Keeps transactions of one connection that have just been removed, null if none. Returns how many there are. A statement of its own, which on
-- most days has nothing to do: a cluster would copy rows that are not there to all nodes. Beyond ten, former versions of a transaction are
-- deleted, the oldest first, except those that earlier revisions can still be read with.
create function keep_former_versions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamptz, p_removed jsonb)
returns bigint
language plpgsql set plan_cache_mode = force_custom_plan
as $$
declare
  pruned bigint;
  removed_ids uuid[];
  excess jsonb;
begin
  if p_removed is not null then
    insert into replaced_transactions (
      tenant_id, connection_id, transaction_id, revision, until_revision, portfolio_id, holding_id, operation_date, description,
      amount, balance, currency, unit_price, item, facts, description_key, kind, isin, read_at, file, place, replaced_at
    )
    select
      r.tenant_id, r.connection_id, r.transaction_id, r.revision, p_revision, r.portfolio_id, r.holding_id, r.operation_date, r.description,
      r.amount, r.balance, r.currency, r.unit_price, r.item, r.facts,
      r.description_key, r.kind, r.isin, r.read_at, r.file, r.place, p_published_at
    from jsonb_populate_recordset(null::transactions, p_removed) r
    where r.revision <> p_revision;
    select t.pruned_revision into pruned from tenant_revisions t where t.tenant_id = p_tenant;
    removed_ids := array(select r.transaction_id from jsonb_populate_recordset(null::transactions, p_removed) r);
    select jsonb_agg(f) into excess
    from (
      select k.transaction_id, k.until_revision, row_number() over (partition by k.transaction_id order by k.until_revision desc) as nth
      from replaced_transactions k
      where k.tenant_id = p_tenant and k.connection_id = p_connection and k.transaction_id = any (removed_ids)
    ) f
    where f.nth > 10 and f.until_revision <= pruned;
    if excess is not null then
      delete from replaced_transactions k
      using jsonb_to_recordset(excess) as e (transaction_id uuid, until_revision bigint)
      where k.tenant_id = p_tenant and k.connection_id = p_connection
        and k.transaction_id = e.transaction_id and k.until_revision = e.until_revision;
    end if;
  end if;
  return coalesce(jsonb_array_length(p_removed), 0);
end
$$;

-- Removes stored transactions whose id is among the rows but whose content differs, so that the rows can be inserted. Readers of earlier
-- revisions still see the old ones. Returns how many it removed.
create function replace_transactions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamptz, p_rows json)
returns bigint
language plpgsql set enable_seqscan = off
as $$
declare
  replaced jsonb;
begin
  with gone as (
    delete from transactions t
    using json_to_recordset(p_rows) as r (
      transaction_id uuid, portfolio_id uuid, holding_id uuid, operation_date date, description text, amount numeric, balance numeric,
      currency text, unit_price numeric, facts json
    )
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.transaction_id = r.transaction_id
      and (
        t.balance is distinct from r.balance or t.amount is distinct from r.amount or t.operation_date <> r.operation_date
        or t.description <> r.description or t.facts is distinct from r.facts::text or t.unit_price is distinct from r.unit_price
        or t.currency <> r.currency or t.portfolio_id <> r.portfolio_id or t.holding_id is distinct from r.holding_id
      )
    returning t.*
  )
  select jsonb_agg(g) into replaced from gone g;
  return keep_former_versions(p_tenant, p_connection, p_revision, p_published_at, replaced);
end
$$;

-- Removes stored transactions of a day or later that are not among the rows, for readers of later revisions. Returns how many.
create function withdraw_missing(
  p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamptz, p_rows json, p_from date
)
returns bigint
language plpgsql set enable_seqscan = off
as $$
declare
  stated uuid[] := array(select r.transaction_id from json_to_recordset(p_rows) as r (transaction_id uuid));
  withdrawn jsonb;
begin
  with gone as (
    delete from transactions t
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.operation_date >= p_from and t.transaction_id <> all (stated)
    returning t.*
  )
  select jsonb_agg(g) into withdrawn from gone g;
  return keep_former_versions(p_tenant, p_connection, p_revision, p_published_at, withdrawn);
end
$$;

-- Removes stored transactions with these ids, for readers of later revisions. Returns the ids of those that there were.
create function withdraw_transactions(p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamptz, p_ids uuid[])
returns uuid[]
language plpgsql set enable_seqscan = off
as $$
declare
  withdrawn jsonb;
  withdrawn_ids uuid[];
begin
  with gone as (
    delete from transactions t
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.transaction_id = any (p_ids)
    returning t.*
  )
  select jsonb_agg(g), array_agg(g.transaction_id) into withdrawn, withdrawn_ids from gone g;
  perform keep_former_versions(p_tenant, p_connection, p_revision, p_published_at, withdrawn);
  return coalesce(withdrawn_ids, '{}');
end
$$;

-- A transaction that is already stored stays as it is and counts once. `p_file`: SHA-256 of the file that states the rows, in hex.
create function insert_transactions(
  p_tenant uuid, p_connection uuid, p_revision bigint, p_published_at timestamptz, p_rows json, p_file text default null
)
returns table (currency text, row_count bigint, valued bigint, notional bigint, balance text)
language plpgsql
as $$
#variable_conflict use_column
begin
  return query
  with added as (
    insert into transactions (
      tenant_id, connection_id, revision, transaction_id, portfolio_id, holding_id, operation_date, description, amount, balance, currency,
      unit_price, facts, description_key, kind, isin, read_at, file, place, item
    )
    select p_tenant, p_connection, p_revision, r.transaction_id, r.portfolio_id, r.holding_id, r.operation_date, r.description, r.amount,
      r.balance, r.currency, r.unit_price, r.facts::text, r.description_key, r.facts ->> 'kind', r.facts #>> '{identifiers,isin}',
      p_published_at, decode(p_file, 'hex'), r.place, '{"id":"' || r.transaction_id::text || '","operationDate":"' || to_char(r.operation_date, 'YYYY-MM-DD')
        || '","description":' || coalesce(to_json(r.description)::text, 'null')
        || ',"amount":' || coalesce('"' || r.amount::text || '"', 'null')
        || ',"balance":' || coalesce('"' || r.balance::text || '"', 'null')
        || ',"currency":' || coalesce(to_json(r.currency)::text, 'null')
        || ',"unitPrice":' || coalesce('"' || r.unit_price::text || '"', 'null') || '}'
    from json_to_recordset(p_rows) as r (
      transaction_id uuid, portfolio_id uuid, holding_id uuid, operation_date date, description text, amount numeric, balance numeric,
      currency text, unit_price numeric, facts json, description_key text, place text
    )
    on conflict do nothing
    returning currency, balance
  )
  select a.currency, count(*), count(a.balance), 0::bigint, sum(a.balance)::text from added a group by a.currency;
end
$$;

-- Locks the tenant's revision until the end of the transaction, so that publications become visible in the order of their numbers, and ends
-- the snapshots being replaced. Returns them as they were:
-- {product: {"revision": "7", "row_count": 9, "totals": {…}, "as_of": "…", "stale_at": "…"}}.
-- `p_stale_at`: a feed's other products are not overdue before then, because a custodian sends some products only when there is something new.
-- PostgreSQL caches the plans of functions, perhaps made while the tables were empty, so sequential scans are off: later only an index will do.
create function begin_publication(
  p_tenant uuid, p_connection uuid, p_published_at timestamptz, p_products text[], p_stale_at timestamptz default null
)
returns table (revision bigint, replaced jsonb)
language plpgsql set enable_seqscan = off
as $$
#variable_conflict use_column
begin
  update tenant_revisions t set revision = t.revision + 1 where t.tenant_id = p_tenant returning t.revision into strict revision;
  perform from connections c where c.tenant_id = p_tenant and c.connection_id = p_connection;
  if not found then
    raise exception 'there is no connection %', p_connection using errcode = 'foreign_key_violation';
  end if;
  with ended as (
    update snapshots s set until_revision = begin_publication.revision, replaced_at = p_published_at
    where s.tenant_id = p_tenant and s.connection_id = p_connection and s.product = any (p_products) and s.until_revision is null
    returning s.product, s.revision, s.row_count, s.totals, s.as_of, s.stale_at
  )
  select coalesce(jsonb_object_agg(e.product, jsonb_build_object(
    'revision', e.revision::text, 'row_count', e.row_count, 'totals', e.totals, 'as_of', e.as_of, 'stale_at', e.stale_at
  )), '{}')
  into replaced from ended e;
  if p_stale_at is not null then
    update snapshots s set stale_at = p_stale_at
    where s.tenant_id = p_tenant and s.connection_id = p_connection and s.until_revision is null and s.stale_at < p_stale_at;
  end if;
  return next;
end
$$;

-- A tenant's counts of one product after some snapshots are removed and others added.
create function counts_after(p_counts jsonb, p_before jsonb, p_now jsonb) returns jsonb
language sql immutable
as $$
  select jsonb_build_object(
    'snapshots', coalesce((p_counts ->> 'snapshots')::bigint, 0) + 1 - (p_before is not null)::integer,
    'rows', coalesce((p_counts ->> 'rows')::bigint, 0) + (p_now ->> 'row_count')::bigint - coalesce((p_before ->> 'row_count')::bigint, 0),
    'sums', coalesce(jsonb_object_agg(by_currency.currency, by_currency.by_digits), '{}')
  )
  from (
    select d.currency, jsonb_object_agg(d.digits, jsonb_build_object('snapshots', d.snapshots, 'balance', d.balance::text)) as by_digits
    from (
      select s.currency, s.digits, sum(s.snapshots) as snapshots, sum(s.balance) as balance
      from (
        select c.key as currency, b.key::integer as digits, (b.value ->> 'snapshots')::bigint as snapshots,
          (b.value ->> 'balance')::numeric as balance
        from jsonb_each(p_counts -> 'sums') c cross join jsonb_each(c.value) b
        union all
        select n.key, scale(n.value::numeric), 1, n.value::numeric from jsonb_each_text(p_now -> 'totals') n
        union all
        select o.key, scale(o.value::numeric), -1, -o.value::numeric from jsonb_each_text(p_before -> 'totals') o
      ) s
      group by s.currency, s.digits
      having sum(s.snapshots) <> 0
    ) d
    group by d.currency
  ) by_currency
$$;

-- A tenant's counts, computed from scratch.
create function counts_of_all(p_tenant uuid) returns jsonb
language sql stable
as $$
  with latest as (
    select product, row_count, totals from snapshots where tenant_id = p_tenant and until_revision is null
  ), sums as (
    select by_currency.product, jsonb_object_agg(by_currency.currency, by_currency.by_digits) as sums
    from (
      select b.product, b.currency,
        jsonb_object_agg(b.digits, jsonb_build_object('snapshots', b.snapshots, 'balance', b.balance::text)) as by_digits
      from (
        select l.product, e.key as currency, scale(e.value::numeric) as digits, count(*) as snapshots, sum(e.value::numeric) as balance
        from latest l cross join jsonb_each_text(l.totals) e
        group by l.product, e.key, digits
      ) b
      group by b.product, b.currency
    ) by_currency
    group by by_currency.product
  )
  select coalesce(
    jsonb_object_agg(
      l.product, jsonb_build_object('snapshots', l.snapshots, 'rows', l.row_count, 'sums', coalesce(s.sums, '{}'))
    ), '{}')
  from (select product, count(*) as snapshots, sum(row_count) as row_count from latest group by product) l
  left join sums s on s.product = l.product
$$;

-- Creates the snapshots whose rows have been inserted: {product: {"row_count": 9, "totals": {…}, "as_of": "…", "stale_at": "…", "oldest_day": "…",
-- "newest_day": "…", "digest": "…"}}; all from `stale_at` on may be missing. Brings the counts of a tenant with more than `p_many` connections up to this revision: from the previous revision's counts if
-- there are any, otherwise from scratch. Returns the products whose rows changed. Counts and sums reveal most changes at no cost; rows are
-- compared only where these are equal. Transactions only accumulate, so `is_other` states whether theirs changed.
create function end_publication(p_tenant uuid, p_connection uuid, p_revision bigint, p_replaced jsonb, p_begun jsonb, p_many integer)
returns text[]
language plpgsql set enable_seqscan = off
as $$
declare
  changed text[] := '{}';
  one record;
  is_other boolean;
  kept record;
begin
  insert into snapshots (
    tenant_id, connection_id, product, revision, as_of, stale_at, oldest_day, newest_day, row_count, totals, digest
  )
  select p_tenant, p_connection, b.key, p_revision, (b.value ->> 'as_of')::timestamptz, (b.value ->> 'stale_at')::timestamptz,
    (b.value ->> 'oldest_day')::date, (b.value ->> 'newest_day')::date, (b.value ->> 'row_count')::integer, b.value -> 'totals',
    b.value ->> 'digest'
  from jsonb_each(p_begun) b;

  for one in
    select p.product, p_begun -> p.product as now, p_replaced -> p.product as before
    from unnest(array['portfolio', 'investment', 'transaction']) with ordinality p (product, place)
    where p_begun ? p.product
    order by p.place
  loop
    if one.now ? 'is_other' then
      is_other := (one.now ->> 'is_other')::boolean;
    elsif (one.now ->> 'row_count')::integer <> coalesce((one.before ->> 'row_count')::integer, 0) then
      is_other := true;
    elsif one.before is null then
      is_other := false;
    elsif one.now -> 'totals' <> one.before -> 'totals' then
      is_other := true;
    elsif one.product = 'portfolio' then
      is_other := exists (
        select p.item, p.parts from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = p_revision
        except all
        select p.item, p.parts from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = (one.before ->> 'revision')::bigint
      );
    else
      is_other := exists (
        select h.portfolio_id, h.item, h.facts from holdings h
        where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = p_revision
        except all
        select h.portfolio_id, h.item, h.facts from holdings h
        where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = (one.before ->> 'revision')::bigint
      );
    end if;
    if is_other then
      changed := changed || one.product;
    end if;
  end loop;

  select t.counts, t.counted_revision into kept from tenant_revisions t where t.tenant_id = p_tenant;
  if kept.counts is not null and kept.counted_revision = p_revision - 1 then
    update tenant_revisions t set counted_revision = p_revision, counts = kept.counts || coalesce((
      select jsonb_object_agg(b.key, counts_after(kept.counts -> b.key, p_replaced -> b.key, b.value)) from jsonb_each(p_begun) b
    ), '{}')
    where t.tenant_id = p_tenant;
  elsif exists (select from connections c where c.tenant_id = p_tenant offset p_many limit 1) then
    update tenant_revisions t set counted_revision = p_revision, counts = counts_of_all(p_tenant) where t.tenant_id = p_tenant;
  end if;
  return changed;
end
$$;

-- Publishes everything that a bank reports for a connection, or the products that are not null. It replaces what was stored; of transactions
-- it replaces only those with the same id and a different content, and the rest stay, or only the rest before `p_complete_from`.
create function publish_snapshot(
  p_tenant uuid, p_connection uuid, p_as_of timestamptz, p_stale_at timestamptz, p_published_at timestamptz, p_portfolios json,
  p_holdings json, p_transactions json, p_complete_from date, p_digests jsonb, p_valued json, p_many integer
)
returns table (revision bigint, changed text[], corrected integer, withdrawn integer)
language plpgsql set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  replaced jsonb;
  before jsonb;
  now jsonb;
  begun jsonb := '{}';
begin
  corrected := 0;
  withdrawn := 0;
  select b.revision, b.replaced into revision, replaced
  from begin_publication(p_tenant, p_connection, p_published_at, array_remove(array[
    case when p_portfolios is not null then 'portfolio' end,
    case when p_holdings is not null then 'investment' end,
    case when p_transactions is not null then 'transaction' end
  ], null)) b;
  if p_portfolios is not null then
    select jsonb_build_object(
      'as_of', p_as_of, 'stale_at', p_stale_at, 'row_count', coalesce(sum(i.row_count), 0),
      'totals', totals_of(jsonb_agg(i)), 'digest', p_digests ->> 'portfolio'
    )
    into now from insert_portfolios(p_tenant, p_connection, publish_snapshot.revision, 0, p_portfolios) i;
    begun := begun || jsonb_build_object('portfolio', now);
  end if;
  if p_holdings is not null then
    select jsonb_build_object(
      'as_of', p_as_of, 'stale_at', p_stale_at, 'row_count', coalesce(sum(i.row_count), 0),
      'totals', totals_of(jsonb_agg(i)), 'digest', p_digests ->> 'investment',
      'oldest_day', min(i.oldest_day), 'newest_day', max(i.newest_day)
    )
    into now from insert_holdings(p_tenant, p_connection, publish_snapshot.revision, 0, p_holdings) i;
    begun := begun || jsonb_build_object('investment', now);
  end if;
  if p_transactions is not null then
    before := replaced -> 'transaction';
    if before is not null then
      corrected := replace_transactions(p_tenant, p_connection, publish_snapshot.revision, p_published_at, p_transactions);
      if p_complete_from is not null then
        withdrawn := withdraw_missing(
          p_tenant, p_connection, publish_snapshot.revision, p_published_at, p_transactions, p_complete_from
        );
      end if;
    end if;
    select jsonb_build_object(
      'as_of', p_as_of,
      'stale_at', p_stale_at,
      'row_count', coalesce(sum(i.row_count), 0) + coalesce((before ->> 'row_count')::bigint, 0) - corrected - withdrawn,
      'totals', added_totals(totals_of(jsonb_agg(i)), before -> 'totals'),
      'is_other', withdrawn > 0 or coalesce(sum(i.row_count), 0) > 0,
      'digest', p_digests ->> 'transaction'
    )
    into now from insert_transactions(p_tenant, p_connection, publish_snapshot.revision, p_published_at, p_transactions) i;
    -- Sums cannot be corrected by subtraction: which decimals and currencies they have depends on all rows.
    if corrected + withdrawn > 0 then
      now := now || (
        select jsonb_build_object('totals', totals_of(jsonb_agg(a)))
        from (
          select t.currency, count(*) as row_count, count(t.balance) as valued, sum(t.balance) as balance from transactions t
          where t.tenant_id = p_tenant and t.connection_id = p_connection
          group by t.currency
        ) a
      );
    end if;
    begun := begun || jsonb_build_object('transaction', now);
  end if;
  changed := end_publication(p_tenant, p_connection, publish_snapshot.revision, replaced, begun, p_many);
  if p_valued is not null then
    perform store_valuations(p_tenant, p_connection, p_valued);
  end if;
  return next;
end
$$;

-- Makes the revisions of replaced snapshots unreadable first, then deletes at most `p_limit` rows of each kind. A large snapshot takes several
-- rounds; its rows go before the snapshot itself.
create function reap_snapshots(p_before timestamptz, p_limit integer)
returns table (portfolios bigint, holdings bigint, snapshots bigint)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  found_snapshots jsonb;
begin
  portfolios := 0;
  holdings := 0;
  snapshots := 0;
  select jsonb_agg(to_jsonb(o)) into found_snapshots
  from (
    select t.tenant_id, f.connection_id, f.product, f.revision, f.until_revision
    from public.tenants t cross join lateral (
      select c.connection_id, c.product, c.revision, c.until_revision from public.snapshots c
      where c.tenant_id = t.tenant_id and c.replaced_at < p_before
      limit p_limit
    ) f
    limit p_limit
  ) o;
  if found_snapshots is null then
    return next;
    return;
  end if;
  -- The lock that publications and removals take. Tenants are locked in one order, so that two callers cannot deadlock.
  perform from tenant_revisions r
  where r.tenant_id in (select o.tenant_id from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid))
  order by r.tenant_id for update;
  update tenant_revisions r set pruned_revision = greatest(r.pruned_revision, pruned.until_revision)
  from (
    select o.tenant_id, max(o.until_revision) as until_revision
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, until_revision bigint)
    group by o.tenant_id
  ) pruned
  where r.tenant_id = pruned.tenant_id;

  delete from public.portfolios r using (
    select c.tenant_id, c.connection_id, c.revision, c.ordinal
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
    join public.portfolios c using (tenant_id, connection_id, revision)
    where o.product = 'portfolio'
    limit p_limit
  ) batch
  where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
    and r.revision = batch.revision and r.ordinal = batch.ordinal;
  get diagnostics portfolios = row_count;

  delete from public.holdings r using (
    select c.tenant_id, c.connection_id, c.revision, c.ordinal
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
    join public.holdings c using (tenant_id, connection_id, revision)
    where o.product = 'investment'
    limit p_limit
  ) batch
  where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
    and r.revision = batch.revision and r.ordinal = batch.ordinal;
  get diagnostics holdings = row_count;

  delete from public.snapshots s
  using jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
  where s.tenant_id = o.tenant_id and s.connection_id = o.connection_id and s.product = o.product and s.revision = o.revision
    and not (s.product = 'portfolio' and exists (
      select from public.portfolios r
      where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
    ))
    and not (s.product = 'investment' and exists (
      select from public.holdings r
      where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
    ));
  get diagnostics snapshots = row_count;
  return next;
end
$$;

-- Deletes former versions of transactions that were replaced before `p_before`, and at no revision can be read.
create function reap_replaced_transactions(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.until_revision, found.connection_id, found.transaction_id
    from tenant_revisions t cross join lateral (
      select r.until_revision, r.connection_id, r.transaction_id from replaced_transactions r
      where r.tenant_id = t.tenant_id and r.replaced_at < p_before and r.until_revision <= t.pruned_revision
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from replaced_transactions r using old
    where r.tenant_id = old.tenant_id and r.until_revision = old.until_revision
      and r.connection_id = old.connection_id and r.transaction_id = old.transaction_id
    returning r.transaction_id
  )
  select count(*) from gone
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function reap_snapshots, reap_replaced_transactions from public;
grant execute on function reap_snapshots, reap_replaced_transactions to wealth_connect_upkeep;
