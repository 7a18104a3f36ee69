-- The browser side of the authorization server: clients that registered themselves, answers to authorization requests with the
-- codes made from them, and what browsers remember.

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

-- One row per answered request. A request that nobody answered leaves none: it travels sealed in the page itself.
create table authorization_answers (
  request_id uuid primary key,
  decision text not null check (decision in ('approved', 'denied')),
  client_id text not null,
  answered_at timestamptz not null,
  expires_at timestamptz not null,
  -- Of an approval only.
  code_hash text,
  redirect_uri text,
  code_challenge text,
  tenant_id uuid,
  application_id uuid references applications on delete cascade,
  secret_id uuid,
  scopes text[],
  audience text[],
  -- The grant that the code was exchanged for. It outlives neither of the two: no reference, since grants are reaped by themselves.
  redeemed_as uuid
);
create index authorization_answers_to_reap on authorization_answers (expires_at);
create index authorization_answers_of_application on authorization_answers (application_id);

-- Valid for as long as the secret is.
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

-- Assertions of private_key_jwt that were accepted, until they expire by themselves.
create table used_assertions (
  client_id text collate "C" not null,
  jti text collate "C" not null,
  expires_at timestamptz not null,
  primary key (client_id, jti)
);
create index used_assertions_to_reap on used_assertions (expires_at);

-- The collation of all other client ids, for an index serves comparisons in its own only.
alter table grants alter column client_id type text collate "C";
create index grants_of_client on grants (client_id) where ended_at is null;

grant select, insert, update, delete on registered_clients, authorization_answers, remembered_credentials, used_assertions to wealth_connect_auth;

-- Whether grants may be made under a secret now, for a client that may be an application too (its id begins with wca_). The shared
-- locks make what races with switching off, or with the removal of a secret or a tenant, wait for it or be seen by it. What was
-- decided meanwhile shows in the next statement only, whose snapshot is taken once the locks are held. Applications are locked in
-- the order of their ids, by all who lock several, and before secrets, answers and grants.
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

create or replace function issue_grant(p_grant jsonb, p_client_ids text[], p_prefixes text[], p_limits integer[]) returns text
language plpgsql
as $$
declare
  asked grants := jsonb_populate_record(null::grants, p_grant);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if cardinality(p_client_ids) > 0 and full_until(p_client_ids, p_prefixes, p_limits, asked.created_at) is not null then
    return 'limited';
  end if;
  if not may_grant(asked.application_id, asked.secret_id, asked.client_id) then
    return 'not_allowed';
  end if;
  insert into grants values (asked.*);
  return 'issued';
end
$$;

-- Keeps the first answer to a request; see CodeStore.answerRequest. `first` tells whether this is it.
create function answer_request(p_answer jsonb)
returns table (decision text, is_first boolean, is_settled boolean)
language plpgsql
as $$
declare
  asked authorization_answers := jsonb_populate_record(null::authorization_answers, p_answer);
begin
  perform set_config('role', 'wealth_connect_auth', true);
  if asked.decision = 'approved' and not may_grant(asked.application_id, asked.secret_id, asked.client_id) then
    return query select 'not_allowed'::text, false, false;
    return;
  end if;
  insert into authorization_answers values (asked.*) on conflict (request_id) do nothing;
  is_first := found;
  return query select a.decision, is_first, a.redeemed_as is not null or coalesce(a.code_hash <> asked.code_hash, false) from authorization_answers a where a.request_id = asked.request_id;
end
$$;

-- Exchanges a code for a grant; see CodeStore.redeemCode for what it promises.
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
