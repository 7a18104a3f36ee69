-- The provider's own name for a connector. Servers of the version before neither read nor write it.
alter table connectors add column provider_ref text;

-- Settings of providers: the installation's, and those that tenants have instead, sealed.
create table installation_provider_settings (
  provider text collate "C" primary key,
  sealed_settings text not null,
  changed_at timestamptz not null
);
create table tenant_provider_settings (
  tenant_id uuid not null references tenants on delete cascade,
  provider text collate "C" not null,
  sealed_settings text not null,
  changed_at timestamptz not null,
  primary key (tenant_id, provider)
);
-- One row: how often any of them has changed, so that servers ask for no more than this. Sealing them again is no change.
create table provider_changes (
  only_row boolean primary key default true check (only_row),
  revision bigint not null default 0
);
insert into provider_changes default values;

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

grant select, insert, update, delete on installation_provider_settings, tenant_provider_settings to wealth_connect_upkeep;
-- For sealing them again under another key.
grant select, update on installation_provider_settings to wealth_connect_auth;
grant select, update on tenant_provider_settings to wealth_connect_app;
grant select on provider_changes to public;
grant update on provider_changes to wealth_connect_upkeep;
alter table tenant_provider_settings enable row level security;
create policy own_tenant on tenant_provider_settings to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on tenant_provider_settings to wealth_connect_upkeep using (true);

-- When calls to institutions are made or will be, in milliseconds since 1970, by what they are limited by (a keyed hash): the last ones,
-- in order. Those of nobody who called for a day go as others come.
create table provider_turns (
  turn_key text collate "C" primary key,
  turns bigint[] not null default '{}',
  last_at timestamptz not null default now()
);
create index provider_turns_by_age on provider_turns (last_at);
grant select, insert, update, delete on provider_turns to wealth_connect_upkeep;

-- Takes the next turn that keeps to all limits (so many calls in any window of so many milliseconds), if it is not further away than
-- p_longest; wait_ms says how far away it is. By the database's clock, so that it is one for all servers.
create function take_provider_turn(p_key text, p_every bigint[], p_calls integer[], p_longest bigint)
returns table (granted boolean, wait_ms bigint)
language plpgsql
as $$
declare
  known bigint[];
  now_ms bigint;
  turn bigint;
  kept integer := (select max(c) from unnest(p_calls) c);
begin
  delete from provider_turns where turn_key in (
    select t.turn_key from provider_turns t where t.last_at < now() - interval '1 day' order by t.last_at limit 2 for update skip locked);
  insert into provider_turns (turn_key) values (p_key) on conflict do nothing;
  select t.turns into known from provider_turns t where t.turn_key = p_key for update;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  turn := now_ms;
  for i in 1 .. cardinality(p_every) loop
    if cardinality(known) >= p_calls[i] then
      turn := greatest(turn, known[cardinality(known) - p_calls[i] + 1] + p_every[i]);
    end if;
  end loop;
  if turn - now_ms <= p_longest then
    known := known || turn;
    update provider_turns t
    set turns = known[greatest(1, cardinality(known) - kept + 1):], last_at = to_timestamp(turn / 1000.0)
    where t.turn_key = p_key;
  end if;
  return query select turn - now_ms <= p_longest, turn - now_ms;
end
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
    union all select 'tenant_provider_settings.sealed_settings', sealed_settings from tenant_provider_settings
    union all select 'connections.sealed_access', sealed_access from connections
    union all select 'sessions.sealed_link', sealed_link from sessions
    union all select 'sessions.sealed_state', sealed_state from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
