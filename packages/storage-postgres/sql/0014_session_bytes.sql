-- What open Connect sessions store counts to their tenant, and goes when they end.

-- Bytes of what the program sent with the session; 0 once it has ended. `sessionBytes` of core computes it.
alter table sessions add column session_bytes integer not null default 0;

-- An ended session, kept for 30 days, needs nothing of free size but the URL to return to. Its event has the labels.
create function clear_ended_session() returns trigger
language plpgsql
as $$
begin
  -- Offers no bank. Null would mean that the program had chosen the bank.
  if new.connector_filter is not null then
    new.connector_filter := '{"rules": [{"action": "exclude", "field": "connector_id", "value": "*"}]}';
  end if;
  new.labels := '{}';
  new.privacy_notice := null;
  new.session_bytes := 0;
  return new;
end
$$;
create trigger clear_ended_session before update of status on sessions
  for each row when (starts_with(new.status, 'Finished:')) execute function clear_ended_session();

update sessions set status = status where finished;
update sessions
set session_bytes = octet_length(jsonb_build_array(connector_filter, labels, redirect_url, privacy_notice)::text)
where not finished;

-- As before, but the event gets the labels from before the end.
create or replace function expire_sessions(p_now timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with late as (
    select t.tenant_id, found.session_id, found.labels
    from tenants t cross join lateral (
      select c.session_id, c.labels from sessions c
      where c.tenant_id = t.tenant_id and not c.finished and c.expires_at <= p_now
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), expired as (
    update sessions s
    set status = 'Finished:Expired', error_code = 'SessionExpired', challenge = null, sealed_challenge = null,
      sealed_link = null, sealed_state = null, updated_at = p_now, version = s.version + 1
    from late
    where s.tenant_id = late.tenant_id and s.session_id = late.session_id
    returning s.tenant_id, s.session_id, s.connection_id, late.labels
  ), told as (
    insert into events (tenant_id, type, object_id, labels, data)
    select e.tenant_id, 'session.finished', e.session_id,
      array(select l.key || '=' || l.value from jsonb_each_text(e.labels) l),
      jsonb_build_object(
        'session_id', e.session_id, 'status', 'Finished:Expired', 'error_code', 'SessionExpired', 'connection_id', e.connection_id
      )
    from expired e
  )
  select count(*) from expired
$$;

-- A tenant's open Connect sessions, when the first of them ends, and their bytes. Other callers for this tenant wait until the transaction ends.
drop function open_sessions_used;
create function open_sessions_used(p_tenant uuid, p_at timestamptz)
returns table (open_sessions bigint, first_ends timestamptz, session_bytes bigint)
language plpgsql
as $$
begin
  insert into tenant_usage (tenant_id) values (p_tenant) on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = p_tenant for update;
  return query
    select count(*), min(s.expires_at), coalesce(sum(s.session_bytes), 0)::bigint from sessions s
    where s.tenant_id = p_tenant and not s.finished and s.expires_at > p_at;
end
$$;

-- What one tenant uses, or each tenant if p_tenant is null. Numbers only, so that no role has to see the rows.
drop function tenants_use;
create function tenants_use(p_tenant uuid, p_at timestamptz)
returns table (
  tenant_id uuid, grants bigint, open_sessions bigint, session_bytes bigint, letters bigint, document_bytes bigint
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select t.tenant_id,
    (select count(*) from grants g where g.tenant_id = t.tenant_id and g.ended_at is null and g.refresh_expires_at > p_at),
    open.sessions,
    open.bytes,
    (select coalesce(sum(c.letters), 0)::bigint from letter_counts c where c.tenant_id = t.tenant_id),
    coalesce((select u.document_bytes from tenant_usage u where u.tenant_id = t.tenant_id), 0)
  from tenants t cross join lateral (
    select count(*) as sessions, coalesce(sum(s.session_bytes), 0)::bigint as bytes from sessions s
    where s.tenant_id = t.tenant_id and not s.finished and s.expires_at > p_at
  ) open
  where p_tenant is null or t.tenant_id = p_tenant
$$;
revoke all on function tenants_use from public;
grant execute on function tenants_use to wealth_connect_upkeep;
