-- Reads for the data tools. Each is one call of one function, which sets the role and the tenant for its statement. The functions are stable,
-- so each sees a single state of the database.
--
-- `read_…` returns everything of some connections from stored counts and a range of keys; `search_…` filters, sorts and groups, and has to look
-- at every row. `p_connections` null = all of the tenant, `p_revision` null = the latest, `p_fields` null = whole items; `p_now` is the current
-- time, by which data are overdue.
-- A read is cheaper than planning it, so its generic plan is cached; a search is worth planning each time.

-- The result: a row per connection read, oldest first, with its state, the count and sums of its matching rows and its part of the page. If no
-- connection is read, there is a single row with only the revisions. `parent_known` says whether the portfolio or holding that a search names
-- exists; null if it names none.
create type data_part as (
  tenant_revision bigint,
  pruned_revision bigint,
  parent_known boolean,
  connection_id uuid,
  bank text,
  as_of text,
  pending boolean,
  -- In need of a login, or blocked for another reason: no data come until somebody acts.
  blocked boolean,
  errored boolean,
  row_count bigint,
  totals jsonb,
  items text,
  overdue boolean,
  -- As of when the connection's data are; of holdings, the valuation days of matching rows.
  oldest text,
  newest text,
  -- Totals by the groups asked for, in the first row: [[currency, group, group, name of the portfolio, rows, valued rows, notionals, balance]].
  groups jsonb
);

-- The connections to read, each with its snapshot of a product at a revision.
create function data_sources(p_tenant uuid, p_connections uuid[], p_product text, p_revision bigint)
returns table (
  tenant_revision bigint, pruned_revision bigint, connection_id uuid, created_at timestamptz, bank text, as_of text,
  pending boolean, blocked boolean, errored boolean, revision bigint, row_count integer, totals jsonb, stale_at timestamptz, oldest_day date,
  newest_day date, client_ref text
)
language sql stable
as $$
  select
    t.revision, t.pruned_revision, c.connection_id, c.created_at, c.bank,
    to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.pending, c.needs_relogin,
    case p_product
      when 'portfolio' then c.portfolio_errored
      when 'investment' then c.investment_errored
      else c.transaction_errored
    end,
    s.revision, coalesce(s.row_count, 0), s.totals, s.stale_at, s.oldest_day, s.newest_day, c.client_ref
  from tenant_revisions t
  cross join (
    select * from connections where tenant_id = p_tenant and p_connections is null
    union all
    select known.*
    from unnest(p_connections) asked (connection_id)
    join connections known on known.tenant_id = p_tenant and known.connection_id = asked.connection_id
  ) c
  left join lateral (
    -- Snapshots of a product follow each other without a gap, so one index lookup per connection finds it, at any size.
    select * from snapshots
    where tenant_id = p_tenant and connection_id = c.connection_id and product = p_product
      and snapshots.revision <= coalesce(p_revision, t.revision)
    order by snapshots.revision desc
    limit 1
  ) s on true
  where t.tenant_id = p_tenant
$$;

-- The connections of clients, oldest first, and what of the references and ids asked for does not exist. `p_connections` null = all of theirs.
create function connections_of_clients(p_tenant uuid, p_clients text[], p_connections uuid[])
returns table (unknown_clients text[], unknown_connections uuid[], connection_ids uuid[])
language plpgsql stable
as $$
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  return query select
    array(
      select asked.client_ref from unnest(p_clients) with ordinality asked (client_ref, place)
      where not exists (select from clients k where k.tenant_id = p_tenant and k.client_ref = asked.client_ref)
      order by asked.place
    ),
    array(
      select asked.connection_id from unnest(p_connections) with ordinality asked (connection_id, place)
      where not exists (select from connections c where c.tenant_id = p_tenant and c.connection_id = asked.connection_id)
      order by asked.place
    ),
    array(
      select c.connection_id from connections c
      where c.tenant_id = p_tenant and c.client_ref = any (p_clients)
        and (p_connections is null or c.connection_id = any (p_connections))
      order by c.created_at, c.connection_id
    );
end
$$;

create function revisions_only(p_tenant uuid, p_parent_known boolean) returns setof data_part
language sql stable
as $$
  select
    t.revision, t.pruned_revision, p_parent_known,
    null::uuid, null::text, null::text, null::boolean, null::boolean, null::boolean, null::bigint, null::jsonb, null::text,
    null::boolean, null::text, null::text, null::jsonb
  from tenant_revisions t
  where t.tenant_id = p_tenant
$$;

-- An item with only the requested fields, in the requested order, and with its connection. An unknown fact is null.
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

-- An item as it is returned: `p_fields` null = unchanged, empty = with all its facts. The planner inlines this function, so whole items cost
-- nothing.
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

-- The portfolios that show the accounts of some connections (null = of all): the account itself, or one that has it in `parts`.
create function shown_portfolios(p_tenant uuid, p_connections uuid[], p_revision bigint)
returns table (connection_id uuid, account uuid, portfolio_id uuid, name text)
language plpgsql stable set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  connection_ids uuid[];
  revisions bigint[];
begin
  select array_agg(s.connection_id), array_agg(s.revision) into connection_ids, revisions
  from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s;
  -- On a cluster snapshots and portfolios are in different places, so this statement names portfolios alone.
  return query
    select distinct on (p.connection_id, a.account) p.connection_id, a.account, p.portfolio_id, p.name
    from unnest(connection_ids, revisions) s (connection_id, revision)
    join portfolios p on p.tenant_id = p_tenant and p.connection_id = s.connection_id and p.revision = s.revision
    cross join lateral unnest(array_prepend(p.portfolio_id, p.parts)) a (account)
    order by p.connection_id, a.account, a.account = p.portfolio_id desc, p.ordinal;
