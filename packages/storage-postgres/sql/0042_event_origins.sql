-- Events of what happens in functions of the database (docs/events.md), and what is kept so that each is told once.

-- Mails in doubt and circuits are found over all tenants.
grant usage on sequence event_writes to wealth_connect_upkeep;
grant insert on events to wealth_connect_upkeep;
create policy written_by_upkeep on events for insert to wealth_connect_upkeep with check (true);

-- Whoever ends a grant tells its tenant, in whatever way it ends: the authorization server has no right on events itself. A transaction says
-- why in wealth_connect.grant_end. A program's own grant lives as long as its token: that it has run out is no news.
create function tell_grant_end() returns trigger
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
revoke all on function tell_grant_end from public;
grant execute on function tell_grant_end to wealth_connect_upkeep;
create trigger tell_end after update of ended_at on grants for each row
  when (old.ended_at is null and new.ended_at is not null and new.tenant_id is not null) execute function tell_grant_end();
create trigger tell_expiry after delete on grants for each row
  when (old.ended_at is null and old.flow = 'browser' and old.tenant_id is not null) execute function tell_grant_end();

-- Of the end of a customer's consent: which end was told of, and how many days before. A server of the version before leaves both as they are.
alter table connection_refreshes
  add column consent_told_end timestamptz,
  add column consent_told_days smallint;
grant select (consent_told_end, consent_told_days) on connection_refreshes to wealth_connect_upkeep;

-- Circuits of connectors that some server has open, and when one has said so last. The tenant of zeros is the installation, whose settings
-- are everybody's.
create table provider_circuits (
  tenant_id uuid not null,
  connector_id text collate "C" not null,
  provider text not null,
  seen_at timestamptz not null,
  primary key (tenant_id, connector_id)
);
grant select, insert, update, delete on provider_circuits to wealth_connect_upkeep;
alter table provider_circuits enable row level security;
create policy all_tenants on provider_circuits to wealth_connect_upkeep using (true);

-- The same, and it tells the end of each session.
create or replace function expire_sessions(p_now timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with late as (
    select t.tenant_id, found.session_id
    from tenants t cross join lateral (
      select c.session_id from sessions c
      where c.tenant_id = t.tenant_id and not c.finished and c.expires_at <= p_now
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), expired as (
    update sessions s
    set status = 'Finished:Expired', error_code = 'SessionExpired', challenge = null, sealed_link = null,
      sealed_state = null, updated_at = p_now, version = s.version + 1
    from late
    where s.tenant_id = late.tenant_id and s.session_id = late.session_id
    returning s.tenant_id, s.session_id, s.connection_id, s.labels
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

-- The same, and it says that a grant ends because its refresh token came a second time.
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
      is_confidential = g.is_confidential or (g.flow = 'browser' and p_rotation -> 'is_authenticated' = 'true')
    where g.grant_id = kept.grant_id
    returning g.* into kept;
  end if;
  return next;
end
$$;

-- The same, and it says that a grant ends because its code came a second time.
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
