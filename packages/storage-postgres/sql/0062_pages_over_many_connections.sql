-- Pages over all connections of a tenant that has many. `read_…` of 0005 puts every connection's count, sums and state together for each
-- page; what `read_all_…` reads is on the page or before it, or has something to be told.

-- Counts and sums of the latest snapshots of all of a tenant's connections, kept by publications:
-- {product: {"snapshots": 2, "rows": 9, "sums": {currency: {digits: {"snapshots": 2, "balance": "3.50"}}}}}
-- A sum has as many digits as the most exact one in it, so sums are kept by their digits, and those that leave take theirs along.
-- They are of `counted_revision`, and worth nothing at any other: a connection was removed since, or a server of the version before has
-- published. Null where there are few connections.
alter table tenant_revisions
  add column counts jsonb,
  add column counted_revision bigint;

-- Few of many connections have anything to be told.
create index connections_to_tell on connections (tenant_id, created_at, connection_id)
  where blocked or portfolio_errored or investment_errored or transaction_errored;

-- The answer: as data_part, and `unlisted`: for how many connections that have data, and nothing to be told, the row stands. It is 0 in a
-- row of one connection. Their count, sums and page stand in the first row.
create type data_part_of_all as (
  tenant_revision bigint,
  pruned_revision bigint,
  parent_known boolean,
  connection_id uuid,
  bank text,
  as_of text,
  pending boolean,
  blocked boolean,
  errored boolean,
  row_count bigint,
  totals jsonb,
  items text,
  unlisted bigint
);

-- Connections of a product that have no data, or of which there is something to be told. `p_without` have no data: those that do are
-- looked for among the newest first, until all are found.
create function sources_to_tell(p_tenant uuid, p_product text, p_without bigint)
returns table (connection_id uuid, created_at timestamptz, bank text, as_of text, pending boolean, blocked boolean, errored boolean)
language sql stable
as $$
  select
    c.connection_id, c.created_at, c.bank, to_char(c.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.pending, c.blocked,
    case p_product
      when 'portfolio' then c.portfolio_errored
      when 'investment' then c.investment_errored
      else c.transaction_errored
    end
  from (
    select told.*, s.as_of
    from connections told
    cross join lateral (
      select snapshots.as_of from snapshots
      where tenant_id = p_tenant and snapshots.connection_id = told.connection_id and product = p_product
      order by snapshots.revision desc
      limit 1
    ) s
    where told.tenant_id = p_tenant
      and (told.blocked or told.portfolio_errored or told.investment_errored or told.transaction_errored)
      and case p_product
        when 'portfolio' then told.blocked or told.portfolio_errored
        when 'investment' then told.blocked or told.investment_errored
        else told.blocked or told.transaction_errored
      end
    union all
    (
      select without.*, null
      from connections without
      left join lateral (
        select true as found from snapshots
        where tenant_id = p_tenant and snapshots.connection_id = without.connection_id and product = p_product
        limit 1
      ) s on true
      where without.tenant_id = p_tenant and s.found is null
      order by without.created_at desc, without.connection_id desc
      limit p_without
    )
  ) c
  order by c.created_at, c.connection_id
$$;

-- What is answered beside the page, when the tenant's counts are of its revision.
create function counted_parts(p_tenant uuid, p_product text, p_items text) returns setof data_part_of_all
language plpgsql stable
as $$
declare
  counted record;
  told data_part_of_all[];
begin
  select t.revision, t.pruned_revision, t.counts -> p_product -> 'sums' as sums,
    coalesce((t.counts -> p_product ->> 'rows')::bigint, 0) as row_count,
    (select count(*) from connections c where c.tenant_id = p_tenant) as connections,
    coalesce((t.counts -> p_product ->> 'snapshots')::bigint, 0) as snapshots
  into counted
  from tenant_revisions t
  where t.tenant_id = p_tenant;
  told := array(
    select (
      counted.revision, counted.pruned_revision, null, s.connection_id, s.bank, s.as_of, s.pending, s.blocked, s.errored, 0, null, null, 0
    )::data_part_of_all
    from sources_to_tell(p_tenant, p_product, counted.connections - counted.snapshots) s
  );
  return next (
    counted.revision, counted.pruned_revision, null, null, null, null, null, null, null, counted.row_count,
    (
      select jsonb_object_agg(c.currency, c.balance::text)
      from (
        select by_currency.key as currency, sum((by_digits.value ->> 'balance')::numeric) as balance
        from jsonb_each(counted.sums) by_currency
        cross join jsonb_each(by_currency.value) by_digits
        group by by_currency.key
      ) c
    ),
    p_items, counted.connections - cardinality(told)
  )::data_part_of_all;
  return query select * from unnest(told);
end
$$;

-- Latest snapshots of a product. As cursors plan for their first rows, they are read in the order that is asked for, one by one.
create function latest_sources(p_tenant uuid, p_product text)
returns table (connection_id uuid, created_at timestamptz, revision bigint, row_count integer)
language sql stable
as $$
  select c.connection_id, c.created_at, s.revision, s.row_count
  from connections c
  cross join lateral (
    select snapshots.revision, snapshots.row_count from snapshots
    where tenant_id = p_tenant and snapshots.connection_id = c.connection_id and product = p_product
    order by snapshots.revision desc
    limit 1
  ) s
  where c.tenant_id = p_tenant
$$;

create function read_all_portfolios(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  start bigint := 0;
  part text;
  page text;
  sources cursor for select * from latest_sources(p_tenant, 'portfolio') s order by s.created_at, s.connection_id;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_portfolios(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in sources loop
    exit when start >= p_offset + p_limit;
    if start + source.row_count > p_offset then
      select string_agg(shown_item(p.item, p_fields, case when p_with_source then p.connection_id end), ',' order by p.ordinal)
      into part
      from portfolios p
      where p.tenant_id = p_tenant and p.connection_id = source.connection_id and p.revision = source.revision
        and p.ordinal >= p_offset - start and p.ordinal < p_offset + p_limit - start;
      page := concat_ws(',', page, part);
    end if;
    start := start + source.row_count;
  end loop;
  return query select * from counted_parts(p_tenant, 'portfolio', page);
end
$$;

create function read_all_holdings(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  start bigint := 0;
  part text;
  page text;
  sources cursor for select * from latest_sources(p_tenant, 'investment') s order by s.created_at, s.connection_id;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_holdings(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in sources loop
    exit when start >= p_offset + p_limit;
    if start + source.row_count > p_offset then
      select string_agg(shown_item(h.item, h.facts, p_fields, case when p_with_source then h.connection_id end), ',' order by h.ordinal)
      into part
      from holdings h
      where h.tenant_id = p_tenant and h.connection_id = source.connection_id and h.revision = source.revision
        and h.ordinal >= p_offset - start and h.ordinal < p_offset + p_limit - start;
      page := concat_ws(',', page, part);
    end if;
    start := start + source.row_count;
  end loop;
  return query select * from counted_parts(p_tenant, 'investment', page);
end
$$;

-- At the tenant's revision no transaction that is shown has been replaced.
create function read_all_transactions(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  found_row record;
  page text[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_transactions(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for found_row in
    select t.item, t.facts, t.connection_id
    from transactions t
    where t.tenant_id = p_tenant
    order by t.operation_date desc, t.transaction_id desc, t.connection_id
    offset p_offset limit p_limit
  loop
    page := page || shown_item(found_row.item, found_row.facts, p_fields, case when p_with_source then found_row.connection_id end);
  end loop;
  return query select * from counted_parts(p_tenant, 'transaction', array_to_string(page, ','));
end
$$;
