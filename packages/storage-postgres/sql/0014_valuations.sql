-- What accounts were worth, day by day.

-- Every account that was ever valued, as its latest valuation states it. Connections delete these rows themselves, as those of 0005.
create table valued_accounts (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  -- Its place among those that were stated with it.
  ordinal integer not null,
  name text not null,
  ref_account text,
  currency text not null,
  type text not null,
  is_cash boolean not null,
  -- Whether any of its valuations, ever, listed a security, or cash as a holding.
  lists_securities boolean not null,
  lists_cash boolean not null,
  -- The holdings of its latest valuation, and the revision of the snapshot that they were taken from; null = from none.
  content uuid,
  value jsonb,
  revision bigint,
  primary key (tenant_id, connection_id, portfolio_id)
);
grant select, insert, update, delete on valued_accounts to wealth_connect_app;
alter table valued_accounts enable row level security;
create policy own_tenant on valued_accounts to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create table valuations (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  day date not null,
  -- When a provider read it, or the moment that a file states.
  stated_at timestamptz not null,
  -- The arrival number of the file; 0 = it was read by a provider. Of one day what is later by these two counts.
  arrival bigint not null,
  balance numeric,
  currency text not null,
  -- Sums of the holdings by currency: {"EUR": "3.50"}; null if one of them has no value, or none were listed.
  value jsonb,
  -- The holdings, in valued_holdings; null if none were listed.
  content uuid,
  source jsonb not null,
  came_at timestamptz not null default now(),
  -- Where the account stands in its file, and its holdings in their order, one a line; null = it has no file, or the file does not tell.
  places text,
  primary key (tenant_id, connection_id, portfolio_id, day)
);
create index valuations_by_day on valuations (tenant_id, day);
grant select, insert, update, delete on valuations to wealth_connect_app;
alter table valuations enable row level security;
create policy own_tenant on valuations to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Of each account the valuations that count at the ends of past months, once more, so that they are not looked up one by one. Made by
-- `keep_months`; whatever changes a day at or before `until`, or deletes a valuation from `first_day` on, deletes the row.
create table valued_months (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  -- The first day of `closes`.
  first_day date not null,
  -- The last day of the month before that of a valuation: months up to then are over, and a later day changes none of them.
  until date not null,
  -- A JSON array, ascending, of the last valuation with a value in each month that has one: [day, balance, value, content], the last two only
  -- where there is no balance.
  closes text not null,
  primary key (tenant_id, connection_id, portfolio_id)
);
grant select, delete on valued_months to wealth_connect_app;
alter table valued_months enable row level security;
create policy own_tenant on valued_months to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- What a day's valuation said before a corrected file or a later read of that day, at most ten of one day, each for a limited time. Columns as
-- in valuations, with the holdings themselves.
create table replaced_valuations (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  day date not null,
  stated_at timestamptz not null,
  balance numeric,
  currency text not null,
  value jsonb,
  items text,
  source jsonb not null,
  came_at timestamptz not null,
  places text,
  replaced_at timestamptz not null default now(),
  primary key (tenant_id, connection_id, portfolio_id, day, came_at)
);
create index replaced_valuations_to_reap on replaced_valuations (tenant_id, replaced_at);
grant select, insert, delete on replaced_valuations to wealth_connect_app;
alter table replaced_valuations enable row level security;
create policy own_tenant on replaced_valuations to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- The holdings of one account as they were, once however many days they stayed the same. Those of its latest valuation belong to that day too.
create table valued_holdings (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  -- MD5 of `items`.
  content uuid not null,
  -- No valuation of another day has them.
  first_day date not null,
  last_day date not null,
  -- A JSON array of objects: the fields of `holdings.item`, its facts, and "is_notional" if it is true.
  items text not null,
  -- What those of one type and currency are worth that have a balance and are no notional: a JSON array of [type, currency, amount].
  sums text not null,
  primary key (tenant_id, connection_id, portfolio_id, content)
);
grant select, insert, update, delete on valued_holdings to wealth_connect_app;
alter table valued_holdings enable row level security;
create policy own_tenant on valued_holdings to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Keeps valuations that are about to be replaced, given as rows of valuations. Beyond ten of a day the oldest are deleted. What JSON names is looked
-- up row by row, by a limit or an offset: of a join the planner may read everything that the connection has.
create function keep_former_valuations(p_tenant uuid, p_connection uuid, p_former jsonb) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  listed jsonb;
  excess jsonb;
