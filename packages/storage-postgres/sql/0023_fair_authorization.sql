-- Guesses refuse only what fails, grants of clients that authenticate need that again, registrations by token, signing keys that are
-- withdrawn. A server of the version before goes on working on this schema.

-- Whether the client of a grant authenticated when its code was redeemed, and so has to when it refreshes. The machine flow's never.
-- Of a client that is named by its metadata document it is not known afterwards: its grant learns it from its next refresh.
alter table grants add column is_confidential boolean not null default false;

-- What is known of a client by its id alone.
create function is_confidential_client(p_client_id text) returns boolean
language sql stable
as $$
  select starts_with(p_client_id, 'wca_')
    or exists (select from registered_clients c where c.client_id = p_client_id and c.token_endpoint_auth_method <> 'none')
$$;

update grants set is_confidential = true
where flow = 'browser' and ended_at is null and is_confidential_client(client_id);

-- As before, but that a bucket of guesses refuses nobody who is right: the last three arguments count for nothing.
create or replace function issue_grant(p_grant jsonb, p_client_ids text[], p_prefixes text[], p_limits integer[]) returns text
language plpgsql
as $$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if not may_grant(asked.application_id, asked.secret_id, asked.client_id) then
    return 'not_allowed';
  end if;
  asked.is_confidential := false;
  insert into grants values (asked.*);
  return 'issued';
end
$$;

-- The same, and it takes `is_authenticated`; a server that does not send it checks nothing by it.
create or replace function rotate_refresh_token(p_rotation jsonb, p_client_ids text[], p_prefixes text[], p_limits integer[])
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
      last_issued_at = at,
      is_confidential = g.is_confidential or (g.flow = 'browser' and p_rotation -> 'is_authenticated' = 'true')
    where g.grant_id = kept.grant_id
    returning g.* into kept;
  end if;
  return next;
end
$$;

-- The same, and it takes `is_confidential`; for a server that does not send it the client's id has to tell.
create or replace function redeem_code(p_redemption jsonb)
returns table (outcome text, reason text, kept grants)
language plpgsql
as $$
declare
  at timestamptz := p_redemption ->> 'at';
  answer authorization_answers;
  is_allowed boolean;
begin
  perform set_config('role', 'wealth_connect_auth', true);
  select may_grant(a.application_id, a.secret_id, a.client_id) into is_allowed
  from authorization_answers a where a.request_id = (p_redemption ->> 'request_id')::uuid;
  select a.* into answer from authorization_answers a where a.request_id = (p_redemption ->> 'request_id')::uuid for update;
  outcome := 'refused';
  reason := case
    when answer.code_hash is null or answer.code_hash <> p_redemption ->> 'code_hash' then 'unknown'
    when answer.client_id <> p_redemption ->> 'client_id' then 'other_client'
    when answer.redirect_uri <> p_redemption ->> 'redirect_uri' or answer.code_challenge <> p_redemption ->> 'code_challenge' then 'mismatch'
    when answer.redeemed_as is not null then 'reused'
    when answer.expires_at <= at then 'expired'
    when p_redemption ? 'audience' and exists (select from jsonb_array_elements_text(p_redemption -> 'audience') a (audience) where a.audience <> all (answer.audience)) then 'audience'
    when not is_allowed then 'not_allowed'
  end;
  if reason = 'reused' then
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
      'flow', 'browser',
      'is_confidential', coalesce((p_redemption ->> 'is_confidential')::boolean, is_confidential_client(answer.client_id)),
      'scopes', answer.scopes,
      'audience', coalesce(p_redemption -> 'audience', to_jsonb(answer.audience)),
      'created_at', at,
      'refresh_seconds', p_redemption -> 'grant' -> 'refresh_seconds',
      'refresh_expires_at', at + make_interval(secs => (p_redemption -> 'grant' ->> 'refresh_seconds')::integer),
      'last_issued_at', at,
      'token_hash', p_redemption -> 'grant' -> 'refresh_token_hash'
    ));
    insert into grants values (kept.*);
    update authorization_answers a set redeemed_as = kept.grant_id where a.request_id = answer.request_id;
  end if;
  return next;
end
$$;

-- Adds one to each bucket (client_ids[i], prefixes[i], limits[i], windows[i] in seconds), or, when one is full, to none: then it
-- returns the place of the full one that opens last, from 1, and when that is.
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
  -- One that was filled meanwhile takes back what was added to the others.
  begin
    -- In one order for all, so that calls that touch the same buckets cannot deadlock.
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

-- Initial access tokens (RFC 7591 §3): whoever shows one may register clients where REGISTRATION=token.
create table registration_tokens (
  token_id uuid primary key,
  name text not null,
  token_hash text collate "C" not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registration_tokens_to_reap on registration_tokens (expires_at);
grant select, insert, update, delete on registration_tokens to wealth_connect_auth;

-- From when on a key of the server's own makes new hashes and signatures; null = from the beginning.
alter table server_keys add column active_from timestamptz;
