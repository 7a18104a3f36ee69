-- Identity providers whose assertions about people are taken for grants (docs/company-sign-in.md). They are found by what an assertion
-- says, before a tenant is known, and hold nothing secret.
create table trusted_issuers (
  issuer text collate "C" primary key,
  -- Another one after each change: it stands where other grants have the secret that they were obtained with.
  trust_id uuid not null unique,
  -- Null = the installation's.
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

alter table grants drop constraint grants_flow_check;
alter table grants add constraint grants_flow_check check (flow in ('machine', 'browser', 'asserted'));
create index grants_of_trust on grants (secret_id) where flow = 'asserted' and ended_at is null;

-- A grant for an assertion, in one statement: `issued`, `not_allowed` or `replayed`. As may_grant has it, with the trust in place of the
-- secret, which is locked after the applications as a secret is. The assertion is used up with the grant, or not at all.
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
  if not found then
    return 'not_allowed';
  end if;
  insert into used_assertions (client_id, jti, expires_at)
  values (p_assertion ->> 'issuer', p_assertion ->> 'jti', (p_assertion ->> 'usable_until')::timestamptz)
  on conflict do nothing;
  if not found then
    return 'replayed';
  end if;
  -- Once an hour is enough: a client is forgotten after days.
  update registered_clients c set last_used_at = asked.created_at
  where c.client_id = asked.client_id and c.last_used_at < asked.created_at - interval '1 hour';
  asked.is_confidential := false;
  insert into grants values (asked.*);
  return 'issued';
end
$$;