begin
  select jsonb_agg(jsonb_build_object('portfolio_id', h.portfolio_id, 'content', h.content, 'items', h.items)) into listed
  from jsonb_to_recordset(p_former) f (portfolio_id uuid, content uuid) cross join lateral (
    select h.portfolio_id, h.content, h.items from valued_holdings h
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = f.portfolio_id and h.content = f.content
    limit 1
  ) h;
  insert into replaced_valuations (
    tenant_id, connection_id, portfolio_id, day, stated_at, balance, currency, value, items, source, came_at, places
  )
  select p_tenant, p_connection, f.portfolio_id, f.day, f.stated_at, f.balance, f.currency, f.value, (
      select l.items from jsonb_to_recordset(listed) l (portfolio_id uuid, content uuid, items text)
      where l.portfolio_id = f.portfolio_id and l.content = f.content
      limit 1
    ), f.source, f.came_at, f.places
  from jsonb_populate_recordset(null::valuations, p_former) f
  on conflict do nothing;
  select jsonb_agg(jsonb_build_object('portfolio_id', f.portfolio_id, 'day', f.day, 'came_at', r.came_at)) into excess
  from jsonb_to_recordset(p_former) f (portfolio_id uuid, day date) cross join lateral (
    select r.came_at from replaced_valuations r
    where r.tenant_id = p_tenant and r.connection_id = p_connection and r.portfolio_id = f.portfolio_id and r.day = f.day
    order by r.came_at desc
    offset 10
  ) r;
  if excess is not null then
    delete from replaced_valuations r
    using (select * from jsonb_to_recordset(excess) e (portfolio_id uuid, day date, came_at timestamptz)) e
    where r.tenant_id = p_tenant and r.connection_id = p_connection and r.portfolio_id = e.portfolio_id and r.day = e.day
      and r.came_at = e.came_at;
  end if;
end
$$;

-- Stores what one delivery states: {"arrival": 0, "complete_on": "2026-03-01", "accounts": [{"portfolio_id": …, "day": …, "is_shown": true, …}]}.
-- The holdings of an account are those of the connection's current snapshot (`is_shown`) or `items`, with their `value` and what they list; null
-- = none were listed. No account has two rows of one day. `complete_on`: the current portfolios are all that there are; an account that is not
-- among them is worth nothing if a withdrawal or transfer out came since its last valuation. A statement costs more than what it does, so there
-- are as few as a cluster allows, and what they pass on has no holdings but in `listed`. Updates and deletions take JSON from a subquery: a
-- cluster plans those that take it from a function itself for all shards, too. Plans are cached, as those of 0005: joins are look-ups, so that a
-- connection's history is never read through.
create function store_valuations(p_tenant uuid, p_connection uuid, p_valued json) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  file bigint := (p_valued ->> 'arrival')::bigint;
  complete_on date := (p_valued ->> 'complete_on')::date;
  accounts json := p_valued -> 'accounts';
  -- Of the current snapshots.
  holdings_revision bigint;
  portfolios_revision bigint;
  -- Of the accounts that are known: whether some have the current holdings, and some are not stated.
  has_known boolean;
  has_others boolean;
  unchanged integer := 0;
  gone jsonb;
  stated jsonb;
  listed jsonb;
  -- What some of `stated` has to do: with a day that may be valued already, one before the last, the holdings until now, the account, what it ever listed.
  has_days boolean;
  has_earlier boolean;
  has_ended boolean;
  has_accounts boolean;
  has_listed boolean;
  replaced jsonb;
