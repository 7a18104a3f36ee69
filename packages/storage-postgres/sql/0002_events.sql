-- The event log. An event is written in the transaction that causes it and numbered shortly afterwards (docs/decisions/event-sequence.md).
create sequence event_writes;
grant usage on sequence event_writes to wealth_connect_app, wealth_connect_upkeep;

-- A UUIDv7 (RFC 9562) of the current time.
create function new_event_id() returns uuid
language sql volatile
as $$
  select encode(
    -- Changes the version from 4 to 7.
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6
        ),
        52, 1
      ),
      53, 1
    ),
    'hex'
  )::uuid
$$;

-- The installation's own events have the tenant id of zeros, which no tenant has.
create table events (
  tenant_id uuid not null,
  event_id uuid not null default new_event_id(),
  -- Null until it is numbered; no reader sees the event before that.
  sequence bigint,
  type text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  object_id text collate "C" not null,
  -- All labels of the object, key=value each; none once the connection that it is about is deleted.
  labels text[] not null default '{}',
  -- The endpoints whose labels the object had when they were deleted.
  endpoint_ids uuid[] not null default '{}',
  data jsonb not null,
  -- The order in which the events of one transaction were written.
  written bigint not null default nextval('event_writes'),
  primary key (tenant_id, event_id)
);
-- An insert maintains only the primary key and this index; the other indexes take up an event when it is numbered.
create index events_unnumbered on events (tenant_id, written) where sequence is null;
create unique index events_by_sequence on events (tenant_id, sequence) where sequence is not null;
create index events_by_type on events (tenant_id, type, sequence) where sequence is not null;
create index events_by_object on events (tenant_id, object_id, sequence) where sequence is not null;
create index events_by_client on events (tenant_id, (data ->> 'client_ref') collate "C", sequence)
  where sequence is not null and data ->> 'client_ref' is not null;
create index events_by_time on events (tenant_id, created_at, sequence) where sequence is not null;
-- For deletion: a session has an id of its own, and may be gone before the connection that came of it.
create index events_of_connection on events (tenant_id, (data ->> 'connection_id')) where type = 'session.finished' and labels <> '{}';
grant select, insert on events to wealth_connect_app;
-- Upkeep finds mails in doubt and circuits across all tenants, and writes events about them.
grant insert on events to wealth_connect_upkeep;
alter table events enable row level security;
create policy own_tenant on events to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
-- Events for operators about a tenant's mail or provider are written in the tenant's transaction. This policy allows inserting only.
create policy installation_log on events for insert to wealth_connect_app
  with check (tenant_id = '00000000-0000-0000-0000-000000000000');
create policy written_by_upkeep on events for insert to wealth_connect_upkeep with check (true);

-- The last number given in each log.
create table event_counters (
  tenant_id uuid primary key,
  last_sequence bigint not null default 0
);
grant select on event_counters to wealth_connect_app;
alter table event_counters enable row level security;
create policy own_tenant on event_counters to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create function forget_events() returns trigger
language plpgsql
as $$
begin
  delete from events where tenant_id = old.tenant_id;
  delete from event_counters where tenant_id = old.tenant_id;
  return null;
end
$$;
create trigger forget_events after delete on tenants for each row execute function forget_events();

-- The URLs to which tenants want their events sent. An endpoint is leased as a whole; it is due when its next delivery is due.
create table webhook_endpoints (
  tenant_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  types text[] not null,
  -- Key=value each, as for events.
  labels text[] not null,
  description text,
  is_enabled boolean not null,
  disabled_reason text collate "C" check (disabled_reason in ('request', 'gone', 'failing')),
  disabled_at timestamptz,
  -- Null once the endpoint is removed and waits for its deliveries to be deleted.
  sealed_secret text,
  sealed_previous_secret text,
  previous_until timestamptz,
  -- The one before that, when both were replaced within a day.
  sealed_earlier_secret text,
  earlier_until timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  removed_at timestamptz,
  failing_since timestamptz,
  delivered_at timestamptz,
  due_at timestamptz,
  -- A pause after failures: the endpoint is not due before this time, whatever is queued.
  not_before timestamptz,
  lease uuid,
  -- When the lease ends, or ended.
  lease_until timestamptz,
  -- How the last failed attempt ended, even if deliveries have succeeded since.
  last_failed_at timestamptz,
  last_failed_status integer,
  last_failed_error text,
  -- Whether the last attempts at this URL were quick and ended with a delivery; a new endpoint has yet to prove itself.
  is_proven boolean not null default false,
  primary key (tenant_id, endpoint_id)
);
-- A claim goes from tenant to tenant, and looks at a few endpoints of each.
create index webhook_endpoints_by_time on webhook_endpoints (is_proven, due_at) where due_at is not null;
create index webhook_endpoints_due on webhook_endpoints (is_proven, tenant_id, due_at) where due_at is not null;
create index webhook_endpoints_given_up on webhook_endpoints (disabled_at, endpoint_id)
  where not is_enabled and disabled_reason in ('gone', 'failing') and removed_at is null;
