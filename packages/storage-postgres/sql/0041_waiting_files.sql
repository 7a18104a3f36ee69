-- Statements whose pages have not all come are reported after a while, and kept for longer: a late page still completes them.
alter table feed_pages add column title text, add column lapsed_at timestamptz;

-- Of all tenants, the longest waiting first; null = all of them.
create function waiting_statements(p_limit integer) returns table (
  tenant_id uuid, connection_id uuid, letter_id uuid, statement text, title text, pages integer[], last_page integer,
  first_at timestamptz, latest_at timestamptz, lapsed_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select
    p.tenant_id, p.connection_id,
    (select l.letter_id from letters l where l.tenant_id = p.tenant_id and l.connection_id = p.connection_id limit 1),
    p.statement, max(p.title), array_agg(p.page order by p.page), max(p.page) filter (where p.is_last),
    min(p.kept_at), max(p.kept_at), case when bool_and(p.lapsed_at is not null) then max(p.lapsed_at) end
  from feed_pages p
  group by p.tenant_id, p.connection_id, p.statement
  order by max(p.kept_at), p.statement, p.connection_id
  limit p_limit
$$;

create function lapse_waiting_statements(p_before timestamptz, p_now timestamptz, p_limit integer) returns table (
  tenant_id uuid, connection_id uuid, letter_id uuid, statement text, title text, pages integer[], last_page integer,
  first_at timestamptz, latest_at timestamptz, lapsed_at timestamptz
)
language sql security definer set search_path = public, pg_temp
as $$
  with late as (
    select w.* from waiting_statements(null) w where w.lapsed_at is null and w.latest_at < p_before limit p_limit
  ), marked as (
    update feed_pages p set lapsed_at = p_now
    from late w
    where p.tenant_id = w.tenant_id and p.connection_id = w.connection_id and p.statement = w.statement
  )
  select
    w.tenant_id, w.connection_id, w.letter_id, w.statement, w.title, w.pages, w.last_page, w.first_at, w.latest_at, p_now
  from late w
$$;

create function reap_waiting_statements(p_before timestamptz, p_limit integer) returns table (
  tenant_id uuid, connection_id uuid, letter_id uuid, statement text, title text, pages integer[], last_page integer,
  first_at timestamptz, latest_at timestamptz, lapsed_at timestamptz
)
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select w.* from waiting_statements(null) w where w.lapsed_at < p_before limit p_limit
  ), gone as (
    delete from feed_pages p using old w
    where p.tenant_id = w.tenant_id and p.connection_id = w.connection_id and p.statement = w.statement
  )
  select w.* from old w
$$;

revoke all on function waiting_statements, lapse_waiting_statements, reap_waiting_statements from public;
grant execute on function waiting_statements, lapse_waiting_statements, reap_waiting_statements to wealth_connect_upkeep;

-- When a held file is tried again by itself, and how often it was.
alter table feed_held add column tries integer not null default 0, add column retry_at timestamptz not null default now();
create index feed_held_by_retry on feed_held (retry_at);
