-- What the clean-up does about people, and how many there are, over all tenants.
create index people_invitations on people (invitation_expires_at) where invitation_expires_at is not null;
create index people_never_here on people (ended_at) where joined_at is null and ended_at is not null;

-- Also lets go of invitations that ran out, and of people who were removed before they came: they have done nothing that names them.
create or replace function reap_people_sessions(p_at timestamptz, p_seen_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old_sessions as (
    delete from people_sessions s
    using (
      select o.tenant_id, o.session_id from people_sessions o
      where o.expires_at < p_at or o.seen_at < p_seen_before
      limit p_limit for update skip locked
    ) o
    where s.tenant_id = o.tenant_id and s.session_id = o.session_id
    returning 1
  ), old_ceremonies as (
    delete from people_ceremonies c
    using (select o.tenant_id, o.ceremony_id from people_ceremonies o where o.expires_at < p_at limit p_limit for update skip locked) o
    where c.tenant_id = o.tenant_id and c.ceremony_id = o.ceremony_id
    returning 1
  ), old_invitations as (
    update people p set invitation_hash = null, invitation_expires_at = null
    from (
      select o.tenant_id, o.person_id from people o where o.invitation_expires_at < p_at limit p_limit for update skip locked
    ) o
    where p.tenant_id = o.tenant_id and p.person_id = o.person_id
    returning 1
  ), never_here as (
    delete from people p
    using (
      select o.tenant_id, o.person_id from people o
      where o.joined_at is null and o.ended_at < p_at - interval '30 days'
      limit p_limit for update skip locked
    ) o
    where p.tenant_id = o.tenant_id and p.person_id = o.person_id
    returning 1
  )
  select (select count(*) from old_sessions) + (select count(*) from old_ceremonies) + (select count(*) from old_invitations)
    + (select count(*) from never_here)
$$;

create function count_people(p_at timestamptz, p_seen_after timestamptz)
  returns table (role text, state text, people bigint, with_one_passkey bigint, sessions bigint)
language sql stable security definer set search_path = public, pg_temp set jit = off
as $$
  select p.role, case when p.joined_at is null then 'invited' else 'active' end, count(*),
    count(*) filter (where p.joined_at is not null and p.issuer is null and coalesce(k.passkeys, 0) < 2),
    coalesce(sum(s.sessions), 0)::bigint
  from people p
  left join (select tenant_id, person_id, count(*) as passkeys from people_passkeys group by tenant_id, person_id) k
    using (tenant_id, person_id)
  left join (
    select tenant_id, person_id, count(*) as sessions from people_sessions
    where expires_at > p_at and seen_at > p_seen_after
    group by tenant_id, person_id
  ) s using (tenant_id, person_id)
  where p.ended_at is null
  group by 1, 2
$$;
revoke all on function count_people from public;
grant execute on function count_people to wealth_connect_upkeep;
