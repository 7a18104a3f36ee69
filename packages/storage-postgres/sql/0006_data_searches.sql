-- Reads of the data tools with filters, see 0005. A filter that is null lets everything pass; an empty list lets nothing pass.
-- Plans are made for the filters given: those that are null vanish from them, and the rest find their index.

-- {currency: sum} of groups by currency; a currency without any balance has none.
create function sums_of(p_currencies text[], p_balances numeric[]) returns jsonb
language sql immutable
as $$
  select coalesce(jsonb_object_agg(c.currency, c.balance::text) filter (where c.balance is not null), '{}')
  from unnest(p_currencies, p_balances) c (currency, balance)
$$;

create function matching_portfolios(
  p_tenant uuid, p_connection uuid, p_revision bigint, p_currencies text[], p_types text[], p_min_balance numeric
)
returns setof portfolios
language sql stable
as $$
  select p.*
  from portfolios p
  where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = p_revision
    and (p_currencies is null or p.currency = any (p_currencies))
    and (p_types is null or p.type = any (p_types))
    and (p_min_balance is null or p.balance >= p_min_balance)
$$;

create function search_portfolios(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_currencies text[], p_types text[], p_min_balance numeric
)
returns setof data_part
language plpgsql stable
as $$
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.matching, d.sums,
      case when d.start < p_offset + p_limit and d.start + d.matching > p_offset then (
        select string_agg(page.item, ',')
        from (
          select shown_item(p.item, p_fields, case when p_with_source then p.connection_id end) as item
          from matching_portfolios(p_tenant, d.connection_id, d.revision, p_currencies, p_types, p_min_balance) p
          order by p.ordinal
          offset greatest(p_offset - d.start, 0) limit p_offset + p_limit - greatest(d.start, p_offset)
        ) page
      ) end
    from (
      select s.*, c.*,
        sum(c.matching) over (order by s.created_at, s.connection_id rows unbounded preceding) - c.matching as start
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral (
        select coalesce(sum(g.matching), 0)::bigint as matching, sums_of(array_agg(g.currency), array_agg(g.balance)) as sums
        from (
          select p.currency, count(*) as matching, sum(p.balance) as balance
          from matching_portfolios(p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance) p
          group by p.currency
        ) g
      ) c
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

create function matching_holdings(
  p_tenant uuid, p_connection uuid, p_revision bigint,
  p_portfolio uuid, p_currencies text[], p_types text[], p_subtypes text[], p_min_balance numeric
)
returns setof holdings
language sql stable
as $$
  select h.*
  from holdings h
  where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = p_revision
    and (p_portfolio is null or h.portfolio_id = p_portfolio)
    and (p_currencies is null or h.currency = any (p_currencies))
    and (p_types is null or h.type = any (p_types))
    and (p_subtypes is null or h.subtype = any (p_subtypes))
    and (p_min_balance is null or h.balance >= p_min_balance)
$$;

create function search_holdings(
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
          select shown_item(h.item, p_fields, case when p_with_source then h.connection_id end) as item
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

create function matching_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_holding uuid, p_from date, p_to date
)
returns setof transactions
language sql stable
as $$
  select t.*
  from transactions t
  where t.tenant_id = p_tenant
    and (p_connections is null or t.connection_id = any (p_connections))
    and (p_revision is null or t.revision <= p_revision)
    and (p_holding is null or t.holding_id = p_holding)
    and (p_from is null or t.operation_date >= p_from)
    and (p_to is null or t.operation_date <= p_to)
$$;

create function search_transactions(
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
  select string_agg(shown_item(x.item, p_fields, case when p_with_source then x.connection_id end), ',') into page
  from (
    select t.item, t.connection_id
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
