-- What happens to tenants, written in the transaction that makes it happen. Numbers come a moment later (docs/decisions/event-sequence.md).
create sequence event_writes;
grant usage on sequence event_writes to wealth_connect_app;

-- A UUIDv7 (RFC 9562) of this moment.
create function new_event_id() returns uuid
language sql volatile
as $$
  select encode(
    -- The version's 4 becomes a 7.
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

-- The installation's own events stand under the tenant id of zeros, for which there is no tenant.
create table events (
  tenant_id uuid not null,
  event_id uuid not null default new_event_id(),
  -- Null until it is numbered; nobody is shown it before.
  sequence bigint,
  type text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  object_id text collate "C" not null,
  -- All labels of the object, key=value each.
  labels text[] not null default '{}',
  data jsonb not null,
  -- In which order events of one transaction were written.
  written bigint not null default nextval('event_writes'),
  primary key (tenant_id, event_id)
);
-- What an insert has to keep up is the key and this one; the others take up an event when it is numbered.
create index events_unnumbered on events (tenant_id, written) where sequence is null;
create unique index events_by_sequence on events (tenant_id, sequence) where sequence is not null;
create index events_by_type on events (tenant_id, type, sequence) where sequence is not null;
create index events_by_object on events (tenant_id, object_id, sequence) where sequence is not null;
create index events_by_time on events (tenant_id, created_at, sequence) where sequence is not null;

-- The last number given in each log.
create table event_counters (
  tenant_id uuid primary key,
  last_sequence bigint not null default 0
);

grant select, insert on events to wealth_connect_app;
alter table events enable row level security;
create policy own_tenant on events to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
-- What operators are told of a tenant's mail or provider is written in the tenant's transaction. Writing is all that this allows.
create policy installation_log on events for insert to wealth_connect_app
  with check (tenant_id = '00000000-0000-0000-0000-000000000000');
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

-- Numbers at most so many events of a log, those of a transaction in the order in which they were written. Returns how many. Of several at
-- once each waits for the one before: the second statement sees everything that was committed by the time the lock was there, so that
-- nothing can come below a number that somebody was shown.
create function sequence_events(p_tenant uuid, p_limit integer) returns bigint
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
  end if;
  return numbered;
end
$$;

-- Numbers what waits in one log, or with null in any: of at most so many logs, at most so many events each. Logs in one order, so that
-- two cannot deadlock. Returns what was numbered, a row for each log and type.
create function number_events(p_log uuid, p_logs integer, p_limit integer) returns table (type text, events bigint)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  waiting uuid;
  numbered bigint;
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
    numbered := sequence_events(waiting, p_limit);
    return query
      select e.type::text, count(*)
      from public.events e join event_counters c on c.tenant_id = e.tenant_id
      where e.tenant_id = waiting and e.sequence > c.last_sequence - numbered
      group by e.type;
  end loop;
end
$$;

-- The last numbers of logs; of one in which nothing has happened there is none.
create function event_heads(p_tenants uuid[]) returns table (tenant_id uuid, last_sequence bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.tenant_id, c.last_sequence from event_counters c where c.tenant_id = any (p_tenants)
$$;

-- What waits for its number: how many, counted up to 10,000, and since when.
create function event_backlog() returns table (events bigint, oldest timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select count(*), min(w.created_at) from (select e.created_at from events e where e.sequence is null limit 10000) w
$$;

-- Deletes at most so many events that were written before a moment and have their number.
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

revoke all on function sequence_events, number_events, event_heads, event_backlog, reap_events from public;
grant execute on function sequence_events, number_events, event_heads, event_backlog, reap_events
  to wealth_connect_upkeep;
