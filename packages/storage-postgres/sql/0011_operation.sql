-- What operators need: an audit trail across tenants, the removal of a tenant, and which encryption keys are in use.

-- Null = the installation's own: operators' applications, clients that nobody knows. Row-level security shows those lines to no
-- tenant, for null equals nothing. The time stands first in the key, so that the table can be partitioned by it.
alter table audit_log drop constraint audit_log_pkey;
alter table audit_log alter column tenant_id drop not null;
alter table audit_log add primary key (at, audit_id);
create index audit_log_of_tenant on audit_log (tenant_id, at, audit_id);
grant select, insert on audit_log to wealth_connect_upkeep;
create policy all_tenants on audit_log to wealth_connect_upkeep using (true);

-- A grant outlives its application: the feed of ended grants needs it until its access tokens have expired.
alter table grants drop constraint grants_application_id_fkey;

-- Removes a tenant that is switched off, with everything stored for it in any table, in one transaction; the audit trail stays.
-- It runs as the owner of the tables, so that no role needs the right to delete letters or another tenant's rows.
create function remove_tenant(p_tenant uuid, p_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  clients text[];
begin
  -- Whoever writes for the tenant holds one of these rows. From here on writers wait, and then find nothing.
  perform from tenants where tenant_id = p_tenant for update;
  if not found then
    return false;
  end if;
  if not exists (select from disabled_tenants where tenant_id = p_tenant) then
    raise exception 'tenant % is not switched off', p_tenant using errcode = 'object_not_in_prerequisite_state';
  end if;
  perform from tenant_revisions where tenant_id = p_tenant for update;
  perform from applications where tenant_id = p_tenant order by application_id for update;
  perform from connections where tenant_id = p_tenant for update;
  perform from letters where tenant_id = p_tenant for update;

  clients := array(select client_id from applications where tenant_id = p_tenant);
  delete from guess_counts where client_id = any (clients);
  delete from used_assertions where client_id = any (clients);
  delete from authorization_answers where tenant_id = p_tenant or client_id = any (clients);
  -- Those for the tenant's data, and those that its applications hold as OAuth clients of others.
  perform from grants where tenant_id = p_tenant or client_id = any (clients) order by grant_id for update;
  update grants set
    ended_at = coalesce(ended_at, p_at), ended_by = coalesce(ended_by, pg_current_xact_id()),
    tenant_id = null, application_id = '00000000-0000-0000-0000-000000000000', client_id = '',
    secret_id = '00000000-0000-0000-0000-000000000000', scopes = '{}', audience = '{}',
    token_hash = '', consumed_hash = null, replay_response = null, replay_until = null
  where tenant_id = p_tenant or client_id = any (clients);
  -- Secrets and remembered credentials go with them.
  delete from applications where tenant_id = p_tenant;
  delete from disabled_tenants where tenant_id = p_tenant;

  delete from portfolios where tenant_id = p_tenant;
  delete from holdings where tenant_id = p_tenant;
  delete from transactions where tenant_id = p_tenant;
  delete from feed_files where tenant_id = p_tenant;
  delete from snapshots where tenant_id = p_tenant;
  delete from sessions where tenant_id = p_tenant;
  delete from session_links where tenant_id = p_tenant;
  delete from idempotency_keys where tenant_id = p_tenant;
  delete from letter_documents where tenant_id = p_tenant;
  delete from letter_moves where tenant_id = p_tenant;
  delete from letter_labels where tenant_id = p_tenant;
  delete from letters where tenant_id = p_tenant;
  delete from connections where tenant_id = p_tenant;
  delete from object_owners where tenant_id = p_tenant;
  delete from tenant_revisions where tenant_id = p_tenant;
  delete from tenants where tenant_id = p_tenant;
  return true;
end
$$;
revoke all on function remove_tenant from public;
grant execute on function remove_tenant to wealth_connect_upkeep;

-- Sealing a document's key again leaves the document as it is.
grant update (sealed_key) on letter_documents to wealth_connect_app;

-- Id of the encryption key that a sealed value needs: its header, up to the first point, is JSON in base64url. Null = damaged.
create function sealing_key_id(p_sealed text) returns text
language plpgsql immutable
as $$
declare
  header text := translate(split_part(p_sealed, '.', 1), '-_', '+/');
begin
  return convert_from(decode(rpad(header, (length(header) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb ->> 'kid';
exception
  when others then return null;
end
$$;

-- How many values are sealed under which key, over all tenants: numbers only, so that no role has to see the values.
create function count_sealed_values() returns table (place text, key_id text, value_count bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.place, sealing_key_id(s.sealed), count(*)
  from (
    select 'server_keys.sealed' as place, sealed from server_keys
    union all select 'signing_keys.sealed_private_key', sealed_private_key from signing_keys
    union all select 'remembered_credentials.sealed_credentials', sealed_credentials from remembered_credentials
    union all select 'connections.sealed_access', sealed_access from connections
    union all select 'sessions.sealed_link', sealed_link from sessions
    union all select 'sessions.sealed_state', sealed_state from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
revoke all on function count_sealed_values from public;
grant execute on function count_sealed_values to wealth_connect_upkeep;
