-- People who sign in (docs/explanation/console.md). Those of the installation, its operators, have the tenant id of zeros, which no tenant has.
create table people (
  tenant_id uuid not null,
  person_id uuid not null,
  -- In lower case.
  email text not null,
  name text not null,
  role text collate "C" not null check (
    case tenant_id when '00000000-0000-0000-0000-000000000000' then role in ('operator', 'operator:read') else role in ('admin', 'member', 'read') end
  ),
  issuer text collate "C",
  subject text collate "C",
  invitation_hash text collate "C",
  invitation_expires_at timestamptz,
  created_at timestamptz not null,
  joined_at timestamptz,
  seen_at timestamptz,
  ended_at timestamptz,
  -- When their identity provider last assigned them no role here.
  let_go_at timestamptz,
  primary key (tenant_id, person_id),
  check ((issuer is null) = (subject is null)),
  check ((invitation_hash is null) = (invitation_expires_at is null))
);
create unique index people_email on people (tenant_id, email) where ended_at is null;
create unique index people_identity on people (tenant_id, issuer, subject) where ended_at is null;
create index people_invitations on people (invitation_expires_at) where invitation_expires_at is not null;
create index people_never_here on people (ended_at) where joined_at is null and ended_at is not null;
grant select, insert, update on people to wealth_connect_app, wealth_connect_upkeep;
-- The authorization server checks whether a person is still active and sees nothing else about them.
grant select (tenant_id, person_id, role, ended_at) on people to wealth_connect_auth;
alter table people enable row level security;
-- A tenant's people act within their tenant; the upkeep role sees only the installation's people.
create policy own_tenant on people to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy installation on people to wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000');
create policy asked_for_grants on people for select to wealth_connect_auth using (true);
create trigger tenant_is_there before insert on people for each row execute function tenant_is_there();

create table people_passkeys (
  tenant_id uuid not null,
  person_id uuid not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_backed_up boolean not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, credential_id),
  foreign key (tenant_id, person_id) references people on delete cascade
);
create index people_passkeys_of_person on people_passkeys (tenant_id, person_id);
grant select, insert, update, delete on people_passkeys to wealth_connect_app, wealth_connect_upkeep;
alter table people_passkeys enable row level security;
create policy own_tenant on people_passkeys to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy installation on people_passkeys to wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000');

create table people_recovery_codes (
  tenant_id uuid not null,
  person_id uuid not null,
  code_hash text collate "C" not null,
  primary key (tenant_id, code_hash),
  foreign key (tenant_id, person_id) references people on delete cascade
);
create index people_recovery_codes_of_person on people_recovery_codes (tenant_id, person_id);
-- A person who has lost every key has only an email address and a code, and knows no tenant id. Codes are stored as keyed hashes of 80 random
-- bits
-- together with the address.
create index people_recovery_codes_hash on people_recovery_codes (code_hash);
grant select, insert, delete on people_recovery_codes to wealth_connect_app, wealth_connect_upkeep;
alter table people_recovery_codes enable row level security;
create policy own_tenant on people_recovery_codes to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy installation on people_recovery_codes to wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000');

create table people_sessions (
  tenant_id uuid not null,
  session_id uuid not null,
  session_hash text collate "C" not null,
  person_id uuid not null,
  method text collate "C" not null check (method in ('passkey', 'recovery_code', 'oidc')),
  created_at timestamptz not null,
  seen_at timestamptz not null,
  confirmed_at timestamptz not null,
  expires_at timestamptz not null,
  provider_sid text,
  device text not null,
  -- The ID token with which the session began or was last confirmed, sealed: the provider wants to see it at sign-out (OpenID Connect
  -- RP-Initiated
  -- Logout 1.0, section 2). It is deleted with the session.
  id_token_hint text,
  primary key (tenant_id, session_id),
  unique (tenant_id, session_hash),
  foreign key (tenant_id, person_id) references people on delete cascade
);
create index people_sessions_of_person on people_sessions (tenant_id, person_id);
create index people_sessions_expired on people_sessions (expires_at);
grant select, insert, update, delete on people_sessions to wealth_connect_app, wealth_connect_upkeep;
grant select (tenant_id, session_id, person_id) on people_sessions to wealth_connect_auth;
alter table people_sessions enable row level security;
create policy own_tenant on people_sessions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy installation on people_sessions to wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000');
create policy asked_for_grants on people_sessions for select to wealth_connect_auth using (true);

-- Views of lists that people have named.
create table people_views (
  tenant_id uuid not null,
  person_id uuid not null,
  screen text collate "C" not null,
  name text collate "C" not null,
  view jsonb not null,
  primary key (tenant_id, person_id, screen, name),
  foreign key (tenant_id, person_id) references people on delete cascade
);
grant select, insert, update, delete on people_views to wealth_connect_app, wealth_connect_upkeep;
alter table people_views enable row level security;
create policy own_tenant on people_views to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy installation on people_views to wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000');

-- Ceremonies that were answered, so that each answer counts once. They belong to nobody: whoever answers has not signed in yet.
create table people_ceremonies (
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  ceremony_id uuid not null,
  expires_at timestamptz not null,
  primary key (tenant_id, ceremony_id)
);
create index people_ceremonies_expired on people_ceremonies (expires_at);
grant select, insert on people_ceremonies to wealth_connect_upkeep;
alter table people_ceremonies enable row level security;
create policy own_tenant on people_ceremonies to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy installation on people_ceremonies to wealth_connect_upkeep using (tenant_id = '00000000-0000-0000-0000-000000000000');

create function forget_people() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from people where tenant_id = old.tenant_id;
  return null;
end
$$;
create trigger forget_people after delete on tenants for each row execute function forget_people();

create function tenant_of_recovery_code(p_hash text) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$
  select tenant_id from people_recovery_codes where code_hash = p_hash
$$;

-- Also deletes expired invitations, and people who were removed before they accepted one: nothing they did names them.
create function reap_people_sessions(p_at timestamptz, p_seen_before timestamptz, p_limit integer) returns bigint
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

-- These work across all tenants: only upkeep may call them.
revoke all on function forget_people, tenant_of_recovery_code, reap_people_sessions, count_people from public;
grant execute on function forget_people, tenant_of_recovery_code, reap_people_sessions, count_people to wealth_connect_upkeep;
