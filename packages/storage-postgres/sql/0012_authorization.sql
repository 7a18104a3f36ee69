-- The authorization server's tables. Rows are looked up by what clients present (client_id, grant id, key id) before a tenant is known. Only the
-- role wealth_connect_auth can read them, and it sees nothing of a tenant's data.

create table applications (
  application_id uuid primary key,
  -- Null = an operator's application.
  tenant_id uuid references tenants,
  client_id text collate "C" not null unique,
  name text not null,
  scopes text[] not null,
  enabled boolean not null default true,
  redirect_urls text[] not null,
  created_at timestamptz not null,
  -- Grants that people approve belong to one application of their tenant, so that everything that depends on an application applies to them. It
  -- has no secret: nobody authenticates as this application.
  of_people boolean not null default false,
  -- Whether it is limited to the clients that `client_limits` lists, which may be none.
  limited boolean not null default false,
  -- Whether it gets no access tokens but those that are bound to its key (RFC 9449).
  dpop_bound_access_tokens boolean not null default false
);
create index applications_of_tenant on applications (tenant_id, application_id);
create unique index applications_of_people on applications (tenant_id) where of_people;
create index applications_limited on applications (application_id) where limited;
grant select, insert, update, delete on applications to wealth_connect_auth;

-- The clients that a holder is limited to: an application, a grant, or an approval until its code is exchanged for the grant. A limit follows a
-- client's new reference; a client that is deleted leaves it.
create table client_limits (
  tenant_id uuid not null,
  holder_id uuid not null,
  client_ref text collate "C" not null,
  primary key (tenant_id, holder_id, client_ref),
  foreign key (tenant_id, client_ref) references clients on update cascade on delete cascade
);
create index client_limits_of_client on client_limits (tenant_id, client_ref);
grant select, update on client_limits to wealth_connect_auth;
alter table client_limits enable row level security;
create policy for_tokens on client_limits to wealth_connect_auth using (true);

-- Deletes the limit of a holder that is deleted.
create function forget_limit() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from client_limits l where l.tenant_id = old.tenant_id and l.holder_id = (to_jsonb(old) ->> tg_argv[0])::uuid;
  return null;
end
$$;
create trigger forget_limit after delete on applications for each row when (old.limited) execute function forget_limit('application_id');

-- Limits an application to clients, which are made where there are none; null = no limit. False when there is no such application.
create function limit_application(p_application uuid, p_clients text[], p_search_keys text[], p_at timestamptz) returns boolean
language plpgsql security definer
as $$
declare
  tenant uuid;
begin
  update applications a set limited = p_clients is not null where a.application_id = p_application returning a.tenant_id into tenant;
  if not found then
    return false;
  end if;
  insert into clients (tenant_id, client_ref, name, search_key, created_at)
  select tenant, wanted.client_ref, null, wanted.search_key, p_at from unnest(p_clients, p_search_keys) wanted (client_ref, search_key)
  order by wanted.client_ref
  -- Locks those that there are, so that one that is renamed or removed at this moment waits, or is made again.
  on conflict (tenant_id, client_ref) do update set name = clients.name;
  delete from client_limits l where l.tenant_id = tenant and l.holder_id = p_application;
  insert into client_limits select tenant, p_application, unnest(p_clients);
  return true;
end
$$;
revoke execute on function limit_application from public;
grant execute on function limit_application to wealth_connect_upkeep;

-- Limits an approval to those of these clients that there are.
create function limit_approval(p_tenant uuid, p_request uuid, p_clients text[]) returns void
language sql security definer
as $$
  insert into client_limits
  select c.tenant_id, p_request, c.client_ref from clients c where c.tenant_id = p_tenant and c.client_ref = any (p_clients)
  order by c.client_ref
  for key share
$$;
revoke execute on function limit_approval from public;
grant execute on function limit_approval to wealth_connect_upkeep;

-- The clients that a limited holder is limited to, which may be none.
create function clients_in_limit(p_tenant uuid, p_holder uuid) returns text[]
language sql stable
as $$
  select array(select l.client_ref from client_limits l where l.tenant_id = p_tenant and l.holder_id = p_holder order by l.client_ref)
$$;

-- The clients that an application is limited to; null = no limit. None for an unknown one.
create function clients_of_application(p_application uuid) returns text[]
language plpgsql
as $$
declare
  application applications;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select * into application from applications a where a.application_id = p_application;
  return case
    when not found then '{}'
    when application.limited then clients_in_limit(application.tenant_id, p_application)
  end;
