-- The audit trail, as a hash chain.

-- Every line is numbered as it is written; a job later chains committed lines in the order of their numbers. Writers do not wait for each other:
-- a sequence orders the lines, and chaining them comes later.
create sequence audit_log_numbers;
grant usage on sequence audit_log_numbers to wealth_connect_app, wealth_connect_upkeep;

-- Who did what to which object, ids only. Nobody may change or delete a line.
create table audit_log (
  -- Null = the installation's own lines, about operators' applications or unknown clients. Row-level security shows them to no tenant, since
  -- null
  -- equals nothing.
  tenant_id uuid,
  audit_id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  trace_id text,
  address text,
  facts jsonb not null,
  -- A line without a number gets one from the job that chains lines.
  line_number bigint default nextval('audit_log_numbers'),
  -- The time comes first, so that the table can be partitioned by it.
  primary key (at, audit_id)
);
create index audit_log_of_tenant on audit_log (tenant_id, at, audit_id);
-- Only ever looked up whole; a hash takes a fifth of the room that the text would take.
create index audit_log_by_trace on audit_log using hash (trace_id);
create index audit_log_by_number on audit_log (line_number) where line_number is not null;
create index audit_log_unnumbered on audit_log (at, audit_id) where line_number is null;
grant select, insert on audit_log to wealth_connect_app, wealth_connect_upkeep;
alter table audit_log enable row level security;
create policy own_tenant on audit_log to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on audit_log to wealth_connect_upkeep using (true);

-- One row per place in the chain. When a refusal is deleted after its retention, the hash of its content stays here.
create table audit_chain (
  sequence bigint primary key,
  line_number bigint not null,
  audit_id uuid not null,
  hash bytea not null,
  refused_at timestamptz,
  content_hash bytea,
  sealed_at timestamptz not null
);
create index audit_chain_by_number on audit_chain (line_number);
create index audit_chain_of_refusals on audit_chain (refused_at) where refused_at is not null and content_hash is null;
grant select on audit_chain to wealth_connect_upkeep;

-- All lines up to `settled` are committed; those up to `awaited` will be once the transactions in `writers` are over.
create table audit_sealing (
  only_row boolean primary key default true check (only_row),
  settled bigint not null,
  awaited bigint not null,
  writers text[] not null
);
insert into audit_sealing (settled, awaited, writers) values (0, 0, '{}');

-- The text of a line that is hashed, the same as contentHash of core's audit-chain.ts builds in JavaScript.
create function audit_line_text(l audit_log) returns text
language sql stable
as $$
  select '["' || l.audit_id || '",' || coalesce('"' || l.tenant_id || '"', 'null')
    || ',"' || to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '",' || to_json(l.actor)
    || ',' || to_json(l.action) || ',' || to_json(l.object_type) || ',' || to_json(l.object_id)
    || ',' || coalesce(to_json(l.trace_id)::text, 'null') || ',' || coalesce(to_json(l.address)::text, 'null')
    || ',[' || coalesce((
      select string_agg('[' || to_json(f.key) || ',' || f.value || ']', ',' order by f.key collate "C")
      from jsonb_each(l.facts) f
    ), '') || ']]'
$$;

