-- Providers: their settings, the rate limits of calls to them, and how well they work.

-- Sealed provider settings: the installation's, and those with which a tenant replaces them.
create table installation_provider_settings (
  provider text collate "C" primary key,
  sealed_settings text not null,
  changed_at timestamptz not null
);
grant select, insert, update, delete on installation_provider_settings to wealth_connect_upkeep;
-- For resealing under another key.
grant select, update on installation_provider_settings to wealth_connect_auth;

create table tenant_provider_settings (
  tenant_id uuid not null references tenants on delete cascade,
  provider text collate "C" not null,
  sealed_settings text not null,
  changed_at timestamptz not null,
  primary key (tenant_id, provider)
);
-- For resealing under another key.
grant select, update on tenant_provider_settings to wealth_connect_app;
grant select, insert, update, delete on tenant_provider_settings to wealth_connect_upkeep;
alter table tenant_provider_settings enable row level security;
create policy own_tenant on tenant_provider_settings to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenant_provider_settings to wealth_connect_upkeep using (true);

-- One row: counts the changes of any provider settings, so that servers need to query only this number. Resealing does not count as a change.
create table provider_changes (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0
);
insert into provider_changes default values;
grant select on provider_changes to public;
grant update on provider_changes to wealth_connect_upkeep;

create function count_provider_change() returns trigger
language plpgsql
as $$
begin
  update provider_changes set revision = revision + 1;
  return null;
end
$$;
create trigger count_change after insert or update of changed_at or delete on installation_provider_settings
  for each statement execute function count_provider_change();
create trigger count_change after insert or update of changed_at or delete on tenant_provider_settings
  for each statement execute function count_provider_change();

-- The times of past and planned calls to institutions, in milliseconds since 1970, in order, for each key that limits them (a keyed hash).
-- Rows of keys that were not used for a day are deleted as other keys are used.
create table provider_slots (
  slot_key text collate "C" primary key,
  turns bigint[] not null default '{}',
  last_at timestamptz not null default now()
);
create index provider_slots_by_age on provider_slots (last_at);
grant select, insert, update, delete on provider_slots to wealth_connect_upkeep;

-- Reserves the next time that respects all limits (at most p_calls[i] calls in any window of p_every[i] milliseconds), unless it is more than
-- p_longest away; wait_ms says how far away it is. The database's clock decides, so that all servers agree.
create function take_provider_slot(p_key text, p_every bigint[], p_calls integer[], p_longest bigint)
returns table (granted boolean, wait_ms bigint)
language plpgsql
as $$
declare
  known bigint[];
  now_ms bigint;
  turn bigint;
  kept integer := (select max(c) from unnest(p_calls) c);
begin
  delete from provider_slots where slot_key in (
    select t.slot_key from provider_slots t where t.last_at < now() - interval '1 day' order by t.last_at limit 2 for update skip locked);
  insert into provider_slots (slot_key) values (p_key) on conflict do nothing;
  select t.turns into known from provider_slots t where t.slot_key = p_key for update;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  turn := now_ms;
  for i in 1 .. cardinality(p_every) loop
    if cardinality(known) >= p_calls[i] then
      turn := greatest(turn, known[cardinality(known) - p_calls[i] + 1] + p_every[i]);
    end if;
  end loop;
  if turn - now_ms <= p_longest then
    -- With wider limits than those of turns in the future, this one may be before them.
    known := array(select t from unnest(known || turn) t order by t);
    update provider_slots t
    set turns = known[greatest(1, cardinality(known) - kept + 1):], last_at = to_timestamp(turn / 1000.0)
    where t.slot_key = p_key;
  end if;
  return query select turn - now_ms <= p_longest, turn - now_ms;
end
$$;

-- Connectors whose circuit is open on some server, and when a server last reported it. Rows with the tenant id of zeros belong to the
-- installation, whose provider settings apply to every tenant without its own.
create table provider_circuits (
  tenant_id uuid not null,
  connector_id text collate "C" not null,
  provider text not null,
  seen_at timestamptz not null,
  opened_at timestamptz not null default now(),
  primary key (tenant_id, connector_id)
);
grant select, insert, update, delete on provider_circuits to wealth_connect_upkeep;
alter table provider_circuits enable row level security;
create policy all_tenants on provider_circuits to wealth_connect_upkeep using (true);
create trigger tenant_is_there before insert on provider_circuits for each row execute function tenant_is_there();

create function forget_circuits() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from provider_circuits where tenant_id = old.tenant_id;
  return null;
end
$$;
create trigger forget_circuits after delete on tenants for each row execute function forget_circuits();

-- Outcomes of logins and refreshes by hour and institution; every server adds its own every few seconds. `customer` counts those that failed
-- because of something the customer did wrong or has to do.
create table institution_outcomes (
  hour timestamptz not null,
  connector_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('login', 'refresh')),
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  customer bigint not null default 0,
  primary key (hour, connector_id, kind)
);
grant select, insert, update, delete on institution_outcomes to wealth_connect_upkeep;

-- These work across all tenants: only upkeep may call them.
revoke all on function forget_circuits from public;
grant execute on function forget_circuits to wealth_connect_upkeep;