end
$$;

-- How many former versions of transactions are kept, by their ids; those with none are left out. At most ten are shown.
create function former_versions(p_tenant uuid, p_connections uuid[], p_transactions uuid[]) returns jsonb
language plpgsql stable set plan_cache_mode = force_custom_plan set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  -- On a cluster former versions are on another machine than connections, so this statement names them alone.
  return (
    select jsonb_object_agg(f.transaction_id, f.versions)
    from (
      select v.transaction_id, least(count(*), 10) as versions
      from unnest(p_connections, p_transactions) t (connection_id, transaction_id)
      join replaced_transactions v
        on v.tenant_id = p_tenant and v.connection_id = t.connection_id and v.transaction_id = t.transaction_id
      group by v.transaction_id
    ) f
  );
end
$$;

-- A row of a page.
create type page_row as (item text, facts text, connection_id uuid, portfolio_id uuid, holding_id uuid);

-- The items of a page from its rows. What fields name beyond the items' own is looked up in one statement, and only where they name it.
create function found_page(p_tenant uuid, p_revision bigint, p_fields text[], p_with_source boolean, p_page page_row[]) returns text
language plpgsql stable set plan_cache_mode = force_generic_plan
as $$
declare
  connection_ids uuid[];
  former jsonb;
begin
  if p_fields && array['bank', 'client_ref', 'client_name', 'portfolio_id', 'investment_id', 'former_versions'] then
    connection_ids := array(select distinct r.connection_id from unnest(p_page) r);
    if 'former_versions' = any (p_fields) then
      former := coalesce(former_versions(
        p_tenant,
        array(select r.connection_id from unnest(p_page) with ordinality r order by r.ordinality),
        array(select (r.item::json ->> 'id')::uuid from unnest(p_page) with ordinality r order by r.ordinality)
      ), '{}');
    end if;
    p_page := array(
      select row(
        r.item,
        '{"bank":' || coalesce(to_json(c.bank)::text, 'null')
          || ',"client_ref":' || coalesce(to_json(c.client_ref)::text, 'null')
          || ',"client_name":' || coalesce(to_json(c.client_name)::text, 'null')
          || coalesce(',"portfolio_id":"' || coalesce(a.portfolio_id, r.portfolio_id)::text || '"', '')
          || coalesce(',"investment_id":"' || r.holding_id::text || '"', '')
          || case when former is null then '' else ',"former_versions":' || coalesce(former ->> (r.item::json ->> 'id'), '0') end
          || coalesce(',' || substr(left(r.facts, -1), 2), '') || '}',
        r.connection_id, null, null
      )::page_row
      from unnest(p_page) with ordinality r (item, facts, connection_id, portfolio_id, holding_id, nth)
      -- `offset 0` keeps the conditions here, where they are decided before anything is read.
      left join (
        select known.connection_id, known.bank, known.client_ref, k.name as client_name
        from unnest(connection_ids) asked (connection_id)
        join connections known on known.tenant_id = p_tenant and known.connection_id = asked.connection_id
        left join clients k on k.tenant_id = p_tenant and k.client_ref = known.client_ref
        where p_fields && array['bank', 'client_ref', 'client_name']
        offset 0
      ) c on c.connection_id = r.connection_id
      left join (
        select * from shown_portfolios(p_tenant, connection_ids, p_revision) where 'portfolio_id' = any (p_fields) offset 0
      ) a on a.connection_id = r.connection_id and a.account = r.portfolio_id
      order by r.nth
    );
  end if;
  return (
    select string_agg(shown_item(r.item, r.facts, p_fields, case when p_with_source then r.connection_id end), ',') from unnest(p_page) r
  );
end
$$;

