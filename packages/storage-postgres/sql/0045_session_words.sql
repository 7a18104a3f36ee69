-- What a bank asks its customer in the middle of a login, sealed: its words may name accounts. `challenge` keeps of which kind it is, in a
-- form that a server of the version before reads; what that has written has its words there and nothing here.
alter table sessions add column sealed_challenge text;

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
    set status = 'Finished:Expired', error_code = 'SessionExpired', challenge = null, sealed_challenge = null,
      sealed_link = null, sealed_state = null, updated_at = p_now, version = s.version + 1
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

create or replace function count_sealed_values() returns table (place text, key_id text, value_count bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.place, sealing_key_id(s.sealed), count(*)
  from (
    select 'server_keys.sealed' as place, sealed from server_keys
    union all select 'signing_keys.sealed_private_key', sealed_private_key from signing_keys
    union all select 'remembered_credentials.sealed_credentials', sealed_credentials from remembered_credentials
    union all select 'installation_provider_settings.sealed_settings', sealed_settings from installation_provider_settings
    union all select 'feed_sources.sealed_settings', sealed_settings from feed_sources
    union all select 'feed_held.sealed_key', sealed_key from feed_held
    union all select 'feed_held.sealed_findings', sealed_findings from feed_held
    union all select 'feed_keys.sealed_private_key', sealed_private_key from feed_keys
    union all select 'tenant_provider_settings.sealed_settings', sealed_settings from tenant_provider_settings
    union all select 'connections.sealed_access', sealed_access from connections
    union all select 'connection_refreshes.sealed_pending', sealed_pending from connection_refreshes
    union all select 'sessions.sealed_link', sealed_link from sessions
    union all select 'sessions.sealed_state', sealed_state from sessions
    union all select 'sessions.sealed_challenge', sealed_challenge from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
    union all select 'webhook_endpoints.sealed_secret', sealed_secret from webhook_endpoints
    union all select 'webhook_endpoints.sealed_previous_secret', sealed_previous_secret from webhook_endpoints
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
