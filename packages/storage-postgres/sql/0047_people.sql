-- People who sign in (docs/console.md). Those of the installation, its operators, stand under the tenant id of zeros, for which there is no
-- tenant.
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
  primary key (tenant_id, person_id),
  check ((issuer is null) = (subject is null)),
  check ((invitation_hash is null) = (invitation_expires_at is null))
);
create unique index people_email on people (tenant_id, email) where ended_at is null;
create unique index people_identity on people (tenant_id, issuer, subject) where ended_at is null;

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

create table people_recovery_codes (
  tenant_id uuid not null,
  person_id uuid not null,
  code_hash text collate "C" not null,
  primary key (tenant_id, code_hash),
  foreign key (tenant_id, person_id) references people on delete cascade
);
create index people_recovery_codes_of_person on people_recovery_codes (tenant_id, person_id);

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
  primary key (tenant_id, session_id),
  unique (tenant_id, session_hash),
  foreign key (tenant_id, person_id) references people on delete cascade
);
create index people_sessions_of_person on people_sessions (tenant_id, person_id);
create index people_sessions_expired on people_sessions (expires_at);

-- Answers that counted, so that each counts once. They belong to nobody: whoever answers has not signed in yet.
create table people_ceremonies (
  tenant_id uuid not null default '00000000-0000-0000-0000-000000000000',
  ceremony_id uuid not null,
  expires_at timestamptz not null,
  primary key (tenant_id, ceremony_id)
);
create index people_ceremonies_expired on people_ceremonies (expires_at);

grant select, insert, update on people to wealth_connect_app, wealth_connect_upkeep;
grant select, insert, update, delete on people_passkeys, people_sessions to wealth_connect_app, wealth_connect_upkeep;
grant select, insert, delete on people_recovery_codes to wealth_connect_app, wealth_connect_upkeep;
grant select, insert on people_ceremonies to wealth_connect_upkeep;

-- A tenant's people act within their tenant; the role of upkeep knows those of the installation only.
do $$
declare
  table_name text;
begin
  foreach table_name in array array['people', 'people_passkeys', 'people_recovery_codes', 'people_sessions', 'people_ceremonies'] loop
    execute format('alter table %I enable row level security', table_name);
    execute format('create policy own_tenant on %I to wealth_connect_app using (tenant_id = current_setting(''wealth_connect.tenant'')::uuid)', table_name);
    execute format('create policy installation on %I to wealth_connect_upkeep using (tenant_id = ''00000000-0000-0000-0000-000000000000'')', table_name);
  end loop;
end
$$;

create function forget_people() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from people where tenant_id = old.tenant_id;
  return null;
end
$$;
revoke all on function forget_people from public;
grant execute on function forget_people to wealth_connect_upkeep;
create trigger forget_people after delete on tenants for each row execute function forget_people();

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
  )
  select (select count(*) from old_sessions) + (select count(*) from old_ceremonies)
$$;
revoke all on function reap_people_sessions from public;
grant execute on function reap_people_sessions to wealth_connect_upkeep;
