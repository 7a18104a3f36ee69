-- What a source tells of a holding or a transaction beyond the fields that every tool answers: a JSON object, as text like `item`, and
-- null where it tells nothing more. Most rows have none, and whoever does not ask for it reads none of it.
alter table holdings add column facts text;
alter table transactions add column facts text;

-- An item with only some fields, in the order asked, and with its connection. A fact that is not known is null.
create function picked_item(p_item text, p_facts text, p_fields text[], p_source uuid) returns text
language plpgsql immutable
as $$
declare
  item json := p_item;
  facts json := p_facts;
  field text;
  picked text := '';
begin
  foreach field in array p_fields loop
    picked := picked || ',"' || field || '":' || coalesce((item -> field)::text, (facts -> field)::text, 'null');
  end loop;
  if p_source is not null then
    picked := picked || ',"credentials_token":"' || p_source || '"';
  end if;
  return '{' || substr(picked, 2) || '}';
end
$$;

-- An item as it is answered: `p_fields` null = as it is, empty = with all that is known of its facts. The planner takes this function
-- apart, so that whole items cost nothing.
create function shown_item(p_item text, p_facts text, p_fields text[], p_source uuid) returns text
language sql stable
as $$
  select case
    when p_fields is null then case when p_source is null then p_item else left(p_item, -1) || ',"credentials_token":"' || p_source::text || '"}' end
    when p_fields <> '{}' then picked_item(p_item, p_facts, p_fields, p_source)
    else left(p_item, -1) || coalesce(',' || substr(left(p_facts, -1), 2), '')
      || case when p_source is null then '}' else ',"credentials_token":"' || p_source::text || '"}' end
  end
$$;

-- As in 0005 and 0006, over the new functions.
create or replace function read_holdings(
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
          select shown_item(h.item, h.facts, p_fields, case when p_with_source then h.connection_id end) as item
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

create or replace function read_transactions(
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
    select string_agg(shown_item(x.item, x.facts, p_fields, case when p_with_source then x.connection_id end), ',') into page
    from (
      select x.item, x.facts, x.connection_id
      from transactions x
      where x.tenant_id = p_tenant and (p_revision is null or x.revision <= p_revision)
      order by x.operation_date desc, x.transaction_id desc, x.connection_id
      offset p_offset limit p_limit
    ) x;
  else
    -- The newest of each connection, then the newest of those.
    select string_agg(shown_item(x.item, x.facts, p_fields, case when p_with_source then x.connection_id end), ',') into page
    from (
      select newest.*
      from unnest(p_connections) asked (connection_id)
      cross join lateral (
        select t.item, t.facts, t.connection_id, t.operation_date, t.transaction_id
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

create or replace function search_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_portfolio uuid, p_currencies text[], p_types text[], p_subtypes text[], p_min_balance numeric
)
returns setof data_part
language plpgsql stable
as $$
declare
  portfolio_known boolean;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_portfolio is not null then
    -- By its own row, or by a holding in it.
    select exists (
      select from portfolios p
      join data_sources(p_tenant, array[p.connection_id], 'portfolio', p_revision) s on s.revision = p.revision
      where p.tenant_id = p_tenant and p.portfolio_id = p_portfolio
    ) or exists (
      select from holdings h
      join data_sources(p_tenant, array[h.connection_id], 'investment', p_revision) s on s.revision = h.revision
      where h.tenant_id = p_tenant and h.portfolio_id = p_portfolio
    )
    into portfolio_known;
  end if;
  return query
    select
      d.tenant_revision, d.pruned_revision, portfolio_known, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.matching, d.sums,
      case when d.start < p_offset + p_limit and d.start + d.matching > p_offset then (
        select string_agg(page.item, ',')
        from (
          select shown_item(h.item, h.facts, p_fields, case when p_with_source then h.connection_id end) as item
          from matching_holdings(
            p_tenant, d.connection_id, d.revision, p_portfolio, p_currencies, p_types, p_subtypes, p_min_balance
          ) h
          order by h.ordinal
          offset greatest(p_offset - d.start, 0) limit p_offset + p_limit - greatest(d.start, p_offset)
        ) page
      ) end
    from (
      select s.*, c.*,
        sum(c.matching) over (order by s.created_at, s.connection_id rows unbounded preceding) - c.matching as start
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral (
        select coalesce(sum(g.matching), 0)::bigint as matching, sums_of(array_agg(g.currency), array_agg(g.balance)) as sums
        from (
          select h.currency, count(*) as matching, sum(h.balance) as balance
          from matching_holdings(
            p_tenant, s.connection_id, s.revision, p_portfolio, p_currencies, p_types, p_subtypes, p_min_balance
          ) h
          group by h.currency
        ) g
      ) c
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, portfolio_known);
  end if;
end
$$;

create or replace function search_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_holding uuid, p_from date, p_to date
)
returns setof data_part
language plpgsql stable
as $$
declare
  holding_known boolean;
  page text;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_holding is not null then
    -- By its own row, or by a transaction of it.
    select exists (
      select from transactions t
      where t.tenant_id = p_tenant and t.holding_id = p_holding and (p_revision is null or t.revision <= p_revision)
    ) or exists (
      select from holdings h
      join data_sources(p_tenant, array[h.connection_id], 'investment', p_revision) s on s.revision = h.revision
      where h.tenant_id = p_tenant and h.holding_id = p_holding
    )
    into holding_known;
  end if;
  select string_agg(shown_item(x.item, x.facts, p_fields, case when p_with_source then x.connection_id end), ',') into page
  from (
    select t.item, t.facts, t.connection_id
    from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to) t
    order by t.operation_date desc, t.transaction_id desc, t.connection_id
    offset p_offset limit p_limit
  ) x;
  return query
    with counted as (
      select g.connection_id, sum(g.matching)::bigint as matching, sums_of(array_agg(g.currency), array_agg(g.balance)) as sums
      from (
        select t.connection_id, t.currency, count(*) as matching, sum(t.balance) as balance
        from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to) t
        group by t.connection_id, t.currency
      ) g
      group by g.connection_id
    )
    select
      s.tenant_revision, s.pruned_revision, holding_known, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, coalesce(c.matching, 0), c.sums,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then page end
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    left join counted c on c.connection_id = s.connection_id
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, holding_known);
  end if;
end
$$;