begin
  select max(s.revision) filter (where s.product = 'investment'), max(s.revision) filter (where s.product = 'portfolio')
  into holdings_revision, portfolios_revision
  from snapshots s
  where s.tenant_id = p_tenant and s.connection_id = p_connection and s.until_revision is null;

  select bool_or(k.revision = holdings_revision),
    complete_on is not null and bool_or(k.portfolio_id <> all (array(
      select a.portfolio_id from json_to_recordset(accounts) a (portfolio_id uuid)
    )))
  into has_known, has_others
  from valued_accounts k
  where k.tenant_id = p_tenant and k.connection_id = p_connection;

  -- On most days accounts stay as they are, with the same holdings: then all is done by one insertion.
  if has_known then
    insert into valuations (tenant_id, connection_id, portfolio_id, day, stated_at, arrival, balance, currency, value, content, source, places)
    select k.tenant_id, k.connection_id, k.portfolio_id, a.day, a.stated_at, file, a.balance, a.currency, k.value, k.content, a.source, a.places
    from json_to_recordset(accounts) a (
      portfolio_id uuid, ordinal integer, name text, ref_account text, currency text, type text, is_cash boolean, day date,
      stated_at timestamptz, balance numeric, source jsonb, places text, is_shown boolean
    )
    join valued_accounts k on k.tenant_id = p_tenant and k.connection_id = p_connection and k.portfolio_id = a.portfolio_id
    where a.is_shown and k.revision = holdings_revision and k.content is not null
      and (k.ordinal, k.name, k.currency, k.type, k.is_cash) = (a.ordinal, a.name, a.currency, a.type, a.is_cash)
      and k.ref_account is not distinct from a.ref_account
      and not exists (
        select from valuations v
        where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = a.portfolio_id and v.day >= a.day
      );
    get diagnostics unchanged = row_count;
  end if;

  if has_others then
    select jsonb_agg(g) into gone
    from (
      select a.portfolio_id, a.ordinal, a.name, a.ref_account, a.currency, a.type, a.is_cash, complete_on as day,
        coalesce((p_valued ->> 'read_at')::timestamptz, now()) as stated_at, '0' as balance, l.source, false as is_shown, '[]' as items,
        '[]' as sums, '{}'::jsonb as value
      from valued_accounts a cross join lateral (
        select v.day, v.stated_at, v.balance, v.source from valuations v
        where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = a.portfolio_id
        order by v.day desc
        limit 1
      ) l
      where a.tenant_id = p_tenant and a.connection_id = p_connection
        and not exists (
          select from portfolios p
          where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = portfolios_revision
            and p.portfolio_id = a.portfolio_id
        )
        and l.balance is distinct from 0 and l.day <= complete_on
        and exists (
          select from transactions t
          where t.tenant_id = p_tenant and t.connection_id = p_connection and t.portfolio_id = a.portfolio_id
            and t.kind in ('withdrawal', 'transfer_out') and (t.operation_date > l.day or t.read_at > l.stated_at)
        )
    ) g;
    if gone is not null then
      accounts := accounts::jsonb || gone;
    end if;
  end if;
  if json_array_length(accounts) = unchanged then
    return;
  end if;

  with asked as materialized (
    select a.portfolio_id, a.ordinal, a.name, a.ref_account, a.currency, a.type, a.is_cash, a.day, a.stated_at, a.balance, a.source, a.places,
      a.is_shown, a.items, a.sums, a.value, a.lists_securities, a.lists_cash,
      -- Holdings that are known already are neither read nor stored again.
      a.is_shown and k.revision is not distinct from holdings_revision and k.content is not null as is_known,
      case when a.is_shown then holdings_revision end as revision, k.content as last_content, k.value as last_value, l.day as last_day,
      coalesce(k.lists_securities, false) as listed_securities, coalesce(k.lists_cash, false) as listed_cash,
      row_number() over (partition by a.portfolio_id order by a.day desc) = 1
        and (l.day is null or (a.day, a.stated_at, file) >= (l.day, l.stated_at, l.arrival)) as is_latest,
      k.portfolio_id is null or k.revision is distinct from case when a.is_shown then holdings_revision end
        or (k.ordinal, k.name, k.currency, k.type, k.is_cash) <> (a.ordinal, a.name, a.currency, a.type, a.is_cash)
        or k.ref_account is distinct from a.ref_account as is_other
    from json_to_recordset(accounts) a (
      portfolio_id uuid, ordinal integer, name text, ref_account text, currency text, type text, is_cash boolean, day date,
      stated_at timestamptz, balance text, source jsonb, places text, is_shown boolean, items text, sums text, value jsonb,
      lists_securities boolean, lists_cash boolean
    )
    left join valued_accounts k on k.tenant_id = p_tenant and k.connection_id = p_connection and k.portfolio_id = a.portfolio_id
    left join lateral (
      select v.day, v.stated_at, v.arrival from valuations v
      where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = a.portfolio_id
      order by v.day desc
      limit 1
    ) l on true
  ), held as materialized (
    select h.portfolio_id, h.ordinal, h.type, h.currency, h.balance, h.balance is not null and not h.is_notional as is_valued,
      left(h.item, -1) || coalesce(',' || nullif(substr(h.facts, 2, length(h.facts) - 2), ''), '')
        || case when h.is_notional then ',"is_notional":true}' else '}' end as entry
    from holdings h
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = holdings_revision
      and h.portfolio_id = any (array(select a.portfolio_id from asked a where a.is_shown and not a.is_known))
  ), shown as (
    select r.portfolio_id, r.items, r.lists_securities, r.lists_cash, case when r.is_valued then v.value end as value,
      coalesce(v.sums, '[]') as sums
    from (
      select h.portfolio_id, '[' || string_agg(h.entry, ',' order by h.ordinal) || ']' as items,
        bool_or(h.type <> 'L') as lists_securities, bool_or(h.type = 'L') as lists_cash, bool_and(h.is_valued) as is_valued
      from held h
      group by h.portfolio_id
    ) r
    join (
      select c.portfolio_id, jsonb_object_agg(c.currency, c.balance::text) as value, '[' || string_agg(c.sums, ',') || ']' as sums
      from (
        select s.portfolio_id, s.currency, sum(s.balance) as balance,
          string_agg(json_build_array(s.type, s.currency, s.balance::text)::text, ',') filter (where s.balance is not null) as sums
        from (
          select h.portfolio_id, h.currency, h.type, sum(h.balance) filter (where h.is_valued) as balance
          from held h
          group by h.portfolio_id, h.currency, h.type
        ) s
        group by s.portfolio_id, s.currency
      ) c
      group by c.portfolio_id
    ) v on v.portfolio_id = r.portfolio_id
  ), valued as materialized (
    select a.*, n.items as new_items, case when a.is_shown then coalesce(l.sums, '[]') else a.sums end as new_sums,
      case when a.is_known then a.last_content else md5(n.items)::uuid end as content,
      case when a.is_known then a.last_value when not a.is_shown then a.value when l.items is null then '{}' else l.value end as new_value,
      case when a.is_known then a.listed_securities else coalesce(a.lists_securities, l.lists_securities, false) end as lists_them,
      case when a.is_known then a.listed_cash else coalesce(a.lists_cash, l.lists_cash, false) end as lists_money
    from asked a left join shown l on a.is_shown and not a.is_known and l.portfolio_id = a.portfolio_id
    cross join lateral (select case when a.is_shown then coalesce(l.items, '[]') else a.items end as items) n
  )
  select jsonb_agg(jsonb_build_object('portfolio_id', s.portfolio_id, 'content', s.content, 'day', s.day, 'items', s.new_items,
      'sums', s.new_sums))
      filter (where not s.is_known and s.content is not null),
    jsonb_agg(jsonb_build_object(
      'portfolio_id', s.portfolio_id, 'ordinal', s.ordinal, 'name', s.name, 'ref_account', s.ref_account, 'currency', s.currency,
      'type', s.type, 'is_cash', s.is_cash, 'day', s.day, 'stated_at', s.stated_at, 'balance', s.balance, 'source', s.source,
      'places', s.places, 'content', s.content, 'value', s.new_value, 'lists_securities', s.lists_them, 'lists_cash', s.lists_money,
      'revision', s.revision, 'last_content', s.last_content, 'last_day', s.last_day, 'is_latest', s.is_latest, 'is_other', s.is_now_other
    )),
    bool_or(s.day <= s.last_day), bool_or(s.day < s.last_day),
    bool_or(s.is_latest and s.content is distinct from s.last_content and exists (
      select from valued_holdings h
      where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = s.portfolio_id and h.content = s.last_content
        and h.last_day < s.last_day
    )),
    bool_or(s.is_latest and s.is_now_other), bool_or(s.lists_them and not s.listed_securities or s.lists_money and not s.listed_cash)
  into listed, stated, has_days, has_earlier, has_ended, has_accounts, has_listed
  from (
    select v.*,
      v.is_other or v.content is distinct from v.last_content or v.new_value is distinct from v.last_value as is_now_other
    from valued v
  ) s;

  if has_days then
    select jsonb_agg(v) into replaced
    from jsonb_to_recordset(stated) s (
      portfolio_id uuid, day date, stated_at timestamptz, balance text, currency text, content uuid
    ) cross join lateral (
      select * from valuations v
      where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = s.portfolio_id and v.day = s.day
      limit 1
    ) v
    where v.stated_at <= s.stated_at and (v.stated_at < s.stated_at or v.arrival <= file)
      and (v.content is distinct from s.content or v.balance is distinct from s.balance::numeric or v.currency <> s.currency);
    if replaced is not null then
      perform keep_former_valuations(p_tenant, p_connection, replaced);
    end if;
  end if;

  -- The month of an account's last valuation is never kept.
  if has_earlier then
    delete from valued_months m
    using (
      select e.portfolio_id, min(e.day) as day from jsonb_to_recordset(stated) e (portfolio_id uuid, day date) group by e.portfolio_id
    ) e
    where m.tenant_id = p_tenant and m.connection_id = p_connection and m.portfolio_id = e.portfolio_id and m.until >= e.day;
  end if;

  if listed is not null then
    insert into valued_holdings as h (tenant_id, connection_id, portfolio_id, content, first_day, last_day, items, sums)
    select p_tenant, p_connection, l.portfolio_id, l.content, min(l.day), max(l.day), min(l.items), min(l.sums)
    from jsonb_to_recordset(listed) l (portfolio_id uuid, content uuid, day date, items text, sums text)
    group by l.portfolio_id, l.content
    on conflict (tenant_id, connection_id, portfolio_id, content) do update set
      first_day = least(h.first_day, excluded.first_day), last_day = greatest(h.last_day, excluded.last_day)
      where excluded.first_day < h.first_day or excluded.last_day > h.last_day;
  end if;
  insert into valuations as v (
    tenant_id, connection_id, portfolio_id, day, stated_at, arrival, balance, currency, value, content, source, places
  )
  select p_tenant, p_connection, s.portfolio_id, s.day, s.stated_at, file, s.balance::numeric, s.currency, s.value, s.content, s.source,
    s.places
  from jsonb_to_recordset(stated) s (
    portfolio_id uuid, day date, stated_at timestamptz, balance text, currency text, value jsonb, content uuid, source jsonb, places text
  )
  on conflict (tenant_id, connection_id, portfolio_id, day) do update set
    stated_at = excluded.stated_at, arrival = excluded.arrival, balance = excluded.balance, currency = excluded.currency,
    value = excluded.value, content = excluded.content, source = excluded.source, came_at = excluded.came_at, places = excluded.places
    where v.stated_at <= excluded.stated_at and (v.stated_at < excluded.stated_at or v.arrival <= excluded.arrival);

  -- The holdings of the latest valuation until now are those of its day for the last time. Of accounts whose `is_latest` equals a text the planner
  -- expects one, and looks its holdings up, where it would otherwise compare all of the connection's.
  if has_ended then
    update valued_holdings h set last_day = s.last_day
    from (
      select s.portfolio_id, s.last_content, s.last_day
      from jsonb_to_recordset(stated) s (portfolio_id uuid, is_latest text, content uuid, last_content uuid, last_day date)
      where s.is_latest = 'true' and s.content is distinct from s.last_content
    ) s
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = s.portfolio_id and h.content = s.last_content
      and h.last_day < s.last_day;
  end if;
  if has_accounts then
    insert into valued_accounts as a (
      tenant_id, connection_id, portfolio_id, ordinal, name, ref_account, currency, type, is_cash, lists_securities, lists_cash,
      content, value, revision
    )
    select p_tenant, p_connection, s.portfolio_id, s.ordinal, s.name, s.ref_account, s.currency, s.type, s.is_cash,
      s.lists_securities, s.lists_cash, s.content, s.value, s.revision
    from jsonb_to_recordset(stated) s (
      portfolio_id uuid, ordinal integer, name text, ref_account text, currency text, type text, is_cash boolean, lists_securities boolean,
      lists_cash boolean, content uuid, value jsonb, revision bigint, is_latest boolean, is_other boolean
    )
    where s.is_latest and s.is_other
    on conflict (tenant_id, connection_id, portfolio_id) do update set
      ordinal = excluded.ordinal, name = excluded.name, ref_account = excluded.ref_account, currency = excluded.currency,
      type = excluded.type, is_cash = excluded.is_cash, content = excluded.content, value = excluded.value, revision = excluded.revision;
  end if;
  if has_listed then
    update valued_accounts a set
      lists_securities = a.lists_securities or s.lists_securities, lists_cash = a.lists_cash or s.lists_cash
    from (
      select o.portfolio_id, bool_or(o.lists_securities) as lists_securities, bool_or(o.lists_cash) as lists_cash
      from jsonb_to_recordset(stated) o (portfolio_id uuid, lists_securities boolean, lists_cash boolean)
      group by o.portfolio_id
    ) s
    where a.tenant_id = p_tenant and a.connection_id = p_connection and a.portfolio_id = s.portfolio_id
      and (s.lists_securities and not a.lists_securities or s.lists_cash and not a.lists_cash);
  end if;

  if replaced is not null then
    delete from valued_holdings h
    using (
      select r.portfolio_id, r.content
      from jsonb_to_recordset(replaced) r (portfolio_id uuid, content uuid)
      join valued_accounts a on a.tenant_id = p_tenant and a.connection_id = p_connection and a.portfolio_id = r.portfolio_id
      where a.content is distinct from r.content
    ) r
    where h.tenant_id = p_tenant and h.connection_id = p_connection and h.portfolio_id = r.portfolio_id and h.content = r.content
      and not exists (
        select from valuations v
        where v.tenant_id = p_tenant and v.connection_id = p_connection and v.portfolio_id = h.portfolio_id
          and v.day between h.first_day and h.last_day and v.content = h.content
      );
  end if;
