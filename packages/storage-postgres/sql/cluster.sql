-- Functions for a database whose data rows are distributed over a cluster (Citus). They replace the migrations' functions of the same names.
-- `wealth-connect cluster distribute` creates them, and `migrate` recreates them after migrations. They may be run any number of times.
--
-- Connections and snapshots are on the coordinator, data rows on their tenant's node. So a read first finds its snapshots (data_sources) and
-- passes them to one statement about the rows of one tenant, which one node answers. That statement is written out in full: a function that
-- reads data rows would read them through the coordinator again.

-- Functions that statements about rows call on the nodes.
select create_distributed_function(named.signature::regprocedure)
from unnest(array[
  'picked_item(text, text, text[], uuid)', 'shown_item(text, text, text[], uuid)', 'totals_of(jsonb)'
]) named (signature);

-- A change on both the coordinator and a node is committed in two phases only if Citus knows of both, and Citus does not see changes to the
-- coordinator's own tables: after a crash between the two commits, a snapshot could exist without its rows. Every such change raises or deletes
-- the tenant's revision. A trigger then also touches this table, which Citus manages and which is always empty, so Citus knows.
create table if not exists cluster_commits (number integer primary key);
grant select, delete on cluster_commits to wealth_connect_app, wealth_connect_cleanup;
select citus_add_local_table_to_metadata('cluster_commits')
where not exists (select from pg_dist_partition p where p.logicalrelid = 'cluster_commits'::regclass);

-- Everything below is called on the coordinator and stays there.
set local citus.enable_ddl_propagation = off;