-- The hash of a place in the chain, computed from the previous one like linkHash of audit-chain.ts does.
create function audit_link(p_previous bytea, p_sequence bigint, p_refused_at timestamptz, p_content bytea) returns bytea
language sql stable
as $$
  select sha256(convert_to(
    encode(p_previous, 'hex') || ' ' || p_sequence
      || ' ' || coalesce(to_char(p_refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '-')
      || ' ' || encode(p_content, 'hex'),
    'UTF8'
  ))
$$;

-- Chains at most `p_limit` lines and returns how many. Lines are taken in the order of their numbers, up to a number below which no transaction
-- can still be writing: every transaction that held a writer's lock on the table when that number was the newest is over. CREATE INDEX
-- CONCURRENTLY waits the same way. (Transaction ids would not do: they count transactions of other databases too, and a promoted standby may
-- assign them again.)
create function seal_audit_log(p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  -- The same for every server of this database; upkeep uses the number before it.
  sealing_lock constant bigint := 7304551905;
  last_place audit_chain;
  state audit_sealing;
  newest bigint;
  writing text[];
  line audit_log;
  place bigint;
  link bytea;
  refused timestamptz;
begin
  if not pg_try_advisory_xact_lock(sealing_lock) then
    return 0;
  end if;
  if exists (select from audit_log where line_number is null) then
    update audit_log l set line_number = numbered.line_number
    from (
      select u.at, u.audit_id, nextval('audit_log_numbers') as line_number
      from (
        select o.at, o.audit_id from audit_log o where o.line_number is null order by o.at, o.audit_id limit p_limit
      ) u
    ) numbered
    where l.at = numbered.at and l.audit_id = numbered.audit_id and l.line_number is null;
  end if;

  select * into last_place from audit_chain order by sequence desc limit 1;
  select * into state from audit_sealing;
  -- A number that was not drawn from the sequence must not hold up the chain.
  select least((select max(l.line_number) from audit_log l), s.last_value) into newest from audit_log_numbers s;
  if newest is null or newest <= coalesce(last_place.line_number, 0) then
    return 0;
  end if;
  -- Read after the newest number: a transaction that drew a lower number holds the lock now or is over.
  writing := array(
    select k.virtualtransaction from pg_locks k
    where k.locktype = 'relation' and k.relation = 'audit_log'::regclass and k.granted
      and k.database = (select d.oid from pg_database d where d.datname = current_database())
      and k.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and k.pid is distinct from pg_backend_pid()
  );
  if cardinality(writing) = 0 then
    update audit_sealing set settled = newest, awaited = newest, writers = '{}' returning * into state;
  elsif not state.writers && writing then
    update audit_sealing set settled = state.awaited, awaited = newest, writers = writing returning * into state;
  end if;

  place := coalesce(last_place.sequence, 0);
  link := coalesce(last_place.hash, decode(repeat('00', 32), 'hex'));
  for line in
    select l.* from audit_log l
    where l.line_number > coalesce(last_place.line_number, 0) and l.line_number <= state.settled
    order by l.line_number
    limit p_limit
  loop
    place := place + 1;
    refused := case when line.actor = 'unknown' and line.action like '%.refused'
      or line.action in ('request.failed', 'request.left_out') then line.at end;
    link := audit_link(link, place, refused, sha256(convert_to(audit_line_text(line), 'UTF8')));
    insert into audit_chain (sequence, line_number, audit_id, hash, refused_at, sealed_at)
    values (place, line.line_number, line.audit_id, link, refused, clock_timestamp());
  end loop;
  return place - coalesce(last_place.sequence, 0);
end
$$;

-- Deletes at most `p_limit` chained refusals and failed requests older than `p_before` and than one day; the hash of their content stays. Nobody can delete anything
-- else from the trail, and this function nothing younger.
create function erase_refusals(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select c.sequence, c.refused_at, c.audit_id from audit_chain c
    where c.refused_at < least(p_before, now() - interval '1 day') and c.content_hash is null
    order by c.refused_at
    limit p_limit
    for update
  ), gone as (
    delete from audit_log l using old
    where l.at = old.refused_at and l.audit_id = old.audit_id
    returning l.audit_id, sha256(convert_to(audit_line_text(l), 'UTF8')) as content_hash
  ), left_over as (
    -- Empty if the line was already gone: someone else removed it, and the chain cannot prove that this was legitimate.
    update audit_chain c set content_hash = coalesce(gone.content_hash, '')
    from old left join gone using (audit_id)
    where c.sequence = old.sequence
    returning c.sequence
  )
  select count(*) from left_over
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function seal_audit_log, erase_refusals from public;
grant execute on function seal_audit_log, erase_refusals to wealth_connect_upkeep;
