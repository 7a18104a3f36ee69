-- The authorization server's tables. They are found by what clients present (client_id, grant id, key id), before a tenant is
-- known, and are open to the role wealth_connect_auth only, which in turn sees nothing of a tenant's data.

create table applications (
  application_id uuid primary key,
  -- Null = an operator's.
  tenant_id uuid references tenants,
  client_id text collate "C" not null unique,
  name text not null,
  scopes text[] not null,
  enabled boolean not null default true,
  redirect_urls text[] not null,
  created_at timestamptz not null
);
create index applications_of_tenant on applications (tenant_id, application_id);

create table application_secrets (
  application_id uuid not null references applications on delete cascade,
  secret_id uuid not null unique,
  secret_hash text not null,
  created_at timestamptz not null,
  primary key (application_id, secret_id)
);

-- Tenants whose applications are switched off together; the applications keep their own switches.
create table disabled_tenants (
  tenant_id uuid primary key references tenants,
  disabled_at timestamptz not null
);

create table grants (
  grant_id uuid primary key,
  tenant_id uuid,
  application_id uuid not null references applications on delete cascade,
  client_id text not null,
  secret_id uuid not null,
  flow text not null check (flow in ('machine', 'browser')),
  scopes text[] not null,
  audience text[] not null,
  created_at timestamptz not null,
  refresh_seconds integer not null,
  refresh_expires_at timestamptz not null,
  last_issued_at timestamptz not null,
  -- Keyed hashes: of the live refresh token, and of the one consumed last with what to answer if it comes again.
  token_hash text not null,
  consumed_hash text,
  replay_response text,
  replay_until timestamptz,
  ended_at timestamptz,
  -- The transaction that ended it: the feed of ended grants goes by these, for they alone tell what a reader has seen.
  ended_by xid8
);
create index grants_of_application on grants (application_id, grant_id) where ended_at is null;
create index grants_of_tenant on grants (tenant_id, grant_id) where ended_at is null;
create index ended_grants on grants (ended_by) where ended_by is not null;
create index grants_to_reap on grants (last_issued_at);

create table guess_counts (
  client_id text collate "C" not null,
  address_prefix text collate "C" not null,
  failures integer not null,
  window_ends_at timestamptz not null,
  primary key (client_id, address_prefix)
);
create index guess_windows on guess_counts (window_ends_at);

create table signing_keys (
  kid text collate "C" primary key,
  algorithm text not null,
  public_jwk jsonb not null,
  sealed_private_key text not null,
  created_at timestamptz not null,
  signs_from timestamptz
);

-- MCP sessions that were ended before their time, until their ids expire by themselves.
create table ended_mcp_sessions (
  nonce text collate "C" primary key,
  expires_at timestamptz not null,
  ended_by xid8 not null default pg_current_xact_id()
);
create index ended_mcp_sessions_feed on ended_mcp_sessions (ended_by);
create index ended_mcp_sessions_to_reap on ended_mcp_sessions (expires_at);

grant select on tenants to wealth_connect_auth;
grant select, insert, update, delete on applications, application_secrets, disabled_tenants, grants, guess_counts, signing_keys, ended_mcp_sessions to wealth_connect_auth;

-- When the last of the buckets that are full opens again, or null. A bucket is client_ids[i], prefixes[i], limits[i].
create function full_until(p_client_ids text[], p_prefixes text[], p_limits integer[], p_at timestamptz) returns timestamptz
language sql stable
as $$
  select max(counted.window_ends_at)
  from unnest(p_client_ids, p_prefixes, p_limits) bucket (client_id, address_prefix, failures)
  join guess_counts counted using (client_id, address_prefix)
  where counted.window_ends_at > p_at and counted.failures >= bucket.failures
$$;

-- A new grant in one statement: `issued`, `not_allowed` or `limited`. The shared locks make a grant that races with switching off
-- or with the removal of its secret wait for it or be seen by it.
create function issue_grant(p_grant jsonb, p_client_ids text[], p_prefixes text[], p_limits integer[]) returns text
language plpgsql
as $$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if cardinality(p_client_ids) > 0 and full_until(p_client_ids, p_prefixes, p_limits, asked.created_at) is not null then
    return 'limited';
  end if;
  perform from applications a join application_secrets s using (application_id)
  where a.application_id = asked.application_id and a.enabled and s.secret_id = asked.secret_id
    and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
  for share of a, s;
  if not found then
    return 'not_allowed';
  end if;
  insert into grants values (asked.*);
  return 'issued';
end
$$;

-- Exchanges the live refresh token of a grant; see GrantStore.rotateRefreshToken for what it promises.
create function rotate_refresh_token(p_rotation jsonb, p_client_ids text[], p_prefixes text[], p_limits integer[])
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
    when cardinality(p_client_ids) > 0 and full_until(p_client_ids, p_prefixes, p_limits, at) is not null then 'limited'
    when kept.grant_id is null then 'unknown'
    when p_rotation ? 'client_id' and p_rotation ->> 'client_id' <> kept.client_id then 'other_client'
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
      last_issued_at = at
    where g.grant_id = kept.grant_id
    returning g.* into kept;
  end if;
  return next;
end
$$;
