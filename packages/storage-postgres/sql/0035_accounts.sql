-- Accounts of custodians' files, and in which portfolio each is shown. Holdings and transactions keep the id of their own account; the
-- portfolio's row names the accounts that are shown in it beside its own, so that each revision says it by itself.
alter table portfolios add column parts uuid[];

-- What the latest statement says of the account by itself, where the portfolio that is shown says something else. `stated_arrival` is
-- the file that it is of: another than `arrival`, or none, where a server of the version before took the latest one. Then the
-- portfolio that is shown is the account by itself.
alter table feed_portfolios
  add column stated_arrival bigint,
  add column number text,
  add column is_cash boolean,
  add column name text,
  add column balance numeric,
  add column currency text,
  add column ref_account text,
  add column type text;

-- Numbers of accounts, letters and digits only. `portfolio` null = an operator says that the account is a portfolio of its own.
create table feed_account_links (
  tenant_id uuid not null,
  connection_id uuid not null,
  account text collate "C" not null,
  portfolio text,
  origin text not null check (origin in ('letter', 'rule', 'operator')),
  primary key (tenant_id, connection_id, account),
  foreign key (tenant_id, connection_id) references connections on delete cascade,
  check (portfolio is not null or origin = 'operator')
);
grant select, insert, update, delete on feed_account_links to wealth_connect_app;
alter table feed_account_links enable row level security;
create policy own_tenant on feed_account_links to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- As in 0006. Holdings of one account (`p_portfolio`), or of several (`p_accounts`).
create function matching_holdings(
  p_tenant uuid, p_connection uuid, p_revision bigint,
  p_portfolio uuid, p_accounts uuid[], p_currencies text[], p_types text[], p_subtypes text[], p_min_balance numeric
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
$$;

-- As in 0033; a portfolio's holdings are those of all accounts that are shown in it.
create or replace function search_holdings(
  p_tenant uuid, p_connections uuid[], p_revision bigint, p_offset bigint, p_limit integer, p_fields text[], p_with_source boolean,
  p_portfolio uuid, p_currencies text[], p_types text[], p_subtypes text[], p_min_balance numeric
)
returns setof data_part
language plpgsql stable
as $$
declare
  portfolio_known boolean;
  parts uuid[];
  own uuid := p_portfolio;
  accounts uuid[];
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  if p_portfolio is not null then
    -- By its own row, or by a holding in it.
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
    -- One account is found in the order of its rows; several are sorted first.
    if parts is not null then
      own := null;
      accounts := array_append(parts, p_portfolio);
    end if;
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
            p_tenant, d.connection_id, d.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance
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
            p_tenant, s.connection_id, s.revision, own, accounts, p_currencies, p_types, p_subtypes, p_min_balance
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
drop function matching_holdings(uuid, uuid, bigint, uuid, text[], text[], text[], numeric);
