-- The way back from a bank's own page: SHA-256 (hex) of the state that leads to the session. And how often its customer has begun the
-- login anew. A server of the version before knows neither, and no bank that has such a page.
alter table sessions add column callback_hash text collate "C", add column restarts integer not null default 0;
create index sessions_by_callback on sessions (callback_hash) where callback_hash is not null;
create index sessions_to_poll on sessions (tenant_id, look_after) where status = 'Waiting:Challenge' and look_after is not null;

-- Whoever comes back brings nothing else. Ids only, as with the links of sessions.
create function session_by_callback(p_callback_hash text) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id from sessions s where s.callback_hash = p_callback_hash
$$;

-- Sessions of all tenants whose bank could be asked how its challenge stands since `p_before`, and was not: nobody has the page open.
create function unpolled_challenges(p_before timestamptz, p_now timestamptz, p_limit integer)
returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id, c.look_after from sessions c
    where c.tenant_id = t.tenant_id and c.status = 'Waiting:Challenge' and c.look_after <= p_before and c.expires_at > p_now
    order by c.look_after
    limit p_limit
  ) s
  order by s.look_after
  limit p_limit
$$;
revoke all on function session_by_callback, unpolled_challenges from public;
grant execute on function session_by_callback, unpolled_challenges to wealth_connect_upkeep;
