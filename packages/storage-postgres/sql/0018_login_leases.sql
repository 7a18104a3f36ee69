-- Until when the server that asks a bank for a session has it. It says so again and again; when it is killed, the time passes. A server
-- of the version before leaves it null: nobody takes its logins for cut off.
alter table sessions add column working_until timestamptz;
create index sessions_worked_on on sessions (tenant_id, working_until) where working_until is not null;

-- Sessions of all tenants whose server has not been heard of. Ids only: the clean-up's role need not see the sessions.
create function cut_off_logins(p_now timestamptz, p_limit integer) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id from sessions c
    where c.tenant_id = t.tenant_id and c.working_until <= p_now and starts_with(c.status, 'Processing:') and c.expires_at > p_now
    limit p_limit
  ) s
  limit p_limit
$$;
revoke all on function cut_off_logins from public;
grant execute on function cut_off_logins to wealth_connect_upkeep;
