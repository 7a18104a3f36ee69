-- Reads of the data tools. Each is one call of one function: it takes the role and the tenant for this statement, and being
-- stable it sees one state of the database from beginning to end.
--
-- `read_…` answers the whole of some connections out of stored counts and a range of keys; `search_…` applies filters and has
-- to look at every row. `p_connections` null = all of the tenant, `p_revision` null = now, `p_fields` null = whole items.
-- A read is cheaper than planning it, so its plan is made once, for any parameters; that of a search is worth making each time.

-- The answer: a row per connection read, oldest first, with its state, the count and sums of its matching rows and its part of
-- the page. When no connection is read there is one row that has only the revisions. `parent_known` is about the portfolio or
-- holding that a search names; null when it names none.
create type data_part as (
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
  items text
);

-- Connections to read, each with the snapshot of a product that stands at a revision.
create function data_sources(p_tenant uuid, p_connections uuid[], p_product text, p_revision bigint)
returns table (
  tenant_revision bigint, pruned_revision bigint, connection_id uuid, created_at timestamptz, bank text, as_of text,
  pending boolean, blocked boolean, errored boolean, revision bigint, row_count integer, totals jsonb
)
language sql stable
as $$
  select
    t.revision, t.pruned_revision, c.connection_id, c.created_at, c.bank,
    to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.pending, c.blocked,
    case p_product
      when 'portfolio' then c.portfolio_errored
      when 'investment' then c.investment_errored
      else c.transaction_errored
    end,
    s.revision, coalesce(s.row_count, 0), s.totals
  from tenant_revisions t
  cross join (
    select * from connections where tenant_id = p_tenant and p_connections is null
    union all
    select known.*
    from unnest(p_connections) asked (connection_id)
    join connections known on known.tenant_id = p_tenant and known.connection_id = asked.connection_id
  ) c
  left join lateral (
    -- Snapshots of a product follow each other without a gap. One look into the index for each connection, at any size.
    select * from snapshots
    where tenant_id = p_tenant and connection_id = c.connection_id and product = p_product
      and snapshots.revision <= coalesce(p_revision, t.revision)
    order by snapshots.revision desc
    limit 1
  ) s on true
  where t.tenant_id = p_tenant
$$;

create function revisions_only(p_tenant uuid, p_parent_known boolean) returns setof data_part
language sql stable
as $$
  select
    t.revision, t.pruned_revision, p_parent_known,
    null::uuid, null::text, null::text, null::boolean, null::boolean, null::boolean, null::bigint, null::jsonb, null::text
  from tenant_revisions t
  where t.tenant_id = p_tenant
$$;

-- An item with only some fields, in the order asked, and with its connection.
create function picked_item(p_item text, p_fields text[], p_source uuid) returns text
language plpgsql immutable
as $$
declare
  item json := p_item;
  field text;
  picked text := '';
begin
  foreach field in array p_fields loop
    picked := picked || ',"' || field || '":' || (item -> field)::text;
  end loop;
  if p_source is not null then
    picked := picked || ',"credentials_token":"' || p_source || '"';
  end if;
  return '{' || substr(picked, 2) || '}';
end
$$;

-- An item as it is answered. The planner takes this function apart, so that whole items cost nothing.
create function shown_item(p_item text, p_fields text[], p_source uuid) returns text
language sql stable
as $$
  select case
    when p_fields is not null then picked_item(p_item, p_fields, p_source)
    when p_source is not null then left(p_item, -1) || ',"credentials_token":"' || p_source::text || '"}'
    else p_item
  end
$$;

create function read_portfolios(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean
)
returns setof data_part
language plpgsql stable
as $$
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.row_count::bigint, d.totals,
      case when d.start < p_offset + p_limit and d.start + d.row_count > p_offset then (
        select string_agg(page.item, ',')
        from (
          select shown_item(p.item, p_fields, case when p_with_source then p.connection_id end) as item
          from portfolios p
          where p.tenant_id = p_tenant and p.connection_id = d.connection_id and p.revision = d.revision
            and p.ordinal >= p_offset - d.start and p.ordinal < p_offset + p_limit - d.start
          order by p.ordinal
        ) page
      ) end
    from (
      select s.*, sum(s.row_count) over (order by s.created_at, s.connection_id rows unbounded preceding) - s.row_count as start
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

create function read_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean
)
returns setof data_part
language plpgsql stable
as $$
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.row_count::bigint, d.totals,
      case when d.start < p_offset + p_limit and d.start + d.row_count > p_offset then (
        select string_agg(page.item, ',')
        from (
          select shown_item(h.item, p_fields, case when p_with_source then h.connection_id end) as item
          from holdings h
          where h.tenant_id = p_tenant and h.connection_id = d.connection_id and h.revision = d.revision
            and h.ordinal >= p_offset - d.start and h.ordinal < p_offset + p_limit - d.start
          order by h.ordinal
        ) page
      ) end
    from (
      select s.*, sum(s.row_count) over (order by s.created_at, s.connection_id rows unbounded preceding) - s.row_count as start
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

-- Transactions of all connections are in one order, so the page stands in the first row.
create function read_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean
)
returns setof data_part
language plpgsql stable
as $$
declare
  page text;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if p_connections is null then
    select string_agg(shown_item(x.item, p_fields, case when p_with_source then x.connection_id end), ',') into page
    from (
      select x.item, x.connection_id
      from transactions x
      where x.tenant_id = p_tenant and (p_revision is null or x.revision <= p_revision)
      order by x.operation_date desc, x.transaction_id desc, x.connection_id
      offset p_offset limit p_limit
    ) x;
  else
    -- The newest of each connection, then the newest of those.
    select string_agg(shown_item(x.item, p_fields, case when p_with_source then x.connection_id end), ',') into page
    from (
      select newest.*
      from unnest(p_connections) asked (connection_id)
      cross join lateral (
        select t.item, t.connection_id, t.operation_date, t.transaction_id
        from transactions t
        where t.tenant_id = p_tenant and t.connection_id = asked.connection_id
          and (p_revision is null or t.revision <= p_revision)
        order by t.operation_date desc, t.transaction_id desc
        limit p_offset + p_limit
      ) newest
      order by newest.operation_date desc, newest.transaction_id desc, newest.connection_id
      offset p_offset limit p_limit
    ) x;
  end if;
  return query
    select
      s.tenant_revision, s.pruned_revision, null::boolean, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, s.row_count::bigint, s.totals,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then page end
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;
