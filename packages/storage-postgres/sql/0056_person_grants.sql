-- Grants that name a person of the tenant, who approved an MCP client with their own sign-in (docs/people.md).

-- What people approve is granted through one application of their tenant, so that all that depends on an application holds for it. It has no
-- secret: nobody signs in as it.
alter table applications add column of_people boolean not null default false;
create unique index applications_of_people on applications (tenant_id) where of_people;

-- Where others have the secret that they were obtained with, such grants have the person, too.
alter table grants add column person_id uuid;
create index grants_of_person on grants (tenant_id, person_id) where person_id is not null and ended_at is null;
alter table authorization_answers add column person_id uuid;
create index authorization_answers_of_person on authorization_answers (tenant_id, person_id) where person_id is not null;

-- When their identity provider named them last for no role here.
alter table people add column let_go_at timestamptz;

-- The authorization server looks whether they are still here, and knows no more of them.
grant select (tenant_id, person_id, role, ended_at) on people to wealth_connect_auth;
grant select (tenant_id, session_id, person_id) on people_sessions to wealth_connect_auth;
create policy asked_for_grants on people for select to wealth_connect_auth using (true);
create policy asked_for_grants on people_sessions for select to wealth_connect_auth using (true);

-- As may_grant has it, with the person in place of the secret. With a role and a session the person has to have both. Changes of who is
-- there hold the lock of people alone; it is taken after the applications, and before answers and grants.
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

-- The same, and of a person's approval it asks for the person, their role and their session.
create or replace function answer_request(p_answer jsonb)
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
  insert into authorization_answers values (asked.*) on conflict (request_id) do nothing;
  is_first := found;
  return query select a.decision, is_first, a.redeemed_as is not null or coalesce(a.code_hash <> asked.code_hash, false) from authorization_answers a where a.request_id = asked.request_id;
end
$$;

-- The same, and the grant names the person who approved it.
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
      'person_id', answer.person_id,
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

-- Whoever is removed, let go by their identity provider or given a lesser role takes all along that they approved: grants, and codes that
-- nobody has exchanged yet.
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
revoke all on function end_person_grants from public;
grant execute on function end_person_grants to wealth_connect_upkeep;
create trigger end_grants after update of role, ended_at, let_go_at on people for each row
  when (old.ended_at is null and (
    new.ended_at is not null or new.let_go_at is distinct from old.let_go_at
    or array_position(array['read', 'member', 'admin'], new.role) < array_position(array['read', 'member', 'admin'], old.role)
  )) execute function end_person_grants();
