-- Statements all pages of which are here are put together by whoever finds them, where the server that took the last page died first.
-- `finish_at`: when that is tried next; null = somebody tried, and it is refused until another page comes. `arrival`: the place in the
-- order of files of the file that brought the page. Pages of a server of the version before are tried at once, and have no such place.
alter table feed_pages add column finish_at timestamptz default now(), add column arrival bigint;

create function claim_whole_statements(p_now timestamptz, p_until timestamptz, p_limit integer) returns table (
  tenant_id uuid, connection_id uuid, statement text
)
language sql security definer set search_path = public, pg_temp
as $$
  with ends as (
    select p.tenant_id, p.connection_id, p.statement, min(p.page) filter (where p.is_last) as last_page
    from feed_pages p
    group by p.tenant_id, p.connection_id, p.statement
    having max(p.finish_at) <= p_now
  ), whole as (
    select e.tenant_id, e.connection_id, e.statement
    from ends e
    where e.last_page = (
      select count(*) from feed_pages p
      where p.tenant_id = e.tenant_id and p.connection_id = e.connection_id and p.statement = e.statement and p.page <= e.last_page
    )
    order by e.tenant_id, e.connection_id, e.statement
    limit p_limit
  ), free as (
    select p.tenant_id, p.connection_id, p.statement, p.page
    from feed_pages p join whole w using (tenant_id, connection_id, statement)
    where p.finish_at is null or p.finish_at <= p_now
    for update of p skip locked
  ), mine as (
    update feed_pages p set finish_at = p_until
    from free f
    where p.tenant_id = f.tenant_id and p.connection_id = f.connection_id and p.statement = f.statement and p.page = f.page
    returning p.tenant_id, p.connection_id, p.statement
  )
  select distinct m.tenant_id, m.connection_id, m.statement from mine m
$$;

-- Whose files a rule that names a letter or a connection leads to. Connectors are nobody's secret, and ids are all that is read beside them.
create function feeds_of(p_ids uuid[]) returns table (id uuid, tenant_id uuid, connector_id text, connection_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.connection_id, c.tenant_id, c.connector_id, c.connection_id
  from object_owners o join connections c on c.tenant_id = o.tenant_id and c.connection_id = o.object_id
  where o.object_id = any (p_ids) and o.kind = 'connection'
  union all
  select l.letter_id, l.tenant_id, l.connector_id, l.connection_id
  from object_owners o join letters l on l.tenant_id = o.tenant_id and l.letter_id = o.object_id
  where o.object_id = any (p_ids) and o.kind = 'letter'
$$;

revoke all on function claim_whole_statements, feeds_of from public;
grant execute on function claim_whole_statements, feeds_of to wealth_connect_upkeep;