grant select, insert, update on webhook_endpoints to wealth_connect_app;
-- For leasing the endpoints that are due.
grant select on webhook_endpoints to wealth_connect_upkeep;
grant update (lease, lease_until) on webhook_endpoints to wealth_connect_upkeep;
alter table webhook_endpoints enable row level security;
create policy own_tenant on webhook_endpoints to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on webhook_endpoints to wealth_connect_upkeep using (true);
create trigger tenant_is_there before insert on webhook_endpoints for each row execute function tenant_is_there();

-- One row per event and endpoint, however often it is attempted or replayed. The content is in the event log; the delivery goes when its event
-- does.
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
grant select, insert, update on webhook_deliveries to wealth_connect_app;
alter table webhook_deliveries enable row level security;
create policy own_tenant on webhook_deliveries to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

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

-- Whether an endpoint subscribes to an event, by the same rule as `asksFor` of @org/events. A test event goes only to the endpoint it was made
-- for.
create function webhook_asks_for(
  p_types text[], p_labels text[], p_endpoint uuid, p_type text, p_event_labels text[], p_event_endpoints uuid[], p_object text
) returns boolean
language sql immutable
as $$
  select case
    when p_type = 'webhook.test' then p_object = p_endpoint::text
    else p_types && array['*', p_type, split_part(p_type, '.', 1) || '.*']
      and (p_event_labels @> p_labels or p_endpoint = any (p_event_endpoints))
  end
$$;

-- Deletes the labels of a deleted connection from its events and its sessions', in the transaction of the deletion. Each of these events has
-- the endpoints with these labels instead, so that deliveries and replays stay as they were.
create function forget_labels() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Whoever numbers events holds this row, too; otherwise two could wait for each other's events.
  perform from event_counters c where c.tenant_id = new.tenant_id for update;
  update events e
  set labels = '{}', endpoint_ids = array(
    select w.endpoint_id from webhook_endpoints w
    where w.tenant_id = e.tenant_id and w.removed_at is null and w.labels <> '{}' and e.labels @> w.labels
  )
  where e.tenant_id = new.tenant_id and e.labels <> '{}' and e.event_id in (
    select o.event_id from events o where o.tenant_id = new.tenant_id and o.sequence is not null and o.object_id = new.object_id
    union all
    select o.event_id from events o where o.tenant_id = new.tenant_id and o.sequence is null and o.object_id = new.object_id
    union all
    select s.event_id from events s
    where s.tenant_id = new.tenant_id and s.type = 'session.finished' and s.labels <> '{}'
      and s.data ->> 'connection_id' = new.object_id
  );
  return null;
end
$$;
create trigger forget_labels after insert on events
  for each row when (new.type = 'connection.removed') execute function forget_labels();
-- Queues deliveries of a log's events after one sequence number, up to and including another. It first locks the endpoints, always in the
-- same order: a worker that releases an endpoint meanwhile waits, and then sees what was queued.
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
      and webhook_asks_for(w.types, w.labels, w.endpoint_id, e.type, e.labels, e.endpoint_ids, e.object_id)
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

