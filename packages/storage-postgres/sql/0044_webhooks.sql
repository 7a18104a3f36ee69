-- Where tenants want their events to be sent. An endpoint is leased as a whole: it is due when the next of its deliveries is.
create table webhook_endpoints (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  types text[] not null,
  -- As those of events: key=value each.
  labels text[] not null,
  description text,
  is_enabled boolean not null,
  disabled_reason text collate "C" check (disabled_reason in ('request', 'gone', 'failing')),
  disabled_at timestamptz,
  -- Null of one that was removed, and waits for its deliveries to go.
  sealed_secret text,
  sealed_previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  removed_at timestamptz,
  failing_since timestamptz,
  delivered_at timestamptz,
  due_at timestamptz,
  -- Whatever is queued, it is not due before: a pause after failures.
  not_before timestamptz,
  lease uuid,
  lease_until timestamptz,
  primary key (tenant_id, endpoint_id)
);
create index webhook_endpoints_due on webhook_endpoints (due_at) where due_at is not null and failing_since is null;
create index webhook_endpoints_due_failing on webhook_endpoints (due_at) where due_at is not null and failing_since is not null;

-- One for each event and endpoint, however often it is tried or replayed. What the event says is in the log, with which it goes.
create table webhook_deliveries (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  delivery_id uuid not null default gen_random_uuid(),
  state text collate "C" not null check (state in ('pending', 'delivered', 'failed', 'withdrawn')),
  attempts integer not null default 0,
  due_at timestamptz,
  attempted_at timestamptz,
  status integer,
  ms integer,
  error text,
  answer text,
  primary key (tenant_id, endpoint_id, sequence)
);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_at, sequence) where state = 'pending';
create index webhook_deliveries_undelivered on webhook_deliveries (tenant_id, endpoint_id, state, sequence)
  where state in ('failed', 'withdrawn');

grant select, insert, update on webhook_endpoints, webhook_deliveries to wealth_connect_app;
alter table webhook_endpoints enable row level security;
alter table webhook_deliveries enable row level security;
create policy own_tenant on webhook_endpoints to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on webhook_deliveries to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
-- For leasing what is due.
grant select, update (lease, lease_until) on webhook_endpoints to wealth_connect_upkeep;
create policy all_tenants on webhook_endpoints to wealth_connect_upkeep using (true);

create function forget_webhooks() returns trigger
language plpgsql
as $$
begin
  delete from webhook_deliveries where tenant_id = old.tenant_id;
  delete from webhook_endpoints where tenant_id = old.tenant_id;
  return null;
end
$$;
create trigger forget_webhooks after delete on tenants for each row execute function forget_webhooks();

-- Whether an endpoint asks for an event, as `asksFor` of @org/events has it. A test goes to the endpoint that it is of.
create function webhook_asks_for(p_types text[], p_labels text[], p_endpoint uuid, p_type text, p_event_labels text[], p_object text)
returns boolean
language sql immutable
as $$
  select case
    when p_type = 'webhook.test' then p_object = p_endpoint::text
    else p_types && array['*', p_type, split_part(p_type, '.', 1) || '.*'] and p_event_labels @> p_labels
  end
$$;

-- Queues deliveries of the events behind one number of a log and up to another. Endpoints are locked before anything is queued, always in
-- one order: whoever gives one back meanwhile waits, and sees afterwards what was queued.
create function fan_out_events(p_tenant uuid, p_after bigint, p_through bigint) returns void
language plpgsql
as $$
begin
  perform from webhook_endpoints w where w.tenant_id = p_tenant and w.is_enabled order by w.endpoint_id for no key update;
  if not found then
    return;
  end if;
  with queued as (
    insert into webhook_deliveries (tenant_id, endpoint_id, sequence, state, due_at)
    select w.tenant_id, w.endpoint_id, e.sequence, 'pending', e.created_at
    from webhook_endpoints w
    join events e on e.tenant_id = w.tenant_id and e.sequence > p_after and e.sequence <= p_through
    where w.tenant_id = p_tenant and w.is_enabled
      and webhook_asks_for(w.types, w.labels, w.endpoint_id, e.type, e.labels, e.object_id)
    returning endpoint_id, due_at
  ), due as (
    select q.endpoint_id, min(q.due_at) as due_at from queued q group by q.endpoint_id
  )
  update webhook_endpoints w set due_at = greatest(due.due_at, w.not_before)
  from due
  where w.tenant_id = p_tenant and w.endpoint_id = due.endpoint_id
    and (w.due_at is null or w.due_at > greatest(due.due_at, w.not_before));