-- One transaction as it is now, if it is, and as it was before, the latest first, as a JSON array: at most ten former versions, each with
-- `ended_at` and what `ended_by`. Null if there is no such connection.
create function read_transaction_versions(p_tenant uuid, p_connection uuid, p_transaction uuid, p_fields text[]) returns text
language plpgsql stable
as $$
declare
  version record;
  later bigint;
  page page_row[] := '{}';
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  perform from connections c where c.tenant_id = p_tenant and c.connection_id = p_connection;
  if not found then
    return null;
  end if;
  for version in
    select t.item, t.facts, t.portfolio_id, t.holding_id, t.revision, null::bigint as until_revision, t.read_at, null::timestamptz as replaced_at
    from transactions t
    where t.tenant_id = p_tenant and t.connection_id = p_connection and t.transaction_id = p_transaction
    union all
    select * from (
      select r.item, r.facts, r.portfolio_id, r.holding_id, r.revision, r.until_revision, r.read_at, r.replaced_at
      from replaced_transactions r
      where r.tenant_id = p_tenant and r.connection_id = p_connection and r.transaction_id = p_transaction
      order by r.until_revision desc
      limit 10
    ) f
    order by revision desc
  loop
    page := page || row(
      version.item,
      '{"read_at":"' || to_char(version.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
        || coalesce(
          ',"ended_at":"' || to_char(version.replaced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","ended_by":"'
            || case when later = version.until_revision then 'replaced' else 'withdrawn' end || '"',
          ''
        )
        || coalesce(',' || substr(left(version.facts, -1), 2), '') || '}',
      p_connection, version.portfolio_id, version.holding_id
    )::page_row;
    later := version.revision;
  end loop;
  return '[' || coalesce(found_page(p_tenant, null, p_fields, false, page), '') || ']';
end
$$;

-- Includes transactions that have been replaced since the revision.
create function matching_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_holding uuid, p_from date, p_to date, p_name text, p_isins text[], p_kinds text[]
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
    and (p_name is null or strpos(coalesce(t.description_key, lower(t.description collate "C")), p_name) > 0)
    and (p_isins is null or t.isin = any (p_isins))
    and (p_kinds is null or t.kind = any (p_kinds))
  union all
  select
    r.tenant_id, r.connection_id, r.transaction_id, r.revision, r.portfolio_id, r.holding_id, r.operation_date, r.description,
    r.amount, r.balance, r.currency, r.unit_price, r.item, r.facts, r.description_key, r.kind, r.isin, r.read_at, r.file, r.place
  from replaced_transactions r
  where p_revision is not null and r.tenant_id = p_tenant and r.revision <= p_revision and r.until_revision > p_revision
    and (p_connections is null or r.connection_id = any (p_connections))
    and (p_holding is null or r.holding_id = p_holding)
    and (p_from is null or r.operation_date >= p_from)
    and (p_to is null or r.operation_date <= p_to)
    and (p_name is null or strpos(coalesce(r.description_key, lower(r.description collate "C")), p_name) > 0)
    and (p_isins is null or r.isin = any (p_isins))
    and (p_kinds is null or r.kind = any (p_kinds))
$$;

create function read_portfolios(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz
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
      case when d.from_ordinal < d.row_count and d.to_ordinal > 0 then found_page(
        p_tenant, p_revision, p_fields, p_with_source, array(
          select row(p.item, null, p.connection_id, null, null)::page_row
          from portfolios p
          where p.tenant_id = p_tenant and p.connection_id = d.connection_id and p.revision = d.revision
            -- Row-level security keeps expressions over columns, such as `p_offset - d.start`, out of index conditions.
            and p.ordinal >= d.from_ordinal and p.ordinal < d.to_ordinal
          order by p.ordinal
        )
      ) end,
      d.stale_at < p_now, d.as_of, d.as_of, null::jsonb
    from (
      select
        s.*,
        p_offset + s.row_count - sum(s.row_count) over up_to_this as from_ordinal,
        p_offset + p_limit + s.row_count - sum(s.row_count) over up_to_this as to_ordinal
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      window up_to_this as (order by s.created_at, s.connection_id rows unbounded preceding)
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

create function read_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz
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
      case when d.from_ordinal < d.row_count and d.to_ordinal > 0 then found_page(
        p_tenant, p_revision, p_fields, p_with_source, array(
          select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
          from holdings h
          where h.tenant_id = p_tenant and h.connection_id = d.connection_id and h.revision = d.revision
            -- Row-level security keeps expressions over columns, such as `p_offset - d.start`, out of index conditions.
            and h.ordinal >= d.from_ordinal and h.ordinal < d.to_ordinal
          order by h.ordinal
        )
      ) end,
      d.stale_at < p_now, to_char(d.oldest_day, 'YYYY-MM-DD'), to_char(d.newest_day, 'YYYY-MM-DD'), null::jsonb
    from (
      select
        s.*,
        p_offset + s.row_count - sum(s.row_count) over up_to_this as from_ordinal,
        p_offset + p_limit + s.row_count - sum(s.row_count) over up_to_this as to_ordinal
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      window up_to_this as (order by s.created_at, s.connection_id rows unbounded preceding)
    ) d
    order by d.created_at, d.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

-- Transactions of all connections are sorted together, so the first row carries the whole page.
create function read_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz
)
returns setof data_part
language plpgsql stable
as $$
declare
  page page_row[];
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_generic_plan', true);
  if p_revision is not null and exists (
    select from replaced_transactions r where r.tenant_id = p_tenant and r.until_revision > p_revision
  ) then
    page := array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from matching_transactions(p_tenant, p_connections, p_revision, null, null, null, null, null, null) t
      order by t.operation_date desc, t.transaction_id desc, t.connection_id
      offset p_offset limit p_limit
    );
  elsif p_connections is null then
    page := array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from transactions t
      where t.tenant_id = p_tenant and (p_revision is null or t.revision <= p_revision)
      order by t.operation_date desc, t.transaction_id desc, t.connection_id
      offset p_offset limit p_limit
    );
  else
    -- The newest transactions of each connection, then the newest of those.
    page := array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from unnest(p_connections) asked (connection_id)
      cross join lateral (
        select * from transactions
        where tenant_id = p_tenant and transactions.connection_id = asked.connection_id and (p_revision is null or revision <= p_revision)
        order by operation_date desc, transaction_id desc
        limit p_offset + p_limit
      ) t
      order by t.operation_date desc, t.transaction_id desc, t.connection_id
      offset p_offset limit p_limit
    );
  end if;
  return query
    select
      s.tenant_revision, s.pruned_revision, null::boolean, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, s.row_count::bigint, s.totals,
      case when row_number() over (order by s.created_at, s.connection_id) = 1
        then found_page(p_tenant, p_revision, p_fields, p_with_source, page) end,
      s.stale_at < p_now, s.as_of, s.as_of, null::jsonb
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, null);
  end if;
end
$$;

-- Reads with filters, sorts and groups. A filter that is null lets everything pass; an empty list lets nothing pass. Each search is planned for
-- its parameters: null filters and other sorts vanish from the plan, and the rest find their index. Sorts and groups are those of `dataSorts`
-- and `dataGroups`; sorts by balance put the currency with the largest total first.

