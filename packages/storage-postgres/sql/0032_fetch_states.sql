-- What a refresh knows between two fetches: what the institution prepares for it (sealed) and since when, by which keyed hashes an
-- institution's notification names the connection and when the last one came, and when the customer's consent runs out. A server of
-- the version before leaves all of it as it is.
alter table connection_refreshes
  add column sealed_pending text,
  add column pending_since timestamptz,
  add column user_hash text collate "C",
  add column reference_hash text collate "C",
  add column notified_at timestamptz,
  add column consent_expires_at timestamptz;
create index connection_refreshes_of_user on connection_refreshes (user_hash) where user_hash is not null;
create index connection_refreshes_of_reference on connection_refreshes (reference_hash) where reference_hash is not null;
create index connection_refreshes_by_consent on connection_refreshes (consent_expires_at) where due_at is not null and consent_expires_at is not null;

update connection_refreshes r set consent_expires_at = (c.status ->> 'consent_expires_at')::timestamptz
from connections c
where c.tenant_id = r.tenant_id and c.connection_id = r.connection_id and c.status ->> 'consent_expires_at' is not null;

-- Workers over all tenants see ids and times only.
revoke select, update on connection_refreshes from wealth_connect_upkeep;
grant select (tenant_id, connection_id, due_at, lease, consent_expires_at), update (due_at, lease, attempted_at, outcome)
  on connection_refreshes to wealth_connect_upkeep;

-- Connections that an institution's notification names are due now, each at the earliest `p_pause` after its last attempt. One that is
-- refreshed at this moment is due again later; one at whose institution there were
-- too many requests waits; one that needs its customer stays.
-- `p_tenant` null = of all tenants. Returns how many were named and can be refreshed.
create function hurry_refreshes(p_user_hashes text[], p_reference_hashes text[], p_tenant uuid, p_now timestamptz, p_pause interval)
returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with named as (
    select r.tenant_id, r.connection_id from unnest(p_user_hashes) h (hash) join connection_refreshes r on r.user_hash = h.hash
    union
    select r.tenant_id, r.connection_id from unnest(p_reference_hashes) h (hash) join connection_refreshes r on r.reference_hash = h.hash
  ), found as (
    select r.tenant_id, r.connection_id
    from named n join connection_refreshes r on r.tenant_id = n.tenant_id and r.connection_id = n.connection_id
    where r.due_at is not null and (p_tenant is null or r.tenant_id = p_tenant)
    order by r.tenant_id, r.connection_id
    for update of r
  ), told as (
    update connection_refreshes r
    set notified_at = p_now,
      due_at = case
        when r.lease is not null and r.due_at > p_now then r.due_at
        when r.outcome = 'throttled' then r.due_at
        else least(r.due_at, greatest(p_now, r.attempted_at + p_pause))
      end
    from found f
    where r.tenant_id = f.tenant_id and r.connection_id = f.connection_id
    returning r.connection_id
  )
  select count(*) from told
$$;
revoke all on function hurry_refreshes from public;
grant execute on function hurry_refreshes to wealth_connect_upkeep;

create or replace function count_sealed_values() returns table (place text, key_id text, value_count bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.place, sealing_key_id(s.sealed), count(*)
  from (
    select 'server_keys.sealed' as place, sealed from server_keys
    union all select 'signing_keys.sealed_private_key', sealed_private_key from signing_keys
    union all select 'remembered_credentials.sealed_credentials', sealed_credentials from remembered_credentials
    union all select 'installation_provider_settings.sealed_settings', sealed_settings from installation_provider_settings
    union all select 'tenant_provider_settings.sealed_settings', sealed_settings from tenant_provider_settings
    union all select 'connections.sealed_access', sealed_access from connections
    union all select 'connection_refreshes.sealed_pending', sealed_pending from connection_refreshes
    union all select 'sessions.sealed_link', sealed_link from sessions
    union all select 'sessions.sealed_state', sealed_state from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