end
$$;

-- As 0040 has it, and what is numbered is queued for endpoints in the same transaction: each event once for each that asks for it.
create or replace function sequence_events(p_tenant uuid, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  last bigint;
  numbered bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'events are numbered in read committed only' using errcode = 'active_sql_transaction';
  end if;
  insert into event_counters (tenant_id) values (p_tenant) on conflict do nothing;
  select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  update events e set sequence = last + n.place
  from (
    select u.event_id, row_number() over (order by u.written) as place
    from (
      select o.event_id, o.written from events o
      where o.tenant_id = p_tenant and o.sequence is null
      order by o.written
      limit p_limit
    ) u
  ) n
  where e.tenant_id = p_tenant and e.event_id = n.event_id;
  get diagnostics numbered = row_count;
  if numbered > 0 then
    update event_counters c set last_sequence = last + numbered where c.tenant_id = p_tenant;
    perform fan_out_events(p_tenant, last, last + numbered);
  end if;
  return numbered;
end
$$;

-- What there is to send over all tenants; deliveries are counted up to 100,000.
create function webhook_backlog(p_now timestamptz)
returns table (pending bigint, oldest_due_at timestamptz, failing bigint, disabled bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select
    (select count(*) from (select from webhook_deliveries d where d.state = 'pending' limit 100000) p),
    (select min(w.due_at) from webhook_endpoints w where w.is_enabled and w.due_at <= p_now),
    (select count(*) from webhook_endpoints w where w.is_enabled and w.failing_since is not null),
    (select count(*) from webhook_endpoints w where w.removed_at is null and w.disabled_reason in ('gone', 'failing'))
$$;

-- Deletes at most so many deliveries of events that are kept no more and of endpoints that were removed, those endpoints with the last of
-- them, and secrets whose time is over.
create function reap_webhooks(p_now timestamptz, p_limit integer) returns table (deliveries bigint, endpoints bigint)
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select w.tenant_id, w.endpoint_id, found.sequence
    from webhook_endpoints w
    cross join lateral (
      select case when w.removed_at is null then (
        select coalesce(min(e.sequence), 9223372036854775807) from events e where e.tenant_id = w.tenant_id and e.sequence is not null
      ) else 9223372036854775807 end as first_kept
    ) kept
    cross join lateral (
      select d.sequence from webhook_deliveries d
      where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id and d.sequence < kept.first_kept
      order by d.sequence
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from webhook_deliveries d using old
    where d.tenant_id = old.tenant_id and d.endpoint_id = old.endpoint_id and d.sequence = old.sequence
    returning d.sequence
  ), empty as (
    delete from webhook_endpoints w
    where w.removed_at is not null and not exists (
      select from webhook_deliveries d where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id
    )
    returning w.endpoint_id
  ), forgotten as (
    update webhook_endpoints w set sealed_previous_secret = null, previous_until = null
    where w.removed_at is null and w.previous_until <= p_now
  )
  select (select count(*) from gone), (select count(*) from empty)
$$;

revoke all on function webhook_backlog, reap_webhooks from public;
grant execute on function webhook_backlog, reap_webhooks to wealth_connect_upkeep;

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
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
    union all select 'webhook_endpoints.sealed_secret', sealed_secret from webhook_endpoints
    union all select 'webhook_endpoints.sealed_previous_secret', sealed_previous_secret from webhook_endpoints
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
