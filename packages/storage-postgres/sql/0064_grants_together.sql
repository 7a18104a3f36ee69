-- Many grants, or exchanges of refresh tokens, in one statement. It does what is plain and leaves out the rest: what is refused, and what
-- somebody else holds locked. That is asked for one by one, with the functions of before, which say why, or wait. So a statement of many
-- waits for nobody, and one that is held up holds up no other. Each row is found by its key, whatever statistics there are of the table.

-- Issues what may be issued; returns its ids. The locks are those of may_grant, in the same order. A client that is another application
-- than the one whose secret this is has rules of its own.
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
    if (asked.application_id, asked.secret_id, asked.client_id) is distinct from (checked.application_id, checked.secret_id, checked.client_id) then
      checked := asked;
      perform from applications a where a.application_id = asked.application_id for share skip locked;
      is_allowed := found;
      if is_allowed then
        perform from applications a join application_secrets s using (application_id)
        where a.application_id = asked.application_id and a.client_id = asked.client_id and a.enabled and s.secret_id = asked.secret_id
          and not exists (select from disabled_tenants d where d.tenant_id = a.tenant_id)
        for share of s skip locked;
        is_allowed := found;
      end if;
    end if;
    if is_allowed then
      asked.is_confidential := false;
      asked.expires_on := (asked.refresh_expires_at at time zone 'UTC')::date;
      insert into grants values (asked.*);
      return next asked.grant_id;
    end if;
  end loop;
end
$$;

-- Exchanges the tokens that are good; returns their grants.
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
      audience text[], replay json
    )
  loop
    update grants g set
      token_hash = asked.next_token_hash,
      consumed_hash = g.token_hash,
      replay_response = asked.replay ->> 'response',
      replay_until = (asked.replay ->> 'until')::timestamptz,
      refresh_expires_at = asked.at + make_interval(secs => g.refresh_seconds),
      last_issued_at = asked.at,
      is_confidential = g.is_confidential or (g.flow = 'browser' and asked.is_authenticated)
    where g.grant_id = (select l.grant_id from grants l where l.grant_id = asked.grant_id for update skip locked)
      and g.token_hash = asked.token_hash and g.ended_at is null and g.refresh_expires_at > asked.at
      and (asked.is_authenticated or not g.is_confidential)
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