end
$$;

-- The latest snapshots of some products, by their digests, get a new date, and their accounts another valuation. False if one of them has
-- another digest: all of them must then be published.
create function confirm_snapshots(
  p_tenant uuid, p_connection uuid, p_as_of timestamptz, p_stale_at timestamptz, p_digests jsonb, p_valued json
)
returns boolean
language plpgsql set enable_seqscan = off
as $$
declare
  confirmed integer;
begin
  update snapshots s set as_of = p_as_of, stale_at = p_stale_at
  from jsonb_each_text(p_digests) d
  where s.tenant_id = p_tenant and s.connection_id = p_connection and s.until_revision is null
    and s.product = d.key and s.digest = d.value;
  get diagnostics confirmed = row_count;
  if confirmed <> (select count(*) from jsonb_object_keys(p_digests)) then
    return false;
  end if;
  if p_valued is not null then
    perform store_valuations(p_tenant, p_connection, p_valued);
  end if;
  return true;
end
$$;

-- Deletes at most `p_limit` valuations of days before `p_before`, or before a tenant's own day in `p_by_tenant`, {tenant_id: day}, and the holdings
-- that only they had. The last valuation of each account stays.
create function reap_valuations(p_before date, p_by_tenant jsonb, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  found_valuations jsonb;
begin
  select jsonb_agg(to_jsonb(o)) into found_valuations
  from (
    select t.tenant_id, f.connection_id, f.portfolio_id, f.day
    from public.tenants t cross join lateral (
      select v.connection_id, v.portfolio_id, v.day from public.valuations v
      where v.tenant_id = t.tenant_id and v.day < coalesce((p_by_tenant ->> t.tenant_id::text)::date, p_before)
        and exists (
          select from public.valuations n
          where n.tenant_id = v.tenant_id and n.connection_id = v.connection_id and n.portfolio_id = v.portfolio_id and n.day > v.day
        )
      limit p_limit
    ) f
    limit p_limit
  ) o;
  if found_valuations is null then
    return 0;
  end if;
  -- The lock that publications and removals take.
  perform from tenant_revisions r
  where r.tenant_id in (select o.tenant_id from jsonb_to_recordset(found_valuations) as o (tenant_id uuid))
  order by r.tenant_id for update;
  delete from public.valuations v
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid, day date)
  where v.tenant_id = o.tenant_id and v.connection_id = o.connection_id and v.portfolio_id = o.portfolio_id and v.day = o.day;
  delete from public.replaced_valuations r
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid, day date)
  where r.tenant_id = o.tenant_id and r.connection_id = o.connection_id and r.portfolio_id = o.portfolio_id and r.day = o.day;
  delete from public.valued_months m
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid, day date)
  where m.tenant_id = o.tenant_id and m.connection_id = o.connection_id and m.portfolio_id = o.portfolio_id and m.first_day <= o.day;
  delete from public.valued_holdings h
  using jsonb_to_recordset(found_valuations) as o (tenant_id uuid, connection_id uuid, portfolio_id uuid), public.valued_accounts a
  where h.tenant_id = o.tenant_id and h.connection_id = o.connection_id and h.portfolio_id = o.portfolio_id
    and a.tenant_id = h.tenant_id and a.connection_id = h.connection_id and a.portfolio_id = h.portfolio_id
    and a.content is distinct from h.content
    and not exists (
      select from public.valuations v
      where v.tenant_id = h.tenant_id and v.connection_id = h.connection_id and v.portfolio_id = h.portfolio_id
        and v.day between h.first_day and h.last_day and v.content = h.content
    );
  return jsonb_array_length(found_valuations);