-- Numbers at most `p_limit` events of a log, in the order in which each transaction wrote them, and queues each for the endpoints that
-- subscribe to it, in the same transaction. Returns the type of each. Concurrent calls wait for each other on the counter's lock; the
-- second statement then sees everything committed before the lock was granted, so no event can appear below a number a reader has seen.
-- A log's counter is created only while its tenant exists, and holds the tenant until it is committed. Events that a running transaction
-- still writes for a deleted tenant are deleted when they would be numbered. Each event is found by its whole key: while the table has no
-- statistics, a join would read all events of the log for each new one.
create function sequence_events(p_tenant uuid, p_limit integer) returns setof text
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off
as $$
declare
  installation constant uuid := '00000000-0000-0000-0000-000000000000';
  last bigint;
  numbered bigint;
  waiting record;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'events are numbered in read committed only' using errcode = 'active_sql_transaction';
  end if;
  select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  if not found then
    perform from tenants t where t.tenant_id = p_tenant for key share;
    if not found and p_tenant <> installation then
      delete from events e where e.tenant_id = p_tenant;
      return;
    end if;
    insert into event_counters (tenant_id) values (p_tenant) on conflict do nothing;
    select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  end if;
  numbered := last;
  for waiting in
    select o.event_id, o.type from events o where o.tenant_id = p_tenant and o.sequence is null order by o.written limit p_limit
  loop
    numbered := numbered + 1;
    update events e set sequence = numbered where e.tenant_id = p_tenant and e.event_id = waiting.event_id;
    return next waiting.type;
  end loop;
  if numbered > last then
    update event_counters c set last_sequence = numbered where c.tenant_id = p_tenant;
    perform fan_out_events(p_tenant, last, numbered);
  end if;
end
$$;

-- Numbers the waiting events of one log, or of any log if `p_log` is null: at most `p_logs` logs, at most `p_limit` events each. Logs are
-- taken in a fixed order, so that two calls cannot deadlock. Returns one row per log and type.
create function number_events(p_log uuid, p_logs integer, p_limit integer) returns table (type text, events bigint)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  waiting uuid;
begin
  for waiting in
    select w.tenant_id
    from (
      select distinct e.tenant_id from public.events e
      where e.sequence is null and (p_log is null or e.tenant_id = p_log)
      limit p_logs
    ) w
    order by w.tenant_id
  loop
    return query select numbered.type, count(*) from sequence_events(waiting, p_limit) numbered (type) group by numbered.type;
  end loop;
end
$$;

-- The last sequence number of each log; a log without events has no row.
create function event_heads(p_tenants uuid[]) returns table (tenant_id uuid, last_sequence bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.tenant_id, c.last_sequence from event_counters c where c.tenant_id = any (p_tenants)
$$;

-- Events that wait for their number: how many, counted up to 10,000, and since when.
create function event_backlog() returns table (events bigint, oldest timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*), min(w.created_at) from (select e.created_at from events e where e.sequence is null limit 10000) w
$$;

-- Deletes at most `p_limit` numbered events that were written before `p_before`.
create function reap_events(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select c.tenant_id, found.event_id
    from event_counters c cross join lateral (
      select e.event_id from events e
      where e.tenant_id = c.tenant_id and e.sequence is not null and e.created_at < p_before
      order by e.created_at
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from events e using old where e.tenant_id = old.tenant_id and e.event_id = old.event_id
    returning e.event_id
  )
  select count(*) from gone
$$;

-- Pending deliveries across all tenants; they are counted up to 100,000.
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

-- Deletes at most `p_limit` deliveries of expired events and of removed endpoints, each removed endpoint with the last of its deliveries, and
-- secrets that have expired.
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
    update webhook_endpoints w
    set sealed_earlier_secret = null, earlier_until = null,
      sealed_previous_secret = case when w.previous_until > p_now then w.sealed_previous_secret end,
      previous_until = case when w.previous_until > p_now then w.previous_until end
    where w.removed_at is null and least(w.previous_until, w.earlier_until) <= p_now
  )
  select (select count(*) from gone), (select count(*) from empty)
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function forget_labels, sequence_events, number_events, event_heads, event_backlog, reap_events, webhook_backlog,
  reap_webhooks from public;
grant execute on function forget_labels, sequence_events, number_events, event_heads, event_backlog, reap_events, webhook_backlog,
  reap_webhooks to wealth_connect_upkeep;