create or replace function read_portfolios(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  source record;
  page text;
  start bigint := 0;
begin
  if p_fields && array['bank', 'client_ref', 'client_name', 'portfolio_id'] then
    return query
      select * from search_portfolios(
        p_tenant, p_connections, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, null, '{}', null, null, null, null
      );
    return;
  end if;
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in
    select * from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s order by s.created_at, s.connection_id
  loop
    page := null;
    if start < p_offset + p_limit and start + source.row_count > p_offset then
      select string_agg(shown_item(p.item, null, p_fields, case when p_with_source then p.connection_id end), ',' order by p.ordinal)
      into page
      from portfolios p
      where p.tenant_id = p_tenant and p.connection_id = source.connection_id and p.revision = source.revision
        and p.ordinal >= p_offset - start and p.ordinal < p_offset + p_limit - start;
    end if;
    start := start + source.row_count;
    return next (
      source.tenant_revision, source.pruned_revision, null::boolean, source.connection_id, source.bank, source.as_of,
      source.pending, source.blocked, source.errored, source.row_count::bigint, source.totals, page,
      source.stale_at < p_now, source.as_of, source.as_of, null::jsonb
    )::data_part;
  end loop;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

create or replace function read_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  source record;
  page text;
  start bigint := 0;
begin
  if p_fields && array['bank', 'client_ref', 'client_name', 'portfolio_id'] then
    return query
      select * from search_holdings(
        p_tenant, p_connections, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, null, '{}', null, null, null, null, null, null, null
      );
    return;
  end if;
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in
    select * from data_sources(p_tenant, p_connections, 'investment', p_revision) s order by s.created_at, s.connection_id
  loop
    page := null;
    if start < p_offset + p_limit and start + source.row_count > p_offset then
      select string_agg(shown_item(h.item, h.facts, p_fields, case when p_with_source then h.connection_id end), ',' order by h.ordinal)
      into page
      from holdings h
      where h.tenant_id = p_tenant and h.connection_id = source.connection_id and h.revision = source.revision
        and h.ordinal >= p_offset - start and h.ordinal < p_offset + p_limit - start;
    end if;
    start := start + source.row_count;
    return next (
      source.tenant_revision, source.pruned_revision, null::boolean, source.connection_id, source.bank, source.as_of,
      source.pending, source.blocked, source.errored, source.row_count::bigint, source.totals, page,
      source.stale_at < p_now, to_char(source.oldest_day, 'YYYY-MM-DD'), to_char(source.newest_day, 'YYYY-MM-DD'), null::jsonb
    )::data_part;
  end loop;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

create or replace function read_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  found_row page_row;
  found_rows page_row[];
  page text;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  -- A condition that names a distributed table is planned at each call: only where it is asked.
  if p_revision is not null then
    if exists (select from replaced_transactions r where r.tenant_id = p_tenant and r.until_revision > p_revision) then
      return query
        select * from search_transactions(
          p_tenant, p_connections, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, null, '{}', null, null, null, null, null, null
        );
      return;
    end if;
  end if;
  -- Planned once, since it reads one table of one tenant.
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for found_row in
    select t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id
    from transactions t
    where t.tenant_id = p_tenant and (p_connections is null or t.connection_id = any (p_connections))
      and (p_revision is null or t.revision <= p_revision)
    order by t.operation_date desc, t.transaction_id desc, t.connection_id
    offset p_offset limit p_limit
  loop
    found_rows := found_rows || found_row;
  end loop;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  page := found_page(p_tenant, p_revision, p_fields, p_with_source, found_rows);
  return query
    select
      s.tenant_revision, s.pruned_revision, null::boolean, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, s.row_count::bigint, s.totals,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then page end,
      s.stale_at < p_now, s.as_of, s.as_of, null::jsonb
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

-- The answer of a search from what one node found: `p_page` has the rows of the page in order, `p_counts` counts and sums by connection,
-- currency and what divides the totals.
create or replace function found_parts(
  p_tenant uuid, p_connections uuid[], p_product text, p_revision bigint, p_now timestamptz, p_fields text[], p_with_source boolean,
  p_groups text[], p_parent_known boolean, p_page jsonb, p_counts jsonb
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  page text;
  groups jsonb;
begin
  page := found_page(
    p_tenant, p_revision, p_fields, p_with_source, array(select r from jsonb_populate_recordset(null::page_row, p_page) r)
  );
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select c.currency, a.name as portfolio_name, grouped.names[1] as first, grouped.names[2] as second,
        sum(c.row_count) as row_count, sum(c.valued) as valued, sum(c.notional) as notional, sum(c.balance) as balance
      from jsonb_to_recordset(p_counts) c (
        connection_id uuid, currency text, type text, subtype text, kind text, portfolio_id uuid, row_count bigint, valued bigint,
        notional bigint, balance numeric
      )
      join data_sources(p_tenant, p_connections, p_product, p_revision) s on s.connection_id = c.connection_id
      left join shown_portfolios(p_tenant, p_connections, p_revision) a
        on 'portfolio' = any (p_groups) and a.connection_id = c.connection_id and a.account = c.portfolio_id
      cross join lateral (
        select array_agg(
          case n.name when 'type' then c.type when 'subtype' then c.subtype when 'kind' then c.kind when 'bank' then s.bank
            when 'client_ref' then s.client_ref
            else coalesce(a.portfolio_id, c.portfolio_id)::text end
          order by n.nth
        ) as names
        from unnest(p_groups) with ordinality n (name, nth)
      ) grouped
      group by c.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    select
      s.tenant_revision, s.pruned_revision, p_parent_known, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, coalesce(c.matching, 0), c.sums,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then page end,
      s.stale_at < p_now,
      case when p_product = 'investment' then to_char(c.oldest, 'YYYY-MM-DD') else s.as_of end,
      case when p_product = 'investment' then to_char(c.newest, 'YYYY-MM-DD') else s.as_of end,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then groups end
    from data_sources(p_tenant, p_connections, p_product, p_revision) s
    left join (
      select g.connection_id, sum(g.row_count)::bigint as matching, totals_of(jsonb_agg(g)) as sums, min(g.oldest) as oldest, max(g.newest) as newest
      from (
        select c.connection_id, c.currency, sum(c.row_count) as row_count, sum(c.valued) as valued, sum(c.notional) as notional,
          sum(c.balance) as balance, min(c.oldest) as oldest, max(c.newest) as newest
        from jsonb_to_recordset(p_counts) c (
          connection_id uuid, currency text, row_count bigint, valued bigint, notional bigint, balance numeric, oldest date, newest date
        )
        group by c.connection_id, c.currency
      ) g
      group by g.connection_id
    ) c on c.connection_id = s.connection_id
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, p_parent_known);
  end if;
end
$$;

create or replace function search_portfolios(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz, p_sort text, p_groups text[], p_currencies text[], p_types text[], p_min_balance numeric, p_name text
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  connection_ids uuid[];
  revisions bigint[];
  page jsonb;
  counts jsonb;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  select array_agg(s.connection_id order by s.created_at, s.connection_id), array_agg(s.revision order by s.created_at, s.connection_id)
  into connection_ids, revisions
  from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s;
  with matching as materialized (
    select s.nth, p.connection_id, p.portfolio_id, p.ordinal, p.currency, p.balance, p.type, p.name_key, p.item
    from unnest(connection_ids, revisions) with ordinality s (connection_id, revision, nth)
    join portfolios p on p.tenant_id = p_tenant and p.connection_id = s.connection_id and p.revision = s.revision
    where (p_currencies is null or p.currency = any (p_currencies))
      and (p_types is null or p.type = any (p_types))
      and (p_min_balance is null or p.balance >= p_min_balance)
      and (p_name is null or strpos(p.name_key, p_name) > 0)
  ), ranked as (
    select m.currency, row_number() over (order by sum(m.balance) desc nulls last, m.currency collate "C") as rank
    from matching m
    group by m.currency
  )
  select
    (
      select jsonb_agg(x)
      from (
        select m.item, m.connection_id
        from matching m join ranked r on r.currency = m.currency
        order by
          case when p_sort in ('-balance', 'balance') then r.rank end,
          case when p_sort = '-balance' then m.balance end desc nulls last,
          case when p_sort = 'balance' then m.balance end,
          case when p_sort = 'name' then m.name_key end,
          case when p_sort = '-name' then m.name_key end desc,
          case when p_sort is null then m.nth end,
          case when p_sort is null then m.ordinal end,
          case when p_sort = '-name' then m.portfolio_id end desc, case when p_sort = '-name' then m.connection_id end desc,
          m.portfolio_id, m.connection_id
        offset p_offset limit p_limit
      ) x
    ),
    (
      select jsonb_agg(g)
      from (
        select m.connection_id, m.currency, case when 'type' = any (p_groups) then m.type end as type,
          count(*) as row_count, count(m.balance) as valued, 0 as notional, sum(m.balance) as balance
        from matching m
        group by m.connection_id, m.currency, case when 'type' = any (p_groups) then m.type end
      ) g
    )
  into page, counts;
  return query
    select * from found_parts(
      p_tenant, p_connections, 'portfolio', p_revision, p_now, p_fields, p_with_source, p_groups, null, page, counts
    );
end
$$;

create or replace function search_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz, p_sort text, p_groups text[], p_portfolio uuid, p_currencies text[], p_types text[],
  p_subtypes text[], p_min_balance numeric, p_name text, p_isins text[]
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  connection_ids uuid[];
  revisions bigint[];
  page jsonb;
  counts jsonb;
  places jsonb;
  portfolio_known boolean;
  parts uuid[];
  own uuid := p_portfolio;
  accounts uuid[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  if p_portfolio is not null then
    -- The portfolio is known by its own row, or by a holding in it, of any connection.
    select jsonb_agg(s) into places
    from (
      select 'portfolio' as product, connection_id, revision from data_sources(p_tenant, null, 'portfolio', p_revision)
      union all
      select 'investment', connection_id, revision from data_sources(p_tenant, null, 'investment', p_revision)
    ) s;
    select true, p.parts into portfolio_known, parts
    from jsonb_to_recordset(places) s (product text, connection_id uuid, revision bigint)
    join portfolios p on p.tenant_id = p_tenant and p.connection_id = s.connection_id and p.revision = s.revision
    where s.product = 'portfolio' and p.portfolio_id = p_portfolio
    limit 1;
    if portfolio_known is null then
      portfolio_known := exists (
        select from jsonb_to_recordset(places) s (product text, connection_id uuid, revision bigint)
        join holdings h on h.tenant_id = p_tenant and h.connection_id = s.connection_id and h.revision = s.revision
        where s.product = 'investment' and h.portfolio_id = p_portfolio
      );
    end if;
    if parts is not null then
      own := null;
      accounts := array_append(parts, p_portfolio);
    end if;
  end if;
  select array_agg(s.connection_id order by s.created_at, s.connection_id), array_agg(s.revision order by s.created_at, s.connection_id)
  into connection_ids, revisions
  from data_sources(p_tenant, p_connections, 'investment', p_revision) s;
  with matching as materialized (
    select s.nth, h.connection_id, h.holding_id, h.portfolio_id, h.ordinal, h.currency, h.balance, h.is_notional, h.type, h.subtype,
      h.valuation_date, h.name_key, h.item, h.facts
    from unnest(connection_ids, revisions) with ordinality s (connection_id, revision, nth)
    join holdings h on h.tenant_id = p_tenant and h.connection_id = s.connection_id and h.revision = s.revision
    where (own is null or h.portfolio_id = own)
      and (accounts is null or h.portfolio_id = any (accounts))
      and (p_currencies is null or h.currency = any (p_currencies))
      and (p_types is null or h.type = any (p_types))
      and (p_subtypes is null or h.subtype = any (p_subtypes))
      and (p_min_balance is null or h.balance >= p_min_balance)
      and (p_name is null or strpos(h.name_key, p_name) > 0)
      and (p_isins is null or h.isin = any (p_isins))
  ), ranked as (
    select m.currency,
      row_number() over (order by sum(m.balance) filter (where not m.is_notional) desc nulls last, m.currency collate "C") as rank
    from matching m
    group by m.currency
  )
  select
    (
      select jsonb_agg(x)
      from (
        select m.item, m.facts, m.connection_id, m.portfolio_id
        from matching m join ranked r on r.currency = m.currency
        order by
          case when p_sort in ('-balance', 'balance') then m.is_notional end,
          case when p_sort in ('-balance', 'balance') then r.rank end,
          case when p_sort = '-balance' then m.balance end desc nulls last,
          case when p_sort = 'balance' then m.balance end,
          case when p_sort = 'name' then m.name_key end,
          case when p_sort = '-name' then m.name_key end desc,
          case when p_sort = '-valuation_date' then m.valuation_date end desc nulls last,
          case when p_sort = 'valuation_date' then m.valuation_date end,
          case when p_sort is null then m.nth end,
          case when p_sort is null then m.ordinal end,
          case when p_sort in ('-name', 'valuation_date') then m.holding_id end desc,
          case when p_sort in ('-name', 'valuation_date') then m.connection_id end desc,
          m.holding_id, m.connection_id
        offset p_offset limit p_limit
      ) x
    ),
    (
      select jsonb_agg(g)
      from (
        select m.connection_id, m.currency, d.type, d.subtype, d.portfolio_id,
          count(*) as row_count, count(m.balance) as valued, count(*) filter (where m.is_notional) as notional,
          sum(m.balance) filter (where not m.is_notional) as balance, min(m.valuation_date) as oldest, max(m.valuation_date) as newest
        from matching m
        cross join lateral (
          select case when 'type' = any (p_groups) then m.type end as type,
            case when 'subtype' = any (p_groups) then m.subtype end as subtype,
            case when 'portfolio' = any (p_groups) then m.portfolio_id end as portfolio_id
        ) d
        group by m.connection_id, m.currency, d.type, d.subtype, d.portfolio_id
      ) g
    )
  into page, counts;
  return query
    select * from found_parts(
      p_tenant, p_connections, 'investment', p_revision, p_now, p_fields, p_with_source, p_groups, portfolio_known, page, counts
    );
end
$$;

create or replace function search_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz, p_sort text, p_groups text[], p_holding uuid, p_from date, p_to date, p_name text, p_isins text[], p_kinds text[]
)
returns setof data_part
language plpgsql stable
as $$
declare
  -- on a cluster
  places jsonb;
  holding_known boolean;
  page jsonb;
  counts jsonb;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_holding is not null then
    -- The holding is known by its own row, or by one of its transactions.
    select jsonb_agg(s) into places
    from (select connection_id, revision from data_sources(p_tenant, null, 'investment', p_revision)) s;
    select exists (
      select from transactions t
      where t.tenant_id = p_tenant and t.holding_id = p_holding and (p_revision is null or t.revision <= p_revision)
    ) or exists (
      select from replaced_transactions r
      where r.tenant_id = p_tenant and r.holding_id = p_holding and r.revision <= p_revision and r.until_revision > p_revision
    ) or exists (
      select from jsonb_to_recordset(places) s (connection_id uuid, revision bigint)
      join holdings h on h.tenant_id = p_tenant and h.connection_id = s.connection_id and h.revision = s.revision
      where h.holding_id = p_holding
    )
    into holding_known;
  end if;
  with matching as materialized (
    select t.connection_id, t.transaction_id, t.portfolio_id, t.holding_id, t.operation_date, t.currency, t.balance, t.kind,
      t.item, t.facts
    from transactions t
    where t.tenant_id = p_tenant and (p_revision is null or t.revision <= p_revision)
      and (p_connections is null or t.connection_id = any (p_connections))
      and (p_holding is null or t.holding_id = p_holding)
      and (p_from is null or t.operation_date >= p_from)
      and (p_to is null or t.operation_date <= p_to)
      and (p_name is null or strpos(coalesce(t.description_key, lower(t.description collate "C")), p_name) > 0)
      and (p_isins is null or t.isin = any (p_isins))
      and (p_kinds is null or t.kind = any (p_kinds))
    union all
    select r.connection_id, r.transaction_id, r.portfolio_id, r.holding_id, r.operation_date, r.currency, r.balance, r.kind,
      r.item, r.facts
    from replaced_transactions r
    where p_revision is not null and r.tenant_id = p_tenant and r.revision <= p_revision and r.until_revision > p_revision
      and (p_connections is null or r.connection_id = any (p_connections))
      and (p_holding is null or r.holding_id = p_holding)
      and (p_from is null or r.operation_date >= p_from)
      and (p_to is null or r.operation_date <= p_to)
      and (p_name is null or strpos(coalesce(r.description_key, lower(r.description collate "C")), p_name) > 0)
      and (p_isins is null or r.isin = any (p_isins))
      and (p_kinds is null or r.kind = any (p_kinds))
  ), ranked as (
    select m.currency, row_number() over (order by sum(m.balance) desc nulls last, m.currency collate "C") as rank
    from matching m
    group by m.currency
  )
  select
    (
      select jsonb_agg(x)
      from (
        select m.item, m.facts, m.connection_id, m.portfolio_id, m.holding_id
        from matching m join ranked r on r.currency = m.currency
        order by
          case when p_sort in ('-balance', 'balance') then r.rank end,
          case when p_sort = '-balance' then m.balance end desc nulls last,
          case when p_sort = 'balance' then m.balance end,
          case when p_sort = 'operationDate' then m.operation_date end,
          case when p_sort is null then m.operation_date end desc,
          case when p_sort is null then m.transaction_id end desc,
          m.transaction_id, m.connection_id
        offset p_offset limit p_limit
      ) x
    ),
    (
      select jsonb_agg(g)
      from (
        select m.connection_id, m.currency, d.kind, d.portfolio_id,
          count(*) as row_count, count(m.balance) as valued, 0 as notional, sum(m.balance) as balance
        from matching m
        cross join lateral (
          select case when 'kind' = any (p_groups) then m.kind end as kind,
            case when 'portfolio' = any (p_groups) then m.portfolio_id end as portfolio_id
        ) d
        group by m.connection_id, m.currency, d.kind, d.portfolio_id
      ) g
    )
  into page, counts;
  return query
    select * from found_parts(
      p_tenant, p_connections, 'transaction', p_revision, p_now, p_fields, p_with_source, p_groups, holding_known, page, counts
    );
end
$$;

-- Whether a row is of a current snapshot is known on the coordinator alone, so a sorted page is a search.
create or replace function read_sorted_portfolios(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz, p_sort text
)
returns setof data_part_of_all
language sql stable
as $$
  -- on a cluster
  select r.*, 0::bigint
  from search_portfolios(
    p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null
  ) r
$$;

create or replace function read_sorted_holdings(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz, p_sort text
)
returns setof data_part_of_all
language sql stable
as $$
  -- on a cluster
  select r.*, 0::bigint
  from search_holdings(
    p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null, null, null, null
  ) r
$$;

create or replace function read_sorted_transactions(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz, p_sort text
)
returns setof data_part_of_all
language sql stable
as $$
  -- on a cluster
  select r.*, 0::bigint
  from search_transactions(
    p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null, null, null
  ) r
$$;

-- Tenant by tenant: a statement that deletes one tenant's rows goes to one node.
create or replace function reap_snapshots(p_before timestamptz, p_limit integer)
returns table (portfolios bigint, holdings bigint, snapshots bigint)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  -- on a cluster
  found_tenant record;
  readers jsonb;
  gone bigint;
begin
  portfolios := 0;
  holdings := 0;
  snapshots := 0;
  for found_tenant in
    select o.tenant_id, max(o.until_revision) as until_revision,
      jsonb_agg(jsonb_build_object('connection_id', o.connection_id, 'product', o.product, 'revision', o.revision)) as found_snapshots
    from (
      select t.tenant_id, f.connection_id, f.product, f.revision, f.until_revision
      from tenants t cross join lateral (
        select c.connection_id, c.product, c.revision, c.until_revision from snapshots c
        where c.tenant_id = t.tenant_id and c.replaced_at < p_before
        limit p_limit
      ) f
      limit p_limit
    ) o
    group by o.tenant_id
    order by o.tenant_id
  loop
    -- The lock that publications and removals take. Tenants are locked in one order, so that two callers cannot deadlock.
    perform from tenant_revisions r where r.tenant_id = found_tenant.tenant_id for update;
    update tenant_revisions r set pruned_revision = greatest(r.pruned_revision, found_tenant.until_revision)
    where r.tenant_id = found_tenant.tenant_id;

    delete from portfolios r using (
      select c.connection_id, c.revision, c.ordinal
      from jsonb_to_recordset(found_tenant.found_snapshots) o (connection_id uuid, product text, revision bigint)
      join portfolios c on c.tenant_id = found_tenant.tenant_id and c.connection_id = o.connection_id and c.revision = o.revision
      where o.product = 'portfolio'
      limit p_limit - portfolios
    ) batch
    where r.tenant_id = found_tenant.tenant_id and r.connection_id = batch.connection_id
      and r.revision = batch.revision and r.ordinal = batch.ordinal;
    get diagnostics gone = row_count;
    portfolios := portfolios + gone;

    delete from holdings r using (
      select c.connection_id, c.revision, c.ordinal
      from jsonb_to_recordset(found_tenant.found_snapshots) o (connection_id uuid, product text, revision bigint)
      join holdings c on c.tenant_id = found_tenant.tenant_id and c.connection_id = o.connection_id and c.revision = o.revision
      where o.product = 'investment'
      limit p_limit - holdings
    ) batch
    where r.tenant_id = found_tenant.tenant_id and r.connection_id = batch.connection_id
      and r.revision = batch.revision and r.ordinal = batch.ordinal;
    get diagnostics gone = row_count;
    holdings := holdings + gone;

    select jsonb_agg(o) into readers
    from jsonb_to_recordset(found_tenant.found_snapshots) o (connection_id uuid, product text, revision bigint)
    where not (o.product = 'portfolio' and exists (
      select from portfolios r
      where r.tenant_id = found_tenant.tenant_id and r.connection_id = o.connection_id and r.revision = o.revision
    )) and not (o.product = 'investment' and exists (
      select from holdings r
      where r.tenant_id = found_tenant.tenant_id and r.connection_id = o.connection_id and r.revision = o.revision
    ));
    delete from snapshots s
    using jsonb_to_recordset(readers) o (connection_id uuid, product text, revision bigint)
    where s.tenant_id = found_tenant.tenant_id and s.connection_id = o.connection_id and s.product = o.product
      and s.revision = o.revision;
    get diagnostics gone = row_count;
    snapshots := snapshots + gone;
  end loop;
  return next;
end
$$;

create or replace function reap_replaced_transactions(p_before timestamptz, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  -- on a cluster
  kept_of uuid[];
  pruned record;
  removed bigint := 0;
  gone bigint;
begin
  -- The only statement that queries all nodes.
  kept_of := array(select distinct r.tenant_id from replaced_transactions r);
  for pruned in
    select t.tenant_id, t.pruned_revision from tenant_revisions t where t.tenant_id = any (kept_of) order by t.tenant_id
  loop
    exit when removed >= p_limit;
    delete from replaced_transactions r using (
      select o.until_revision, o.connection_id, o.transaction_id from replaced_transactions o
      where o.tenant_id = pruned.tenant_id and o.replaced_at < p_before and o.until_revision <= pruned.pruned_revision
      limit p_limit - removed
    ) old
    where r.tenant_id = pruned.tenant_id and r.until_revision = old.until_revision
      and r.connection_id = old.connection_id and r.transaction_id = old.transaction_id;
    get diagnostics gone = row_count;
    removed := removed + gone;
  end loop;
  return removed;
end
$$;

create or replace function reap_valuations(p_before date, p_by_tenant jsonb, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  -- on a cluster
  kept_of uuid[];
  one_tenant uuid;
  found_valuations jsonb;
  removed bigint := 0;
begin
  -- The only statement that queries all nodes. Of valuations they look up whether a tenant has old ones, by `valuations_by_day`.
  kept_of := array(
    select k.tenant_id
    from (select distinct a.tenant_id from valued_accounts a) k
    where exists (
      select from valuations v
      where v.tenant_id = k.tenant_id and v.day < coalesce((p_by_tenant ->> k.tenant_id::text)::date, p_before)
    )
  );
  foreach one_tenant in array kept_of loop
    exit when removed >= p_limit;
    select jsonb_agg(f) into found_valuations
    from (
      select v.connection_id, v.portfolio_id, v.day from valuations v
      where v.tenant_id = one_tenant and v.day < coalesce((p_by_tenant ->> one_tenant::text)::date, p_before)
        and exists (
          select from valuations n
          where n.tenant_id = one_tenant and n.connection_id = v.connection_id and n.portfolio_id = v.portfolio_id and n.day > v.day
        )
      limit p_limit - removed
    ) f;
    continue when found_valuations is null;
    update tenant_revisions r set pruned_revision = r.pruned_revision where r.tenant_id = one_tenant;
    delete from valuations v
    using (select * from jsonb_to_recordset(found_valuations) o (connection_id uuid, portfolio_id uuid, day date)) o
    where v.tenant_id = one_tenant and v.connection_id = o.connection_id and v.portfolio_id = o.portfolio_id and v.day = o.day;
    delete from replaced_valuations r
    using (select * from jsonb_to_recordset(found_valuations) o (connection_id uuid, portfolio_id uuid, day date)) o
    where r.tenant_id = one_tenant and r.connection_id = o.connection_id and r.portfolio_id = o.portfolio_id and r.day = o.day;
    delete from valued_months m
    using (select * from jsonb_to_recordset(found_valuations) o (connection_id uuid, portfolio_id uuid, day date)) o
    where m.tenant_id = one_tenant and m.connection_id = o.connection_id and m.portfolio_id = o.portfolio_id and m.first_day <= o.day;
    delete from valued_holdings h
    using (
      select a.connection_id, a.portfolio_id, a.content
      from jsonb_to_recordset(found_valuations) o (connection_id uuid, portfolio_id uuid)
      join valued_accounts a on a.tenant_id = one_tenant and a.connection_id = o.connection_id and a.portfolio_id = o.portfolio_id
    ) o
    where h.tenant_id = one_tenant and h.connection_id = o.connection_id and h.portfolio_id = o.portfolio_id
      and o.content is distinct from h.content
      and not exists (
        select from valuations v
        where v.tenant_id = one_tenant and v.connection_id = h.connection_id and v.portfolio_id = h.portfolio_id
          and v.day between h.first_day and h.last_day and v.content = h.content
      );
    removed := removed + jsonb_array_length(found_valuations);
  end loop;
  return removed;
end
$$;

create or replace function reap_replaced_valuations(p_before timestamptz, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  -- on a cluster
  kept_of uuid[];
  one_tenant uuid;
  removed bigint := 0;
  gone bigint;
begin
  -- The only statement that queries all nodes.
  kept_of := array(select distinct r.tenant_id from replaced_valuations r where r.replaced_at < p_before);
  foreach one_tenant in array kept_of loop
    exit when removed >= p_limit;
    delete from replaced_valuations r using (
      select o.connection_id, o.portfolio_id, o.day, o.came_at from replaced_valuations o
      where o.tenant_id = one_tenant and o.replaced_at < p_before
      limit p_limit - removed
    ) old
    where r.tenant_id = one_tenant and r.connection_id = old.connection_id and r.portfolio_id = old.portfolio_id
      and r.day = old.day and r.came_at = old.came_at;
    get diagnostics gone = row_count;
    removed := removed + gone;
  end loop;
  return removed;
end
$$;

-- See cluster_commits.
create or replace function commit_in_two_phases() returns trigger
language plpgsql
as $$
begin
  -- on a cluster
  delete from cluster_commits where number = 0;
  return null;
end
$$;
create or replace trigger commit_in_two_phases before update or delete on tenant_revisions
  for each statement execute function commit_in_two_phases();

-- Replaces the foreign key: several nodes cannot refer to a table on one node.
create or replace function forget_replaced_transactions() returns trigger
language plpgsql
as $$
begin
  -- on a cluster
  delete from replaced_transactions where tenant_id = old.tenant_id and connection_id = old.connection_id;
  return null;
end
$$;
create or replace trigger forget_replaced_transactions after delete on connections
  for each row execute function forget_replaced_transactions();

set local citus.enable_ddl_propagation = on;