end
$$;

-- Deletes valuations that were replaced before `p_before`.
create function reap_replaced_valuations(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, f.connection_id, f.portfolio_id, f.day, f.came_at
    from tenants t cross join lateral (
      select r.connection_id, r.portfolio_id, r.day, r.came_at from replaced_valuations r
      where r.tenant_id = t.tenant_id and r.replaced_at < p_before
      limit p_limit
    ) f
    limit p_limit
  ), gone as (
    delete from replaced_valuations r using old
    where r.tenant_id = old.tenant_id and r.connection_id = old.connection_id and r.portfolio_id = old.portfolio_id
      and r.day = old.day and r.came_at = old.came_at
    returning r.day
  )
  select count(*) from gone
$$;

-- Makes rows of `valued_months` where a month is over that is not kept, once a day for all accounts of a tenant. One call looks at no more tenants
-- and accounts than `p_limit`, and says at how many it looked; 0 = all are done for `p_today`, or a publication has the tenant's lock. With that
-- lock no earlier day can come between reading an account's valuations and keeping them. Every statement is one tenant's.
create function keep_months(p_today date, p_limit integer) returns bigint
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  of_tenant record;
  accounts jsonb;
  kept jsonb;
  wanted integer;
  looked_at bigint := 0;
begin
  for of_tenant in
    select r.tenant_id, r.months_kept_connection as connection_id, r.months_kept_portfolio as portfolio_id
    from tenant_revisions r
    where r.months_kept_on < p_today
    limit p_limit
    for update skip locked
  loop
    exit when looked_at >= p_limit;
    wanted := p_limit - looked_at;

    select jsonb_agg(n) into accounts
    from (
      select a.connection_id, a.portfolio_id, m.until
      from valued_accounts a
      left join valued_months m
        on m.tenant_id = of_tenant.tenant_id and m.connection_id = a.connection_id and m.portfolio_id = a.portfolio_id
      where a.tenant_id = of_tenant.tenant_id
        and (of_tenant.connection_id is null or (a.connection_id, a.portfolio_id) > (of_tenant.connection_id, of_tenant.portfolio_id))
      order by a.connection_id, a.portfolio_id
      limit wanted
    ) n;
    -- From the last month back: each look-up finds the month of the one before.
    select jsonb_agg(k) into kept
    from jsonb_to_recordset(accounts) n (connection_id uuid, portfolio_id uuid, until date)
    cross join lateral (
      select v.day - extract(day from v.day)::integer as until from valuations v
      where v.tenant_id = of_tenant.tenant_id and v.connection_id = n.connection_id and v.portfolio_id = n.portfolio_id
      order by v.day desc
      limit 1
    ) l
    cross join lateral (
      with recursive months as (
        (
          select v.day, v.balance, v.value, v.content from valuations v
          where v.tenant_id = of_tenant.tenant_id and v.connection_id = n.connection_id and v.portfolio_id = n.portfolio_id
            and v.day <= l.until and (v.balance is not null or (v.value is not null and v.content is not null))
          order by v.day desc
          limit 1
        )
        union all
        select b.* from months m cross join lateral (
          select v.day, v.balance, v.value, v.content from valuations v
          where v.tenant_id = of_tenant.tenant_id and v.connection_id = n.connection_id and v.portfolio_id = n.portfolio_id
            and v.day <= m.day - extract(day from m.day)::integer
            and (v.balance is not null or (v.value is not null and v.content is not null))
          order by v.day desc
          limit 1
        ) b
      )
      select n.connection_id, n.portfolio_id, min(m.day) as first_day, l.until, json_agg(json_build_array(
        m.day, m.balance::text, case when m.balance is null then m.value end, case when m.balance is null then m.content end
      ) order by m.day)::text as closes
      from months m
      having count(*) > 0
    ) k
    where n.until is null or n.until < l.until;
    insert into valued_months as m (tenant_id, connection_id, portfolio_id, first_day, until, closes)
    select of_tenant.tenant_id, k.connection_id, k.portfolio_id, k.first_day, k.until, k.closes
    from jsonb_to_recordset(kept) k (connection_id uuid, portfolio_id uuid, first_day date, until date, closes text)
    on conflict (tenant_id, connection_id, portfolio_id) do update set
      first_day = excluded.first_day, until = excluded.until, closes = excluded.closes;

    -- The last account that was looked at, or with fewer than wanted all.
    update tenant_revisions r set
      months_kept_on = case when l.account is null then p_today else r.months_kept_on end,
      months_kept_connection = (l.account ->> 'connection_id')::uuid, months_kept_portfolio = (l.account ->> 'portfolio_id')::uuid
    from (select case when jsonb_array_length(accounts) = wanted then accounts -> -1 end as account) l
    where r.tenant_id = of_tenant.tenant_id;
    looked_at := looked_at + 1 + coalesce(jsonb_array_length(accounts), 0);
  end loop;
  return looked_at;
end
$$;

revoke all on function reap_valuations, reap_replaced_valuations, keep_months from public;
grant execute on function reap_valuations, reap_replaced_valuations, keep_months to wealth_connect_upkeep;