end
$$;

create table application_secrets (
  application_id uuid not null references applications on delete cascade,
  secret_id uuid not null unique,
  secret_hash text not null,
  created_at timestamptz not null,
  primary key (application_id, secret_id)
);
grant select, insert, update, delete on application_secrets to wealth_connect_auth;

-- Tenants whose applications are all disabled; each application keeps its own switch.
create table disabled_tenants (
  tenant_id uuid primary key references tenants,
  disabled_at timestamptz not null
);
grant select, insert, update, delete on disabled_tenants to wealth_connect_auth;

-- Identity providers whose assertions about people are accepted for grants (docs/how-to/company-sign-in.md). They are looked up by what an assertion
-- says, before a tenant is known, and hold nothing secret.
create table trusted_issuers (
  issuer text collate "C" primary key,
  -- Changes with every update. Grants issued for an assertion store it in place of a secret's id.
  trust_id uuid not null unique,
  -- Null = an issuer of the installation.
  tenant_id uuid references tenants on delete cascade,
  jwks_uri text,
  jwks jsonb,
  algorithms text[] not null,
  client_ids text[] not null,
  takes_public_clients boolean not null,
  max_assertion_seconds integer not null,
  token_seconds integer not null,
  rules jsonb not null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index trusted_issuers_of_tenant on trusted_issuers (tenant_id);
grant select, insert, update, delete on trusted_issuers to wealth_connect_auth;

create table grants (
  grant_id uuid primary key,
  tenant_id uuid,
  -- No foreign key: a grant outlives its application, since the feed of ended grants needs it until its access tokens have expired.
  application_id uuid not null,
  client_id text collate "C" not null,
  secret_id uuid not null,
  flow text not null check (flow in ('machine', 'browser', 'asserted')),
  scopes text[] not null,
  audience text[] not null,
  created_at timestamptz not null,
  refresh_seconds integer not null,
  refresh_expires_at timestamptz not null,
  last_issued_at timestamptz not null,
  -- Keyed hashes of the live refresh token and of the one consumed last, whose response is kept in case it comes again.
  token_hash text not null,
  consumed_hash text,
  replay_response text,
  replay_until timestamptz,
  ended_at timestamptz,
  -- The transaction that ended it. The feed of ended grants is ordered by transaction ids, the only values that tell what a reader has seen.
  ended_by xid8,
  -- Whether the client authenticated when it redeemed its code, and therefore has to when it refreshes. False in the machine flow. For a client
  -- identified by its metadata document it is not known in advance: its grant learns it at its next refresh.
  is_confidential boolean not null default false,
  -- The person who approved it with their own sign-in, used in place of the secret.
  person_id uuid,
  -- Whether it is limited to the clients that `client_limits` lists, which may be none. Its access tokens say so.
  is_limited boolean not null default false,
  -- Thumbprint of the key that its client proved. From then on every refresh must prove a key, and this one unless the client authenticates.
  dpop_jkt text,
  -- The day of the expiry, in UTC. Exchanging a refresh token changes when the grant was last issued and when it expires; an index on either
  -- column
  -- would make PostgreSQL write all indexes of the table at each exchange. The day changes at most once a day, so an exchange usually writes
  -- only
  -- the row (a HOT update), for which each page leaves some room.
  expires_on date
) with (fillfactor = 85);
create index grants_of_application on grants (application_id, grant_id) where ended_at is null;
create index grants_of_tenant on grants (tenant_id, grant_id) where ended_at is null;
create index ended_grants on grants (ended_by) where ended_by is not null;
create index grants_of_client on grants (client_id) where ended_at is null;
create index grants_of_trust on grants (secret_id) where flow = 'asserted' and ended_at is null;
create index grants_of_person on grants (tenant_id, person_id) where person_id is not null and ended_at is null;
create index grants_to_expire on grants (coalesce(expires_on, '-infinity'::date));
grant select, insert, update, delete on grants to wealth_connect_auth;

create trigger forget_limit after delete on grants for each row when (old.is_limited) execute function forget_limit('grant_id');

-- The clients that a grant is limited to; null = no limit. None for an unknown one.
create function clients_of_grant(p_grant uuid) returns text[]
language plpgsql
as $$
declare
  kept grants;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select * into kept from grants g where g.grant_id = p_grant;
  return case when not found then '{}' when kept.is_limited then clients_in_limit(kept.tenant_id, p_grant) end;
end
$$;

-- Sets the day, so that statements that change the expiry need not know about it.
create function set_expiry_day() returns trigger language plpgsql as $$
begin
  new.expires_on := (new.refresh_expires_at at time zone 'UTC')::date;
  return new;
end
$$;
create trigger set_expiry_day before insert or update of refresh_expires_at on grants for each row
  when (new.expires_on is distinct from (new.refresh_expires_at at time zone 'UTC')::date)
  execute function set_expiry_day();

create table registered_clients (
  client_id text collate "C" primary key,
  client_name text,
  redirect_uris text[] not null,
  token_endpoint_auth_method text not null,
  secret_hash text,
  jwks jsonb,
  jwks_uri text,
  metadata jsonb not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index registered_clients_to_reap on registered_clients (last_used_at);
grant select, insert, update, delete on registered_clients to wealth_connect_auth;

-- One row per answered request. An unanswered request has none: it travels sealed in the page itself.
create table authorization_answers (
  request_id uuid primary key,
  decision text not null check (decision in ('approved', 'denied')),
  client_id text not null,
  answered_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set for approvals only.
  code_hash text,
  redirect_uri text,
  code_challenge text,
  -- The key that the code is bound to; null = none.
  dpop_jkt text,
  tenant_id uuid,
  application_id uuid references applications on delete cascade,
  secret_id uuid,
  scopes text[],
  audience text[],
  -- The grant that the code was exchanged for. No foreign key, since grants are reaped separately.
  redeemed_as uuid,
  person_id uuid,
  -- As in grants, of an approval.
  is_limited boolean
);
create index authorization_answers_to_reap on authorization_answers (expires_at);
create index authorization_answers_of_application on authorization_answers (application_id);
create index authorization_answers_of_person on authorization_answers (tenant_id, person_id) where person_id is not null;
grant select, insert, update, delete on authorization_answers to wealth_connect_auth;
create trigger forget_limit after delete on authorization_answers for each row when (old.is_limited and old.redeemed_as is null)
  execute function forget_limit('request_id');

-- Remembered sign-ins; valid as long as the secret is.
create table remembered_credentials (
  remembered_id uuid primary key,
  cookie_hash text collate "C" not null unique,
  application_id uuid not null,
  secret_id uuid not null,
  sealed_credentials text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (application_id, secret_id) references application_secrets (application_id, secret_id) on delete cascade
);
create index remembered_credentials_of_secret on remembered_credentials (application_id, secret_id);
create index remembered_credentials_to_reap on remembered_credentials (expires_at);
grant select, insert, update, delete on remembered_credentials to wealth_connect_auth;

-- Accepted private_key_jwt assertions, kept until they expire.
create table used_assertions (
  client_id text collate "C" not null,
  jti text collate "C" not null,
  expires_at timestamptz not null,
  primary key (client_id, jti)
);
create index used_assertions_to_reap on used_assertions (expires_at);
grant select, insert, update, delete on used_assertions to wealth_connect_auth;

-- Initial access tokens (RFC 7591 §3): with REGISTRATION=token, a caller who presents one may register clients.
create table registration_tokens (
  token_id uuid primary key,
  name text not null,
  token_hash text collate "C" not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registration_tokens_to_reap on registration_tokens (expires_at);
grant select, insert, update, delete on registration_tokens to wealth_connect_auth;

create table guess_counts (
  client_id text collate "C" not null,
  address_prefix text collate "C" not null,
  failures integer not null,
  window_ends_at timestamptz not null,
  primary key (client_id, address_prefix)
);
create index guess_windows on guess_counts (window_ends_at);
grant select, insert, update, delete on guess_counts to wealth_connect_auth;

create table signing_keys (
  kid text collate "C" primary key,
  algorithm text not null,
  public_jwk jsonb not null,
  sealed_private_key text not null,
  created_at timestamptz not null,
  signs_from timestamptz
);
grant select, insert, update, delete on signing_keys to wealth_connect_auth;

-- MCP sessions that were ended early, kept until their ids expire.
create table ended_mcp_sessions (
  nonce text collate "C" primary key,
  expires_at timestamptz not null,
  ended_by xid8 not null default pg_current_xact_id()
);
create index ended_mcp_sessions_feed on ended_mcp_sessions (ended_by);
create index ended_mcp_sessions_to_reap on ended_mcp_sessions (expires_at);
grant select, insert, update, delete on ended_mcp_sessions to wealth_connect_auth;

-- Writes an event for the tenant when a grant ends, however it ends, since the authorization server has no right on events itself. The
-- transaction states the reason in wealth_connect.grant_end. A program's own grant lives as long as its token, so its expiry is no news.
create function notify_grant_end() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  insert into events (tenant_id, type, object_id, data)
  values (old.tenant_id, 'grant.ended', old.grant_id, jsonb_build_object(
    'grant_id', old.grant_id,
    'client_id', old.client_id,
    'reason', case tg_op when 'DELETE' then 'expired' else coalesce(nullif(current_setting('wealth_connect.grant_end', true), ''), 'revoked') end
  ));
  return null;
end
$$;
create trigger notify_end after update of ended_at on grants for each row
  when (old.ended_at is null and new.ended_at is not null and new.tenant_id is not null) execute function notify_grant_end();
create trigger notify_expiry after delete on grants for each row
  when (old.ended_at is null and old.flow = 'browser' and old.tenant_id is not null) execute function notify_grant_end();

-- When a person is removed, deprovisioned by their identity provider or given a lesser role, ends all that they approved: grants, and codes that
-- have not been exchanged yet.
create function end_person_grants() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  at timestamptz := case when new.let_go_at is distinct from old.let_go_at then new.let_go_at else coalesce(new.ended_at, now()) end;
  reason_before text := coalesce(current_setting('wealth_connect.grant_end', true), '');
begin
  delete from authorization_answers a where a.tenant_id = new.tenant_id and a.person_id = new.person_id and a.redeemed_as is null;
  perform set_config('wealth_connect.grant_end', case when new.role <> old.role then 'role_changed' else 'person_removed' end, true);
  with dying as (
    select g.grant_id from grants g
    where g.tenant_id = new.tenant_id and g.person_id = new.person_id and g.ended_at is null
    order by g.grant_id for update
  )
  update grants g set ended_at = at, ended_by = pg_current_xact_id() from dying where g.grant_id = dying.grant_id;
  perform set_config('wealth_connect.grant_end', reason_before, true);
  return null;
end
$$;
create trigger end_grants after update of role, ended_at, let_go_at on people for each row
  when (old.ended_at is null and (
    new.ended_at is not null or new.let_go_at is distinct from old.let_go_at
    or array_position(array['read', 'member', 'admin'], new.role) < array_position(array['read', 'member', 'admin'], old.role)
  )) execute function end_person_grants();

-- Whether grants may be issued under a secret now, for a client that may itself be an application (its id then begins with wca_). Because of the
-- shared locks, a concurrent disabling, or removal of a secret or tenant, waits for this transaction or is seen by it. A decision made meanwhile
-- is visible only to the next statement, whose snapshot is taken once the locks are held. Everyone who locks several applications does so in
-- the order of their ids, and before secrets, answers and grants.
create function may_grant(p_application_id uuid, p_secret_id uuid, p_client_id text) returns boolean
language plpgsql
as $$
begin
  perform from applications a
  where a.application_id = p_application_id or a.client_id = p_client_id
  order by a.application_id
  for share;
  perform from applications a join application_secrets s using (application_id)
  where a.application_id = p_application_id and a.enabled and s.secret_id = p_secret_id
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
    and (not starts_with(p_client_id, 'wca_') or exists (
      select from applications c
      where c.client_id = p_client_id and c.enabled
        and not exists (select from disabled_tenants d where d.tenant_id = c.tenant_id)
    ))
  for share of s;
  return found;
end
$$;

-- Whether a client is an application that demands tokens bound to a key, and proved none. Asked once the application's row is locked, with a
-- snapshot of its own, as may_grant decides.
create function lacks_key(p_client_id text, p_jkt text) returns boolean
language plpgsql
as $$
begin
  return p_jkt is null and exists (select from applications a where a.client_id = p_client_id and a.dpop_bound_access_tokens);
end
$$;

-- Like may_grant, for a person in place of the secret. If a role and a session are given, the person must have both. Changes to people hold only
-- the lock of people; it is taken after the applications and before answers and grants.
create function may_grant_person(
  p_tenant_id uuid, p_application_id uuid, p_person_id uuid, p_client_id text, p_role text, p_session_id uuid
) returns boolean
language plpgsql
as $$
begin
  perform from applications a
  where a.application_id = p_application_id or a.client_id = p_client_id
  order by a.application_id
  for share;
  perform pg_advisory_xact_lock_shared(hashtext('people'), hashtext(p_tenant_id::text));
  perform from applications a join people p using (tenant_id)
  where a.application_id = p_application_id and a.tenant_id = p_tenant_id and a.of_people and a.enabled
    and p.person_id = p_person_id and p.ended_at is null
    and (p_role is null or p.role = p_role)
    and (p_session_id is null or exists (
      select from people_sessions s
      where s.tenant_id = p_tenant_id and s.session_id = p_session_id and s.person_id = p_person_id
    ))
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
    and (not starts_with(p_client_id, 'wca_') or exists (
      select from applications c
      where c.client_id = p_client_id and c.enabled
        and not exists (select from disabled_tenants d where d.tenant_id = c.tenant_id)
    ));
  return found;
end
$$;

-- An application with its secrets, oldest first; null when there is none.
create function find_application(p_client_id text) returns jsonb
language plpgsql
as $$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  return (
    select to_jsonb(a) - 'of_people' - 'limited' || jsonb_build_object(
      'client_refs', case when a.limited then clients_in_limit(a.tenant_id, a.application_id) end,
      'tenant_enabled', not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id),
      'secrets', (
        select coalesce(jsonb_agg(to_jsonb(s) - 'application_id' order by s.created_at, s.secret_id), '[]')
        from application_secrets s where s.application_id = a.application_id
      )
    )
    from applications a where a.client_id = p_client_id
  );
end
$$;

-- A registered client; null when there is none.
create function find_client(p_client_id text) returns jsonb
language plpgsql
as $$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  return (select to_jsonb(c) from registered_clients c where c.client_id = p_client_id);
end
$$;

-- Uses up a client's assertion; false when it was used before.
create function use_assertion(p_client_id text, p_jti text, p_expires_at timestamptz) returns boolean
language plpgsql
as $$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  insert into used_assertions (client_id, jti, expires_at) values (p_client_id, p_jti, p_expires_at) on conflict do nothing;
  return found;
end
$$;

-- A tenant's live grants, for a statement that issues another one. Other callers for this tenant wait until its transaction ends.
create function grants_used(p_tenant uuid, p_at timestamptz) returns bigint
language plpgsql
as $$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  perform pg_advisory_xact_lock(hashtextextended('grants of ' || p_tenant, 0));
  return (
    select count(*) from grants g
    where g.tenant_id = p_tenant and g.ended_at is null and g.refresh_expires_at > p_at
  );
end
$$;

-- Issues a grant in one statement: `issued` or `not_allowed`.
create function issue_grant(p_grant jsonb) returns text
language plpgsql
as $$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if not may_grant(asked.application_id, asked.secret_id, asked.client_id) or lacks_key(asked.client_id, asked.dpop_jkt) then
    return 'not_allowed';
  end if;
  asked.is_confidential := false;
  asked.is_limited := false;
  insert into grants values (asked.*);
  return 'issued';
end
$$;

-- Issues a grant for an assertion in one statement: `issued`, `not_allowed` or `replayed`. Like may_grant, with the trust in place of the secret
-- and locked after the applications as a secret is. The assertion is used up with the grant, or not at all.
create function issue_asserted_grant(p_grant jsonb, p_assertion jsonb) returns text
language plpgsql
as $$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  perform from applications a
  where a.application_id = asked.application_id or a.client_id = asked.client_id
  order by a.application_id
  for share;
  perform from applications a join trusted_issuers t on t.trust_id = asked.secret_id and coalesce(t.tenant_id, a.tenant_id) = a.tenant_id
  where a.application_id = asked.application_id and a.tenant_id = asked.tenant_id and a.enabled
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
    and (not starts_with(asked.client_id, 'wca_') or exists (
      select from applications c
      where c.client_id = asked.client_id and c.enabled
        and not exists (select from disabled_tenants d where d.tenant_id = c.tenant_id)
    ))
  for share of t;
  if not found or lacks_key(asked.client_id, asked.dpop_jkt) then
    return 'not_allowed';
  end if;
  insert into used_assertions (client_id, jti, expires_at)
  values (p_assertion ->> 'issuer', p_assertion ->> 'jti', (p_assertion ->> 'usable_until')::timestamptz)
  on conflict do nothing;
  if not found then
    return 'replayed';
  end if;
  -- Once an hour is enough: clients are deleted only after days without use.
  update registered_clients c set last_used_at = asked.created_at
  where c.client_id = asked.client_id and c.last_used_at < asked.created_at - interval '1 hour';
  asked.is_confidential := false;
  asked.is_limited := false;
  insert into grants values (asked.*);
  return 'issued';
end
$$;

-- Exchanges a grant's live refresh token; GrantStore.rotateRefreshToken states the contract.
create function rotate_refresh_token(p_rotation jsonb)
returns table (outcome text, reason text, response text, kept grants)
language plpgsql
as $$
declare
  at timestamptz := p_rotation ->> 'at';
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select g.* into kept from grants g where g.grant_id = (p_rotation ->> 'grant_id')::uuid for update;
  outcome := 'refused';
  reason := case
    when kept.grant_id is null then 'unknown'
    when p_rotation ? 'client_id' and p_rotation ->> 'client_id' <> kept.client_id then 'other_client'
    when kept.is_confidential and p_rotation -> 'is_authenticated' = 'false' then 'unauthenticated'
    when kept.dpop_jkt is not null and not p_rotation ? 'dpop_jkt' then 'no_proof'
    when kept.dpop_jkt <> p_rotation ->> 'dpop_jkt' and p_rotation -> 'is_authenticated' = 'false' then 'other_key'
    when kept.ended_at is not null then 'ended'
    when p_rotation ->> 'token_hash' <> kept.token_hash then 'reused'
    when kept.refresh_expires_at <= at then 'expired'
    when p_rotation ? 'scopes' and exists (select from jsonb_array_elements_text(p_rotation -> 'scopes') s (scope) where s.scope <> all (kept.scopes)) then 'scope'
    when p_rotation ? 'audience' and exists (select from jsonb_array_elements_text(p_rotation -> 'audience') a (audience) where a.audience <> all (kept.audience)) then 'audience'
  end;
  if reason = 'reused' then
    if kept.consumed_hash = p_rotation ->> 'token_hash' and kept.replay_until > at then
      outcome := 'replayed';
      reason := null;
      response := kept.replay_response;
    else
      perform set_config('wealth_connect.grant_end', 'reused', true);
      update grants g set ended_at = at, ended_by = pg_current_xact_id() where g.grant_id = kept.grant_id returning g.* into kept;
    end if;
  elsif reason is null then
    outcome := 'rotated';
    update grants g set
      token_hash = p_rotation ->> 'next_token_hash',
      consumed_hash = g.token_hash,
      replay_response = p_rotation -> 'replay' ->> 'response',
      replay_until = (p_rotation -> 'replay' ->> 'until')::timestamptz,
      refresh_expires_at = at + make_interval(secs => g.refresh_seconds),
      last_issued_at = at,
      dpop_jkt = coalesce(g.dpop_jkt, p_rotation ->> 'dpop_jkt'),
      is_confidential = g.is_confidential or (g.flow = 'browser' and p_rotation -> 'is_authenticated' = 'true')
    where g.grant_id = kept.grant_id
    returning g.* into kept;
  end if;
  return next;
end
$$;

-- Stores the first answer to a request; see CodeStore.answerRequest. `is_first` tells whether this is it. A person's approval requires the
-- person, their role and their session.
create function answer_request(p_answer jsonb)
returns table (decision text, is_first boolean, is_settled boolean)
language plpgsql
as $$
declare
  asked authorization_answers := jsonb_populate_record(null::authorization_answers, p_answer);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if asked.decision = 'approved' and not (case
    when asked.person_id is null then may_grant(asked.application_id, asked.secret_id, asked.client_id)
    else may_grant_person(
      asked.tenant_id, asked.application_id, asked.person_id, asked.client_id,
      p_answer -> 'person' ->> 'role', (p_answer -> 'person' ->> 'session_id')::uuid
    )
  end) then
    return query select 'not_allowed'::text, false, false;
    return;
  end if;
  asked.is_limited := jsonb_typeof(p_answer -> 'client_refs') = 'array';
  insert into authorization_answers values (asked.*) on conflict (request_id) do nothing;
  is_first := found;
  if is_first and asked.is_limited then
    perform set_config('role', 'wealth_connect_upkeep', true);
    perform limit_approval(asked.tenant_id, asked.request_id, array(select jsonb_array_elements_text(p_answer -> 'client_refs')));
    perform set_config('role', 'wealth_connect_auth', true);
  end if;
  return query select a.decision, is_first, a.redeemed_as is not null or coalesce(a.code_hash <> asked.code_hash, false) from authorization_answers a where a.request_id = asked.request_id;
end
$$;

-- Exchanges a code for a grant; CodeStore.redeemCode states the contract.
create function redeem_code(p_redemption jsonb)
returns table (outcome text, reason text, kept grants)
language plpgsql
as $$
declare
  at timestamptz := p_redemption ->> 'at';
  answer authorization_answers;
  is_allowed boolean;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select case
    when a.person_id is null then may_grant(a.application_id, a.secret_id, a.client_id)
    else may_grant_person(a.tenant_id, a.application_id, a.person_id, a.client_id, null, null)
  end into is_allowed
  from authorization_answers a where a.request_id = (p_redemption ->> 'request_id')::uuid;
  select a.* into answer from authorization_answers a where a.request_id = (p_redemption ->> 'request_id')::uuid for update;
  outcome := 'refused';
  reason := case
    when answer.code_hash is null or answer.code_hash <> p_redemption ->> 'code_hash' then 'unknown'
    when answer.client_id <> p_redemption ->> 'client_id' then 'other_client'
    when answer.redirect_uri <> p_redemption ->> 'redirect_uri' or answer.code_challenge <> p_redemption ->> 'code_challenge' then 'mismatch'
    when answer.dpop_jkt is not null and answer.dpop_jkt is distinct from p_redemption ->> 'dpop_jkt' then 'mismatch'
    when answer.redeemed_as is not null then 'reused'
    when answer.expires_at <= at then 'expired'
    when p_redemption ? 'audience' and exists (select from jsonb_array_elements_text(p_redemption -> 'audience') a (audience) where a.audience <> all (answer.audience)) then 'audience'
    when not is_allowed or lacks_key(answer.client_id, p_redemption ->> 'dpop_jkt') then 'not_allowed'
  end;
  if reason = 'reused' then
    perform set_config('wealth_connect.grant_end', 'code_reused', true);
    update grants g set ended_at = at, ended_by = pg_current_xact_id() where g.grant_id = answer.redeemed_as and g.ended_at is null;
    select g.* into kept from grants g where g.grant_id = answer.redeemed_as;
  elsif reason is null then
    outcome := 'redeemed';
    kept := jsonb_populate_record(null::grants, jsonb_build_object(
      'grant_id', p_redemption -> 'grant' -> 'grant_id',
      'tenant_id', answer.tenant_id,
      'application_id', answer.application_id,
      'client_id', answer.client_id,
      'secret_id', answer.secret_id,
      'person_id', answer.person_id,
      'flow', 'browser',
      'is_confidential', p_redemption -> 'is_confidential',
      'is_limited', coalesce(answer.is_limited, false),
      'dpop_jkt', p_redemption -> 'dpop_jkt',
      'scopes', answer.scopes,
      'audience', coalesce(p_redemption -> 'audience', to_jsonb(answer.audience)),
      'created_at', at,
      'refresh_seconds', p_redemption -> 'grant' -> 'refresh_seconds',
      'refresh_expires_at', at + make_interval(secs => (p_redemption -> 'grant' ->> 'refresh_seconds')::integer),
      'last_issued_at', at,
      'token_hash', p_redemption -> 'grant' -> 'refresh_token_hash'
    ));
    insert into grants values (kept.*);
    if kept.is_limited then
      update client_limits l set holder_id = kept.grant_id where l.tenant_id = kept.tenant_id and l.holder_id = answer.request_id;
    end if;
    update authorization_answers a set redeemed_as = kept.grant_id where a.request_id = answer.request_id;
  end if;
  return next;
end
$$;

-- Issues many grants, or exchanges many refresh tokens, in one statement. These functions handle the plain cases and leave out requests that are
-- refused or whose rows are locked. The caller repeats those one by one with the functions above, which give the reason or wait. So a batch
-- waits
-- for no lock, and a request that is held up delays no other. Each row is found by its key, whatever the table's statistics say.

-- Issues the grants that are allowed and returns their ids. The locks are those of may_grant, in the same order. A client that is another
-- application than the secret's has rules of its own and is left out.
create function issue_grants(p_grants json) returns setof uuid
language plpgsql
as $$
declare
  asked grants;
  checked grants;
  is_allowed boolean;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  for asked in select g.* from json_populate_recordset(null::grants, p_grants) g loop
    if (asked.application_id, asked.secret_id, asked.client_id, asked.dpop_jkt is null)
      is distinct from (checked.application_id, checked.secret_id, checked.client_id, checked.dpop_jkt is null) then
      checked := asked;
      perform from applications a where a.application_id = asked.application_id for share skip locked;
      is_allowed := found;
      if is_allowed then
        perform from applications a join application_secrets s using (application_id)
        where a.application_id = asked.application_id and a.client_id = asked.client_id and a.enabled and s.secret_id = asked.secret_id
          and (asked.dpop_jkt is not null or not a.dpop_bound_access_tokens)
          and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
        for share of s skip locked;
        is_allowed := found;
      end if;
    end if;
    if is_allowed then
      asked.is_confidential := false;
      asked.is_limited := false;
      asked.expires_on := (asked.refresh_expires_at at time zone 'UTC')::date;
      insert into grants values (asked.*);
      return next asked.grant_id;
    end if;
  end loop;
end
$$;

-- Exchanges the tokens that are valid and returns their grants.
create function rotate_refresh_tokens(p_rotations json) returns table (kept json)
language plpgsql
as $$
declare
  asked record;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  for asked in
    select r.* from json_to_recordset(p_rotations) r (
      grant_id uuid, token_hash text, next_token_hash text, at timestamptz, is_authenticated boolean, client_id text, scopes text[],
      audience text[], dpop_jkt text, replay json
    )
  loop
    update grants g set
      token_hash = asked.next_token_hash,
      consumed_hash = g.token_hash,
      replay_response = asked.replay ->> 'response',
      replay_until = (asked.replay ->> 'until')::timestamptz,
      refresh_expires_at = asked.at + make_interval(secs => g.refresh_seconds),
      last_issued_at = asked.at,
      dpop_jkt = coalesce(g.dpop_jkt, asked.dpop_jkt),
      is_confidential = g.is_confidential or (g.flow = 'browser' and asked.is_authenticated)
    where g.grant_id = (select l.grant_id from grants l where l.grant_id = asked.grant_id for update skip locked)
      and g.token_hash = asked.token_hash and g.ended_at is null and g.refresh_expires_at > asked.at
      and (asked.is_authenticated or not g.is_confidential)
      and (g.dpop_jkt is null or g.dpop_jkt = asked.dpop_jkt or (asked.is_authenticated and asked.dpop_jkt is not null))
      and coalesce(asked.client_id = g.client_id, true)
      and coalesce(asked.scopes <@ g.scopes, true)
      and coalesce(asked.audience <@ g.audience, true)
    returning to_json(g) into kept;
    if found then
      return next;
    end if;
  end loop;
end
$$;

-- Adds one to each bucket (client_ids[i], prefixes[i], limits[i], windows[i] in seconds). If one is full, it adds to none and returns the
-- position, from 1, of the full bucket that opens last, and when it opens.
create function count_unless_full(p_client_ids text[], p_prefixes text[], p_limits integer[], p_seconds integer[], p_at timestamptz)
returns table (bucket integer, until timestamptz)
language plpgsql
as $$
declare
  place integer;
  counted guess_counts;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select asked.place, kept.window_ends_at into bucket, until
  from unnest(p_client_ids, p_prefixes, p_limits) with ordinality asked (client_id, address_prefix, most, place)
  join guess_counts kept using (client_id, address_prefix)
  where kept.window_ends_at > p_at and kept.failures >= asked.most
  order by kept.window_ends_at desc limit 1;
  if found then
    return next;
    return;
  end if;
  -- If a bucket was filled meanwhile, the increments of the others are rolled back.
  begin
    -- In one order for all callers, so that calls that touch the same buckets cannot deadlock.
    for place in
      select asked.place from unnest(p_client_ids, p_prefixes) with ordinality asked (client_id, address_prefix, place)
      order by asked.client_id collate "C", asked.address_prefix collate "C"
    loop
      insert into guess_counts as c values (p_client_ids[place], p_prefixes[place], 1, p_at + make_interval(secs => p_seconds[place]))
      on conflict (client_id, address_prefix) do update set
        failures = case when c.window_ends_at > p_at then c.failures + 1 else 1 end,
        window_ends_at = case when c.window_ends_at > p_at then c.window_ends_at else excluded.window_ends_at end
      returning c.* into counted;
      if counted.failures > p_limits[place] then
        raise exception using errcode = 'WC001';
      end if;
    end loop;
  exception when sqlstate 'WC001' then
    bucket := place;
    until := counted.window_ends_at;
    return next;
  end;
end
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function notify_grant_end, end_person_grants, forget_limit from public;
grant execute on function notify_grant_end, end_person_grants, forget_limit to wealth_connect_upkeep;