create function matching_portfolios(
  p_tenant uuid, p_connection uuid, p_revision bigint, p_currencies text[], p_types text[], p_min_balance numeric, p_name text
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
    and (p_name is null or strpos(p.name_key, p_name) > 0)
$$;

create function search_portfolios(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz, p_sort text, p_groups text[], p_currencies text[], p_types text[], p_min_balance numeric, p_name text
)
returns setof data_part
language plpgsql stable
as $$
declare
  currencies text[];
  sorted text;
  groups jsonb;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_sort in ('-balance', 'balance') then
    select array_agg(g.currency order by g.balance desc nulls last, g.currency collate "C") into currencies
    from (
      select p.currency, sum(p.balance) as balance
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral matching_portfolios(
        p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
      ) p
      group by p.currency
    ) g;
  end if;
  if p_sort is not null then
    sorted := found_page(p_tenant, p_revision, p_fields, p_with_source, array(
      select row(p.item, null, p.connection_id, null, null)::page_row
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral matching_portfolios(
        p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
      ) p
      order by
        array_position(currencies, p.currency),
        case when p_sort = '-balance' then p.balance end desc nulls last,
        case when p_sort = 'balance' then p.balance end,
        case when p_sort = 'name' then p.name_key end,
        case when p_sort = '-name' then p.name_key end desc,
        case when p_sort = '-name' then p.portfolio_id end desc, case when p_sort = '-name' then p.connection_id end desc,
        p.portfolio_id, p.connection_id
      offset p_offset limit p_limit
    ));
  end if;
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select p.currency, null::text as portfolio_name,
        case p_groups[1] when 'type' then p.type when 'bank' then s.bank when 'client_ref' then s.client_ref end as first,
        case p_groups[2] when 'type' then p.type when 'bank' then s.bank when 'client_ref' then s.client_ref end as second,
        count(*) as row_count, count(p.balance) as valued,
        0 as notional, sum(p.balance) as balance
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral matching_portfolios(
        p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
      ) p
      group by p.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    select
      d.tenant_revision, d.pruned_revision, null::boolean, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.matching, d.sums,
      case
        when p_sort is not null then case when d.nth = 1 then sorted end
        when d.start < p_offset + p_limit and d.start + d.matching > p_offset then found_page(
          p_tenant, p_revision, p_fields, p_with_source, array(
            select row(p.item, null, p.connection_id, null, null)::page_row
            from matching_portfolios(
              p_tenant, d.connection_id, d.revision, p_currencies, p_types, p_min_balance, p_name
            ) p
            order by p.ordinal
            offset greatest(p_offset - d.start, 0) limit p_offset + p_limit - greatest(d.start, p_offset)
          )
        )
      end,
      d.stale_at < p_now, d.as_of, d.as_of, case when d.nth = 1 then groups end
    from (
      select s.*, c.*,
        row_number() over (order by s.created_at, s.connection_id) as nth,
        sum(c.matching) over (order by s.created_at, s.connection_id rows unbounded preceding) - c.matching as start
      from data_sources(p_tenant, p_connections, 'portfolio', p_revision) s
      cross join lateral (
        select coalesce(sum(g.row_count), 0)::bigint as matching, totals_of(jsonb_agg(g)) as sums
        from (
          select p.currency, count(*) as row_count, count(p.balance) as valued,
            sum(p.balance) as balance
          from matching_portfolios(
            p_tenant, s.connection_id, s.revision, p_currencies, p_types, p_min_balance, p_name
          ) p
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

-- Holdings of one account (`p_portfolio`), or of several (`p_accounts`).
create function matching_holdings(
  p_tenant uuid, p_connection uuid, p_revision bigint, p_portfolio uuid, p_accounts uuid[], p_currencies text[], p_types text[],
  p_subtypes text[], p_min_balance numeric, p_name text, p_isins text[]
)
returns setof holdings
language sql stable
as $$
  select h.*
  from holdings h
  where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = p_revision
    and (p_portfolio is null or h.portfolio_id = p_portfolio)
    and (p_accounts is null or h.portfolio_id = any (p_accounts))
    and (p_currencies is null or h.currency = any (p_currencies))
    and (p_types is null or h.type = any (p_types))
    and (p_subtypes is null or h.subtype = any (p_subtypes))
    and (p_min_balance is null or h.balance >= p_min_balance)
    and (p_name is null or strpos(h.name_key, p_name) > 0)
    and (p_isins is null or h.isin = any (p_isins))
$$;

-- A portfolio's holdings are those of all accounts shown as part of it.
create function search_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz, p_sort text, p_groups text[], p_portfolio uuid, p_currencies text[], p_types text[],
  p_subtypes text[], p_min_balance numeric, p_name text, p_isins text[]
)
returns setof data_part
language plpgsql stable
as $$
declare
  portfolio_known boolean;
  parts uuid[];
  own uuid := p_portfolio;
  accounts uuid[];
  currencies text[];
  sorted text;
  groups jsonb;
  is_reverse boolean := p_sort in ('-name', 'valuation_date');
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_portfolio is not null then
    -- The portfolio is known by its own row, or by a holding in it.
    select p.parts into parts
    from portfolios p
    join data_sources(p_tenant, array[p.connection_id], 'portfolio', p_revision) s on s.revision = p.revision
    where p.tenant_id = p_tenant and p.portfolio_id = p_portfolio
    limit 1;
    portfolio_known := found or exists (
      select from holdings h
      join data_sources(p_tenant, array[h.connection_id], 'investment', p_revision) s on s.revision = h.revision
      where h.tenant_id = p_tenant and h.portfolio_id = p_portfolio
    );
    -- One account is read in the order of its rows; several are sorted first.
    if parts is not null then
      own := null;
      accounts := array_append(parts, p_portfolio);
    end if;
  end if;
  if p_sort in ('-balance', 'balance') then
    select array_agg(g.currency order by g.balance desc nulls last, g.currency collate "C") into currencies
    from (
      select h.currency, sum(h.balance) filter (where not h.is_notional) as balance
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral matching_holdings(
        p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
      ) h
      group by h.currency
    ) g;
  end if;
  if p_sort is not null then
    sorted := found_page(p_tenant, p_revision, p_fields, p_with_source, array(
      select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral matching_holdings(
        p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
      ) h
      order by
        case when p_sort in ('-balance', 'balance') then h.is_notional end,
        array_position(currencies, h.currency),
        case when p_sort = '-balance' then h.balance end desc nulls last,
        case when p_sort = 'balance' then h.balance end,
        case when p_sort = 'name' then h.name_key end,
        case when p_sort = '-name' then h.name_key end desc,
        case when p_sort = '-valuation_date' then h.valuation_date end desc nulls last,
        case when p_sort = 'valuation_date' then h.valuation_date end,
        case when is_reverse then h.holding_id end desc, case when is_reverse then h.connection_id end desc,
        h.holding_id, h.connection_id
      offset p_offset limit p_limit
    ));
  end if;
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select h.currency, a.name as portfolio_name,
        case p_groups[1] when 'type' then h.type when 'subtype' then h.subtype when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, h.portfolio_id)::text end as first,
        case p_groups[2] when 'type' then h.type when 'subtype' then h.subtype when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, h.portfolio_id)::text end as second,
        count(*) as row_count, count(h.balance) as valued,
        count(*) filter (where h.is_notional) as notional, sum(h.balance) filter (where not h.is_notional) as balance
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral matching_holdings(
        p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
      ) h
      left join shown_portfolios(p_tenant, p_connections, p_revision) a
        on 'portfolio' = any (p_groups) and a.connection_id = s.connection_id and a.account = h.portfolio_id
      group by h.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    select
      d.tenant_revision, d.pruned_revision, portfolio_known, d.connection_id, d.bank, d.as_of,
      d.pending, d.blocked, d.errored, d.matching, d.sums,
      case
        when p_sort is not null then case when d.nth = 1 then sorted end
        when d.start < p_offset + p_limit and d.start + d.matching > p_offset then found_page(
          p_tenant, p_revision, p_fields, p_with_source, array(
            select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
            from matching_holdings(
              p_tenant, d.connection_id, d.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
            ) h
            order by h.ordinal
            offset greatest(p_offset - d.start, 0) limit p_offset + p_limit - greatest(d.start, p_offset)
          )
        )
      end,
      d.stale_at < p_now, to_char(d.oldest, 'YYYY-MM-DD'), to_char(d.newest, 'YYYY-MM-DD'), case when d.nth = 1 then groups end
    from (
      select s.*, c.*,
        row_number() over (order by s.created_at, s.connection_id) as nth,
        sum(c.matching) over (order by s.created_at, s.connection_id rows unbounded preceding) - c.matching as start
      from data_sources(p_tenant, p_connections, 'investment', p_revision) s
      cross join lateral (
        select coalesce(sum(g.row_count), 0)::bigint as matching, totals_of(jsonb_agg(g)) as sums, min(g.oldest) as oldest, max(g.newest) as newest
        from (
          select h.currency, count(*) as row_count, count(h.balance) as valued, count(*) filter (where h.is_notional) as notional,
            sum(h.balance) filter (where not h.is_notional) as balance, min(h.valuation_date) as oldest, max(h.valuation_date) as newest
          from matching_holdings(
            p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance, p_name, p_isins
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

create function search_transactions(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_now timestamptz, p_sort text, p_groups text[], p_holding uuid, p_from date, p_to date, p_name text, p_isins text[], p_kinds text[]
)
returns setof data_part
language plpgsql stable
as $$
declare
  holding_known boolean;
  currencies text[];
  page text;
  groups jsonb;
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_holding is not null then
    -- The holding is known by its own row, or by one of its transactions.
    select exists (
      select from transactions t
      where t.tenant_id = p_tenant and t.holding_id = p_holding and (p_revision is null or t.revision <= p_revision)
    ) or exists (
      select from replaced_transactions r
      where r.tenant_id = p_tenant and r.holding_id = p_holding and r.revision <= p_revision and r.until_revision > p_revision
    ) or exists (
      select from holdings h
      join data_sources(p_tenant, array[h.connection_id], 'investment', p_revision) s on s.revision = h.revision
      where h.tenant_id = p_tenant and h.holding_id = p_holding
    )
    into holding_known;
  end if;
  if p_sort in ('-balance', 'balance') then
    select array_agg(g.currency order by g.balance desc nulls last, g.currency collate "C") into currencies
    from (
      select t.currency, sum(t.balance) as balance
      from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
      group by t.currency
    ) g;
  end if;
  page := found_page(p_tenant, p_revision, p_fields, p_with_source, array(
    select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
    from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
    order by
      array_position(currencies, t.currency),
      case when p_sort = '-balance' then t.balance end desc nulls last,
      case when p_sort = 'balance' then t.balance end,
      case when p_sort = 'operationDate' then t.operation_date end,
      case when p_sort is null then t.operation_date end desc,
      case when p_sort is null then t.transaction_id end desc,
      t.transaction_id, t.connection_id
    offset p_offset limit p_limit
  ));
  if p_groups <> '{}' then
    select jsonb_agg(
      jsonb_build_array(g.currency, g.first, g.second, g.portfolio_name, g.row_count, g.valued, g.notional, g.balance::text)
      order by g.currency collate "C", g.first collate "C", g.second collate "C"
    )
    into groups
    from (
      select t.currency, a.name as portfolio_name,
        case p_groups[1] when 'kind' then t.kind when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, t.portfolio_id)::text end as first,
        case p_groups[2] when 'kind' then t.kind when 'bank' then s.bank when 'client_ref' then s.client_ref
          when 'portfolio' then coalesce(a.portfolio_id, t.portfolio_id)::text end as second,
        count(*) as row_count, count(t.balance) as valued,
        0 as notional, sum(t.balance) as balance
      from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
      join data_sources(p_tenant, p_connections, 'transaction', p_revision) s on s.connection_id = t.connection_id
      left join shown_portfolios(p_tenant, p_connections, p_revision) a
        on 'portfolio' = any (p_groups) and a.connection_id = s.connection_id and a.account = t.portfolio_id
      group by t.currency, portfolio_name, first, second
    ) g;
  end if;
  return query
    with counted as (
      select g.connection_id, sum(g.row_count)::bigint as matching, totals_of(jsonb_agg(g)) as sums
      from (
        select t.connection_id, t.currency, count(*) as row_count, count(t.balance) as valued, sum(t.balance) as balance
        from matching_transactions(p_tenant, p_connections, p_revision, p_holding, p_from, p_to, p_name, p_isins, p_kinds) t
        group by t.connection_id, t.currency
      ) g
      group by g.connection_id
    )
    select
      s.tenant_revision, s.pruned_revision, holding_known, s.connection_id, s.bank, s.as_of,
      s.pending, s.blocked, s.errored, coalesce(c.matching, 0), c.sums,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then page end,
      s.stale_at < p_now, s.as_of, s.as_of,
      case when row_number() over (order by s.created_at, s.connection_id) = 1 then groups end
    from data_sources(p_tenant, p_connections, 'transaction', p_revision) s
    left join counted c on c.connection_id = s.connection_id
    order by s.created_at, s.connection_id;
  if not found then
    return query select * from revisions_only(p_tenant, holding_known);
  end if;
end
$$;

-- Pages over all connections of a tenant with many. For each page, `read_…` assembles the count, sums and state of every connection;
-- `read_all_…` reads only connections that are on the page or before it, or that have a status to report.

-- The result: as data_part, plus `unlisted`: how many connections the row stands for that have data and no status to report. It is 0 in the
-- row of a single connection. The first row carries their count, sums and page.
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
  overdue boolean,
  oldest text,
  newest text,
  groups jsonb,
  unlisted bigint
);

-- Connections without data of a product, or with a status to report. `p_without` of them have no data; these are looked for from the newest
-- connection on, until all are found.
create function sources_to_report(p_tenant uuid, p_now timestamptz, p_product text, p_without bigint)
returns table (
  connection_id uuid, created_at timestamptz, bank text, as_of text, pending boolean, blocked boolean, errored boolean, overdue boolean
)
language sql stable
as $$
  select
    c.connection_id, c.created_at, c.bank, to_char(c.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    c.pending, c.needs_relogin,
    case p_product
      when 'portfolio' then c.portfolio_errored
      when 'investment' then c.investment_errored
      else c.transaction_errored
    end,
    c.stale_at < p_now
  from (
    select told.*, s.as_of, s.stale_at
    from connections told
    cross join lateral (
      select snapshots.as_of, snapshots.stale_at from snapshots
      where tenant_id = p_tenant and snapshots.connection_id = told.connection_id and product = p_product
      order by snapshots.revision desc
      limit 1
    ) s
    where told.tenant_id = p_tenant
      and (told.needs_relogin or told.portfolio_errored or told.investment_errored or told.transaction_errored)
      and case p_product
        when 'portfolio' then told.needs_relogin or told.portfolio_errored
        when 'investment' then told.needs_relogin or told.investment_errored
        else told.needs_relogin or told.transaction_errored
      end
    union all
    select late.*, s.as_of, s.stale_at
    from snapshots s
    join connections late on late.tenant_id = p_tenant and late.connection_id = s.connection_id
    where s.tenant_id = p_tenant and s.product = p_product and s.until_revision is null and s.row_count >= 0 and s.stale_at < p_now
      and not case p_product
        when 'portfolio' then late.needs_relogin or late.portfolio_errored
        when 'investment' then late.needs_relogin or late.investment_errored
        else late.needs_relogin or late.transaction_errored
      end
    union all
    (
      select without.*, null, null
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

-- A tenant's stored totals of a product, added up; their names are those of `totals_of`.
create function stored_totals(p_sums jsonb) returns table (name text, total numeric)
language sql immutable
as $$
  select by_name.key, sum((by_digits.value ->> 'balance')::numeric)
  from jsonb_each(p_sums) by_name
  cross join jsonb_each(by_name.value) by_digits
  group by by_name.key
$$;

-- From when to when a tenant's data of a product are.
create function data_ages(p_tenant uuid, p_product text) returns table (oldest text, newest text)
language plpgsql stable
as $$
begin
  if p_product = 'investment' then
    select to_char(s.oldest_day, 'YYYY-MM-DD') into oldest from snapshots s
    where s.tenant_id = p_tenant and s.until_revision is null and s.oldest_day is not null order by s.oldest_day limit 1;
    select to_char(s.newest_day, 'YYYY-MM-DD') into newest from snapshots s
    where s.tenant_id = p_tenant and s.until_revision is null and s.newest_day is not null order by s.newest_day desc limit 1;
  else
    select to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') into oldest from snapshots s
    where s.tenant_id = p_tenant and s.product = p_product and s.until_revision is null and s.row_count >= 0
    order by s.as_of limit 1;
    select to_char(s.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') into newest from snapshots s
    where s.tenant_id = p_tenant and s.product = p_product and s.until_revision is null and s.row_count >= 0
    order by s.as_of desc limit 1;
  end if;
  return next;
end
$$;

-- Everything returned besides the page, for a tenant whose counts are those of its revision.
create function counted_parts(p_tenant uuid, p_now timestamptz, p_product text, p_items text) returns setof data_part_of_all
language plpgsql stable
as $$
declare
  counted record;
  ages record;
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
      counted.revision, counted.pruned_revision, null, s.connection_id, s.bank, s.as_of, s.pending, s.blocked, s.errored, 0, null, null,
      s.overdue, null, null, null, 0
    )::data_part_of_all
    from sources_to_report(p_tenant, p_now, p_product, counted.connections - counted.snapshots) s
  );
  select * into ages from data_ages(p_tenant, p_product);
  return next (
    counted.revision, counted.pruned_revision, null, null, null, null, null, null, null, counted.row_count,
    (select jsonb_object_agg(t.name, t.total::text) from stored_totals(counted.sums) t),
    p_items, null, ages.oldest, ages.newest, null, counted.connections - cardinality(told)
  )::data_part_of_all;
  return query select * from unnest(told);
end
$$;

-- Latest snapshots of a product. Cursors are planned to return their first rows fast, so the snapshots are read one by one in the order asked
-- for.
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
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  start bigint := 0;
  found_row page_row;
  page page_row[];
  sources cursor for select * from latest_sources(p_tenant, 'portfolio') s order by s.created_at, s.connection_id;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_portfolios(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in sources loop
    exit when start >= p_offset + p_limit;
    if start + source.row_count > p_offset then
      for found_row in
        select p.item, null, p.connection_id, null, null
        from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = source.connection_id and p.revision = source.revision
          and p.ordinal >= p_offset - start and p.ordinal < p_offset + p_limit - start
        order by p.ordinal
      loop
        page := page || found_row;
      end loop;
    end if;
    start := start + source.row_count;
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'portfolio', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$$;

create function read_all_holdings(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  start bigint := 0;
  found_row page_row;
  page page_row[];
  sources cursor for select * from latest_sources(p_tenant, 'investment') s order by s.created_at, s.connection_id;
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_holdings(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for source in sources loop
    exit when start >= p_offset + p_limit;
    if start + source.row_count > p_offset then
      for found_row in
        select h.item, h.facts, h.connection_id, h.portfolio_id, null
        from holdings h
        where h.tenant_id = p_tenant and h.connection_id = source.connection_id and h.revision = source.revision
          and h.ordinal >= p_offset - start and h.ordinal < p_offset + p_limit - start
        order by h.ordinal
      loop
        page := page || found_row;
      end loop;
    end if;
    start := start + source.row_count;
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'investment', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$$;

-- At the tenant's current revision no visible transaction has been replaced.
create function read_all_transactions(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  found_row page_row;
  page page_row[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint from read_transactions(p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  for found_row in
    select t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id
    from transactions t
    where t.tenant_id = p_tenant
    order by t.operation_date desc, t.transaction_id desc, t.connection_id
    offset p_offset limit p_limit
  loop
    page := page || found_row;
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'transaction', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$$;

-- Sorted pages over all of a tenant with many connections. Its stored totals say which runs of an index hold the page: with a sort by balance a
-- run per currency, the one with the largest total first, and then those of notionals; with any other sort a single run. Runs in ascending
-- order are divided once more, because an index that puts what is unknown last in one direction puts it first in the other. How many valuation
-- days are known is not stored: they are counted as far as the page.
create function sorted_runs(p_tenant uuid, p_product text, p_sort text, p_offset bigint, p_limit integer)
returns table (currency text, is_notional boolean, is_unknown boolean, skipped bigint, wanted bigint)
language sql stable
as $$
  with named as materialized (
    select s.name, s.total
    from tenant_revisions t cross join stored_totals(t.counts -> p_product -> 'sums') s
    where t.tenant_id = p_tenant and p_sort in ('-balance', 'balance')
  ), counted as (
    select r.currency, b.total as balance, r.total::bigint as row_count, coalesce(n.total, 0)::bigint as notional,
      coalesce(w.total, 0)::bigint as without,
      -- Totals do not say how many of the notionals are unknown.
      case when p_sort = 'balance' and n.total > 0 and w.total > 0 then (
        select count(*) from holdings h
        where h.tenant_id = p_tenant and h.is_notional and h.currency = r.currency and h.balance is null
          and (
            select s.until_revision is null from snapshots s
            where s.tenant_id = p_tenant and s.connection_id = h.connection_id and s.product = 'investment' and s.revision = h.revision
          )
      ) else 0 end as unknown_notional
    from (select left(name, -5) as currency, total from named where name like '% rows') r
    left join named b on b.name = r.currency
    left join named n on n.name = r.currency || ' notional'
    left join named w on w.name = r.currency || ' without'
  ), runs as (
    select c.currency, c.balance, run.is_notional, run.is_unknown, run.row_count
    from counted c
    cross join lateral (
      values
        ('-balance', false, null, c.row_count - c.notional),
        ('-balance', true, null, c.notional),
        ('balance', false, false, c.row_count - c.notional - (c.without - c.unknown_notional)),
        ('balance', false, true, c.without - c.unknown_notional),
        ('balance', true, false, c.notional - c.unknown_notional),
        ('balance', true, true, c.unknown_notional)
    ) run (sort, is_notional, is_unknown, row_count)
    where run.sort = p_sort
  ), placed as (
    select r.*, row_number() over in_order as nth, (sum(r.row_count) over in_order)::bigint as until
    from runs r
    window in_order as (
      order by r.is_notional, r.balance desc nulls last, r.currency collate "C", r.is_unknown rows unbounded preceding
    )
  )
  (
    select p.currency, p.is_notional, p.is_unknown, greatest(p_offset - (p.until - p.row_count), 0),
      least(p.until, p_offset + p_limit) - greatest(p.until - p.row_count, p_offset)
    from placed p
    where p.until > p_offset and p.until - p.row_count < p_offset + p_limit and p.row_count > 0
    order by p.nth
  )
  union all
  (
    select null, null, run.is_unknown, run.skipped, run.wanted
    from (
      select count(*) as known
      from (
        select from holdings h
        where p_sort = 'valuation_date' and h.tenant_id = p_tenant and h.valuation_date is not null
          and (
            select s.until_revision is null from snapshots s
            where s.tenant_id = p_tenant and s.connection_id = h.connection_id and s.product = 'investment' and s.revision = h.revision
          )
        order by h.valuation_date nulls first
        limit p_offset + p_limit
      ) k
    ) c
    cross join lateral (
      values
        (false, p_offset, greatest(c.known - p_offset, 0)),
        (true, greatest(p_offset - c.known, 0), p_offset + p_limit - greatest(c.known, p_offset))
    ) run (is_unknown, skipped, wanted)
    where p_sort = 'valuation_date' and run.wanted > 0
    order by run.is_unknown
  )
  union all
  select null, null, null, p_offset, p_limit where p_sort not in ('-balance', 'balance', 'valuation_date')
$$;

create function read_sorted_portfolios(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz, p_sort text
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  run record;
  page page_row[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint
      from search_portfolios(
        p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null
      ) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  for run in select * from sorted_runs(p_tenant, 'portfolio', p_sort, p_offset, p_limit) loop
    page := page || array(
      select row(p.item, null, p.connection_id, null, null)::page_row
      from portfolios p
      where p.tenant_id = p_tenant
        and (run.currency is null or (p.currency = run.currency))
        and (run.is_unknown is null or (p.balance is null) = run.is_unknown)
        and (
          -- A row of a current snapshot: the table also holds those that were replaced a short while ago.
          select s.until_revision is null from snapshots s
          where s.tenant_id = p_tenant and s.connection_id = p.connection_id and s.product = 'portfolio' and s.revision = p.revision
        )
      order by
        case when p_sort = '-balance' or run.is_unknown then p.balance end desc nulls last,
        case when p_sort = 'balance' and not run.is_unknown then p.balance end nulls first,
        case when p_sort = 'name' then p.name_key end,
        case when p_sort = '-name' then p.name_key end desc,
        case when p_sort = '-name' then p.portfolio_id end desc, case when p_sort = '-name' then p.connection_id end desc,
        p.portfolio_id, p.connection_id
      offset run.skipped limit run.wanted
    );
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'portfolio', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$$;

create function read_sorted_holdings(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz, p_sort text
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  run record;
  page page_row[];
  is_reverse boolean := p_sort in ('-name', 'valuation_date');
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint
      from search_holdings(
        p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null, null, null, null
      ) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  for run in select * from sorted_runs(p_tenant, 'investment', p_sort, p_offset, p_limit) loop
    page := page || array(
      select row(h.item, h.facts, h.connection_id, h.portfolio_id, null)::page_row
      from holdings h
      where h.tenant_id = p_tenant
        and (run.currency is null or (h.currency = run.currency and h.is_notional = run.is_notional))
        and (run.is_unknown is null or (case when p_sort = 'valuation_date' then h.valuation_date is null else h.balance is null end) = run.is_unknown)
        and (
          -- A row of a current snapshot: the table also holds those that were replaced a short while ago.
          select s.until_revision is null from snapshots s
          where s.tenant_id = p_tenant and s.connection_id = h.connection_id and s.product = 'investment' and s.revision = h.revision
        )
      order by
        case when p_sort = '-balance' or p_sort = 'balance' and run.is_unknown then h.balance end desc nulls last,
        case when p_sort = 'balance' and not run.is_unknown then h.balance end nulls first,
        case when p_sort = 'name' then h.name_key end,
        case when p_sort = '-name' then h.name_key end desc,
        case when p_sort = '-valuation_date' then h.valuation_date end desc nulls last,
        case when p_sort = 'valuation_date' then h.valuation_date end nulls first,
        case when is_reverse then h.holding_id end desc, case when is_reverse then h.connection_id end desc,
        h.holding_id, h.connection_id
      offset run.skipped limit run.wanted
    );
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'investment', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$$;

-- At the tenant's current revision no visible transaction has been replaced.
create function read_sorted_transactions(
  p_tenant uuid, p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean, p_now timestamptz, p_sort text
)
returns setof data_part_of_all
language plpgsql stable
as $$
declare
  run record;
  page page_row[];
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  perform from tenant_revisions t
  where t.tenant_id = p_tenant and t.counted_revision = t.revision and coalesce(p_revision, t.revision) = t.revision;
  if not found then
    return query
      select r.*, 0::bigint
      from search_transactions(
        p_tenant, null, p_revision, p_offset, p_limit, p_fields, p_with_source, p_now, p_sort, '{}', null, null, null, null, null, null
      ) r;
    return;
  end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  for run in select * from sorted_runs(p_tenant, 'transaction', p_sort, p_offset, p_limit) loop
    page := page || array(
      select row(t.item, t.facts, t.connection_id, t.portfolio_id, t.holding_id)::page_row
      from transactions t
      where t.tenant_id = p_tenant
        and (run.currency is null or (t.currency = run.currency))
        and (run.is_unknown is null or (t.balance is null) = run.is_unknown)
      order by
        case when p_sort = '-balance' or run.is_unknown then t.balance end desc nulls last,
        case when p_sort = 'balance' and not run.is_unknown then t.balance end nulls first,
        case when p_sort = 'operationDate' then t.operation_date end,
        t.transaction_id, t.connection_id
      offset run.skipped limit run.wanted
    );
  end loop;
  return query
    select * from counted_parts(
      p_tenant, p_now, 'transaction', found_page(p_tenant, p_revision, p_fields, p_with_source, page)
    );
end
$$;
