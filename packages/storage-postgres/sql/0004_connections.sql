-- Clients, connections to institutions, the Connect sessions in which customers make them, and when each is refreshed.

-- The clients of a tenant, by its own references. Connections, sessions and letters refer to them, so a new reference reaches all of them.
create table clients (
  tenant_id uuid not null references tenants,
  client_ref text collate "C" not null,
  name text,
  -- Reference and name as `searchKey` of @org/core makes them, which lists are searched by.
  search_key text collate "C" not null,
  created_at timestamptz not null,
  -- What lists are sorted by: the key of the name or, without one, of the reference. An index has no room for more of it.
  name_key text collate "C" not null generated always as (
    left(split_part(search_key, chr(10), case when name is null then 1 else 2 end), 100)
  ) stored,
  primary key (tenant_id, client_ref)
);
create index clients_by_name on clients (tenant_id, name_key, client_ref);
-- A search of one tenant (null = of all) for words: their index finds its rows alone, however many others have the same words.
create function words_of(p_tenant uuid, p_words tsquery) returns tsquery
language sql immutable parallel safe
return case when p_tenant is null then p_words else p_words && concat('''/', p_tenant, '''')::tsquery end;
-- The words of a client's reference and name, and the tenant.
create function client_words(p_tenant uuid, p_search_key text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array['/' || p_tenant])
  || to_tsvector('pg_catalog.simple', translate(p_search_key, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
create index clients_by_words on clients using gin (client_words(tenant_id, search_key));
grant select, insert, update, delete on clients to wealth_connect_app;
alter table clients enable row level security;
create policy own_tenant on clients to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
-- A client's past events have the reference that it has today, and null once it is deleted, pending deliveries too: their content is the event. So
-- a reference that is given anew finds no events of whoever had it before.
create function follow_reference() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Whoever numbers events holds this row, too; otherwise two could wait for each other's events.
  perform from event_counters c where c.tenant_id = old.tenant_id for update;
  update events e set data = jsonb_set(e.data, '{client_ref}', coalesce(to_jsonb(new.client_ref), 'null'))
  where e.tenant_id = old.tenant_id and e.sequence is not null and e.data ->> 'client_ref' = old.client_ref collate "C";
  update events e set data = jsonb_set(e.data, '{client_ref}', coalesce(to_jsonb(new.client_ref), 'null'))
  where e.tenant_id = old.tenant_id and e.sequence is null and e.data ->> 'client_ref' = old.client_ref collate "C";
  return null;
end
$$;
revoke all on function follow_reference from public;
grant execute on function follow_reference to wealth_connect_upkeep;
create trigger follow_reference after update on clients
  for each row when (old.client_ref <> new.client_ref) execute function follow_reference();
create trigger forget_reference after delete on clients for each row execute function follow_reference();
-- Before a client is deleted: takes its reference from at most `p_limit` of its past events, and the label that names a client from its letters and from
-- whatever that label says it is of, with their events, at most `p_limit` letters and as many connections. An event keeps the endpoints that asked
-- for the label, as with `forget_labels`. Returns how many rows it changed: 0 = none is left. What comes after the last call is left to the trigger.
create function forget_client(p_tenant uuid, p_client_ref text, p_label text, p_limit integer) returns integer
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  letter_ids uuid[];
  connection_ids uuid[];
  objects text[];
  event_ids uuid[];
  changed integer;
begin
  letter_ids := array(
    select o.letter_id from (
      select l.letter_id from letter_labels l
      where l.tenant_id = p_tenant and l.key = p_label and l.value = p_client_ref collate "C"
      union
      select l.letter_id from letters l where l.tenant_id = p_tenant and l.client_ref = p_client_ref collate "C" and l.labels ? p_label
    ) o
    limit p_limit
  );
  update letters l set labels = l.labels - p_label, version = l.version + 1
  where l.tenant_id = p_tenant and l.letter_id = any (letter_ids);
  delete from letter_labels l where l.tenant_id = p_tenant and l.letter_id = any (letter_ids) and l.key = p_label;
  with named as (
    select c.connection_id from connections c where c.tenant_id = p_tenant and c.labels ->> p_label = p_client_ref limit p_limit
  ), renamed as (
    update connections c set labels = c.labels - p_label from named
    where c.tenant_id = p_tenant and c.connection_id = named.connection_id
    returning c.connection_id
  )
  select coalesce(array_agg(r.connection_id), '{}') into connection_ids from renamed r;

  -- Whoever numbers events holds this row, too; otherwise two could wait for each other's events.
  perform from event_counters c where c.tenant_id = p_tenant for update;
  event_ids := array(
    select e.event_id from events e
    where e.tenant_id = p_tenant and e.sequence is not null and e.data ->> 'client_ref' = p_client_ref collate "C"
    limit p_limit
  ) || array(
    select e.event_id from events e
    where e.tenant_id = p_tenant and e.sequence is null and e.data ->> 'client_ref' = p_client_ref collate "C"
    limit p_limit
  );
  objects := (letter_ids || connection_ids)::text[];
  if objects <> '{}' then
    event_ids := event_ids || array(
      select e.event_id from events e where e.tenant_id = p_tenant and e.sequence is not null and e.object_id = any (objects)
      union all
      select e.event_id from events e where e.tenant_id = p_tenant and e.sequence is null and e.object_id = any (objects)
      union all
      select e.event_id from events e
      where e.tenant_id = p_tenant and e.type = 'session.finished' and e.labels <> '{}' and e.data ->> 'connection_id' = any (objects)
    );
  end if;
  update events e set
    labels = array(select one from unnest(e.labels) one where not starts_with(one, p_label || '=')),
    endpoint_ids = e.endpoint_ids || array(
      select w.endpoint_id from webhook_endpoints w
      where w.tenant_id = p_tenant and w.removed_at is null and w.labels <> '{}' and e.labels @> w.labels
        and exists (select from unnest(w.labels) one where starts_with(one, p_label || '='))
    ),
    data = case when e.data ->> 'client_ref' = p_client_ref then jsonb_set(e.data, '{client_ref}', 'null') else e.data end
      #- array['labels', p_label]
  where e.tenant_id = p_tenant and e.event_id = any (event_ids);
  get diagnostics changed = row_count;
  return changed + cardinality(letter_ids) + cardinality(connection_ids);
end
$$;
revoke all on function forget_client from public;
grant execute on function forget_client to wealth_connect_upkeep;
create function count_clients() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    update tenant_usage u set clients = u.clients - c.clients
    from (select tenant_id, count(*) as clients from changed group by tenant_id) c where c.tenant_id = u.tenant_id;
  else
    insert into tenant_usage as used (tenant_id, clients) select tenant_id, count(*) from changed group by tenant_id
    on conflict (tenant_id) do update set clients = used.clients + excluded.clients;
  end if;
  return null;
end
$$;
create trigger count_new_clients after insert on clients
  referencing new table as changed for each statement execute function count_clients();
create trigger count_removed_clients after delete on clients
  referencing old table as changed for each statement execute function count_clients();
-- A few clients of a tenant, for a person who types: by reference, of the first p_through that match. The words' index finds
-- them, which row-level security would keep from it, and no more than p_through clients are read.
create function look_up_clients(p_tenant uuid, p_words text, p_through integer, p_limit integer)
returns table (client_ref text, name text)
language plpgsql stable security definer
set search_path = public, pg_temp set jit = off set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
as $$
begin
  return query
    select found.client_ref, found.name
    from (
      select * from clients k
      where k.tenant_id = p_tenant
        and client_words(k.tenant_id, k.search_key) @@ words_of(p_tenant, to_tsquery('pg_catalog.simple', p_words))
      limit p_through
    ) found
    order by found.client_ref
    limit p_limit;
end
$$;
revoke execute on function look_up_clients from public;
grant execute on function look_up_clients to wealth_connect_upkeep;

create table connections (
  tenant_id uuid not null references tenants,
  connection_id uuid not null,
  connector_id text not null,
  bank text not null,
  -- The bank's name in lower case. The application computes it, so that it does not depend on the database's locale.
  bank_key text not null,
  provider text not null,
  labels jsonb not null,
  status jsonb not null,
  pending boolean not null generated always as ((status ->> 'pending')::boolean) stored,
  blocked boolean not null generated always as ((status ->> 'blocked')::boolean) stored,
  -- The rule of `@org/relogin-rule`.
  needs_relogin boolean not null generated always as (
    (status ->> 'blocked')::boolean or coalesce(status ->> 'sca_token', '') <> '' or coalesce(status ->> 'reset_token', '') <> ''
    or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  portfolio_errored boolean not null generated always as (
    (status #>> '{errored,product,portfolio}')::boolean or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  investment_errored boolean not null generated always as (
    (status #>> '{errored,product,investment}')::boolean or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  transaction_errored boolean not null generated always as (
    (status #>> '{errored,transaction,investment}')::boolean or (status #>> '{errored,product,auth}')::boolean
  ) stored,
  -- RFC 3339 in UTC, which sorts as the times do.
  consent_expires_at text collate "C" generated always as (status ->> 'consent_expires_at') stored,
  last_update text collate "C" generated always as (status ->> 'last_update') stored,
  identity_hash text,
  sealed_access text,
  created_at timestamptz not null,
  client_ref text collate "C",
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, client_ref) references clients on update cascade
);
-- One identity has one connection per connector; custodian feeds have no identity.
create unique index connections_identity on connections (tenant_id, connector_id, identity_hash);
create index connections_by_client on connections (tenant_id, client_ref, created_at, connection_id) where client_ref is not null;
create index connections_oldest_first on connections (tenant_id, created_at, connection_id);
-- Few connections have a status to report.
create index connections_to_tell on connections (tenant_id, created_at, connection_id)
  where pending or blocked or needs_relogin or portfolio_errored or investment_errored or transaction_errored;
create index connections_by_consent on connections (tenant_id, consent_expires_at, connection_id);
create index connections_by_age_of_data on connections (tenant_id, last_update, connection_id);
grant select, insert, update, delete on connections to wealth_connect_app;
alter table connections enable row level security;
create policy own_tenant on connections to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- A page of a tenant's connections, oldest first; without one on it a single row with the total. `p_banks` null = all banks, and
-- `p_clients` all clients and none. `p_ready_only`: neither
-- pending nor in need of a login. `p_consent_before` not null: only those that need attention, which a consent that ends before then does too.
-- `accounts` has the first three of each, if asked. It is planned for its filters, so a total without filters reads an index only.
create function list_connections(
  p_tenant uuid, p_banks text[], p_ready_only boolean, p_consent_before text, p_with_accounts boolean, p_offset bigint, p_limit integer,
  p_clients text[]
)
returns table (
  total bigint, accounts jsonb, connection_id uuid, connector_id text, bank text, provider text, labels jsonb, status jsonb, identity_hash text,
  sealed_access text, created_at timestamptz, client_ref text
)
language plpgsql stable
as $$
#variable_conflict use_column
begin
  perform
    set_config('role', 'wealth_connect_app', true),
    set_config('wealth_connect.tenant', p_tenant::text, true),
    set_config('plan_cache_mode', 'force_custom_plan', true);
  return query
    with matching as not materialized (
      select c.* from connections c
      where c.tenant_id = p_tenant and (p_banks is null or c.bank = any (p_banks))
        and (p_clients is null or c.client_ref = any (p_clients))
        and (not p_ready_only or (not c.pending and not c.needs_relogin))
        and (p_consent_before is null or c.connection_id = any (array(
          select t.connection_id from connections t
          where t.tenant_id = p_tenant
            and (t.pending or t.needs_relogin or t.portfolio_errored or t.investment_errored or t.transaction_errored)
          union all
          select e.connection_id from connections e where e.tenant_id = p_tenant and e.consent_expires_at < p_consent_before
        )))
    ), page as materialized (
      select m.* from matching m order by m.created_at, m.connection_id offset p_offset limit p_limit
    )
    select
      counted.total, a.accounts, p.connection_id, p.connector_id, p.bank, p.provider, p.labels, p.status, p.identity_hash, p.sealed_access,
      p.created_at, p.client_ref
    from (select count(*) as total from matching) counted
    left join page p on true
    left join first_accounts(p_tenant, array(select connection_id from page where p_with_accounts)) a on a.connection_id = p.connection_id
    order by p.created_at, p.connection_id;
end
$$;

create function bank_names(p_tenant uuid) returns setof text
language plpgsql stable
as $$
begin
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  return query select distinct c.bank from connections c where c.tenant_id = p_tenant;
end
$$;

create table sessions (
  tenant_id uuid not null references tenants,
  session_id uuid not null,
  application_id text not null,
  status text not null,
  error_code text,
  connector_id text,
  connection_id uuid,
  relogin boolean not null,
  connector_filter jsonb,
  redirect_url text,
  labels jsonb not null,
  language text not null,
  privacy_notice text,
  link_hash text not null,
  sealed_link text,
  owner_hash text,
  challenge jsonb,
  sealed_state text,
  attempts integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  version integer not null,
  finished boolean not null generated always as (starts_with(status, 'Finished:')) stored,
  -- When the bank may next be polled for a pending challenge. A server polls only after it has moved this time on, so two never poll at once.
  look_after timestamptz,
  -- Until when a server works on this session's login. The server keeps extending it; if the server is killed, the time passes.
  working_until timestamptz,
  -- Shown to the customer in addition to the error code.
  remark text,
  -- Whether the program asked for a language or left it to the browser.
  language_given boolean,
  -- For the return from a bank's own page: SHA-256 (hex) of the state parameter that leads to the session.
  callback_hash text collate "C",
  -- How often the customer has restarted the login.
  restarts integer not null default 0,
  -- What the bank asks during a login, sealed because its text may name accounts. `challenge` holds its kind.
  sealed_challenge text,
  -- Bytes of what the program sent with the session; 0 once it has ended. `sessionBytes` of core computes it.
  session_bytes integer not null default 0,
  -- When its link was opened first.
  opened_at timestamptz,
  client_ref text collate "C",
  -- What logins have made at institutions and no connection has. A server that revokes it once the session has ended moves `look_after` on.
  sealed_accesses text,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, client_ref) references clients on update cascade
);

-- An ended session, kept for 30 days, needs nothing of free size but the URL to return to. Its event has the labels.
create function clear_ended_session() returns trigger
language plpgsql
as $$
begin
  -- Offers no bank. Null would mean that the program had chosen the bank.
  if new.connector_filter is not null then
    new.connector_filter := '{"rules": [{"action": "exclude", "field": "connector_id", "value": "*"}]}';
  end if;
  new.labels := '{}';
  new.privacy_notice := null;
  new.session_bytes := 0;
  return new;
end
$$;
create trigger clear_ended_session before update of status on sessions
  for each row when (starts_with(new.status, 'Finished:')) execute function clear_ended_session();
create index sessions_by_client on sessions (tenant_id, client_ref) where client_ref is not null;
create index sessions_of_connection on sessions (tenant_id, connection_id) where connection_id is not null;
create index sessions_to_expire on sessions (tenant_id, expires_at) where not finished;
create index sessions_to_reap on sessions (tenant_id, updated_at) where finished;
create index sessions_worked_on on sessions (tenant_id, working_until) where working_until is not null;
create index sessions_by_callback on sessions (callback_hash) where callback_hash is not null;
create index sessions_to_poll on sessions (tenant_id, look_after) where status = 'Waiting:Challenge' and look_after is not null;
create index sessions_with_accesses on sessions (tenant_id, session_id) where sealed_accesses is not null;
grant select, insert, update, delete on sessions to wealth_connect_app;
alter table sessions enable row level security;
create policy own_tenant on sessions to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Maps the secret of a widget link (SHA-256, hex) to its session.
create table session_links (
  link_hash text collate "C" primary key,
  tenant_id uuid not null,
  session_id uuid not null
);
grant select, insert, delete on session_links to wealth_connect_app;
grant select on session_links to wealth_connect_upkeep;
alter table session_links enable row level security;
create policy own_tenant on session_links to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on session_links to wealth_connect_upkeep using (true);

-- A tenant's open Connect sessions and when the first of them ends. Other callers for this tenant wait until the transaction ends.
create function open_sessions_used(p_tenant uuid, p_at timestamptz)
returns table (open_sessions bigint, first_ends timestamptz, session_bytes bigint)
language plpgsql
as $$
begin
  insert into tenant_usage (tenant_id) values (p_tenant) on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = p_tenant for update;
  return query
    select count(*), min(s.expires_at), coalesce(sum(s.session_bytes), 0)::bigint from sessions s
    where s.tenant_id = p_tenant and not s.finished and s.expires_at > p_at;
end
$$;

-- A customer who returns from a bank's page presents nothing but the state. Returns ids only, as for session links.
create function session_by_callback(p_callback_hash text) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id from sessions s where s.callback_hash = p_callback_hash
$$;

-- Sessions of all tenants whose server has stopped extending `working_until`. Ids only: the clean-up role need not see the sessions.
create function cut_off_logins(p_now timestamptz, p_limit integer) returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id from sessions c
    where c.tenant_id = t.tenant_id and c.working_until <= p_now and starts_with(c.status, 'Processing:') and c.expires_at > p_now
    limit p_limit
  ) s
  limit p_limit
$$;

-- Sessions of all tenants whose challenge could have been polled since `p_before` and was not, because no browser has the page open.
create function unpolled_challenges(p_before timestamptz, p_now timestamptz, p_limit integer)
returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id, c.look_after from sessions c
    where c.tenant_id = t.tenant_id and c.status = 'Waiting:Challenge' and c.look_after <= p_before and c.expires_at > p_now
    order by c.look_after
    limit p_limit
  ) s
  order by s.look_after
  limit p_limit
$$;

-- Ended sessions of all tenants that keep accesses which may be revoked now. No server has worked on them since `p_idle_since`.
create function saved_accesses(p_now timestamptz, p_idle_since timestamptz, p_limit integer)
returns table (tenant_id uuid, session_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.session_id
  from tenants t cross join lateral (
    select c.tenant_id, c.session_id from sessions c
    where c.tenant_id = t.tenant_id and c.sealed_accesses is not null and c.finished
      and (c.look_after is null or c.look_after <= p_now) and (c.working_until is null or c.working_until <= p_idle_since)
    limit p_limit
  ) s
  limit p_limit
$$;

-- This and every other clean-up looks for expired rows tenant by tenant, since every index starts with the tenant, and changes at most
-- `p_limit` rows. Each expired session gets an event.
create function expire_sessions(p_now timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with late as (
    select t.tenant_id, found.session_id, found.labels
    from tenants t cross join lateral (
      select c.session_id, c.labels from sessions c
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
    returning s.tenant_id, s.session_id, s.connection_id, s.client_ref, late.labels
  ), told as (
    insert into events (tenant_id, type, object_id, labels, data)
    select e.tenant_id, 'session.finished', e.session_id,
      array(select l.key || '=' || l.value from jsonb_each_text(e.labels) l),
      jsonb_build_object(
        'session_id', e.session_id, 'status', 'Finished:Expired', 'error_code', 'SessionExpired', 'connection_id', e.connection_id,
        'client_ref', e.client_ref
      )
    from expired e
  )
  select count(*) from expired
$$;

create function reap_sessions(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.session_id
    from tenants t cross join lateral (
      select c.session_id from sessions c
      where c.tenant_id = t.tenant_id and c.finished and c.updated_at < p_before
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from sessions s using old
    where s.tenant_id = old.tenant_id and s.session_id = old.session_id
    returning s.link_hash
  ), links as (
    delete from session_links l using gone where l.link_hash = gone.link_hash
  )
  select count(*) from gone
$$;

-- When each bank connection is refreshed, and by which worker now. Custodian feeds have no row: their files cannot be requested.
create table connection_refreshes (
  tenant_id uuid not null,
  connection_id uuid not null,
  -- When the connection is next refreshed; while a lease is held: when the lease ends. Null = not until the customer logs in again.
  due_at timestamptz,
  lease uuid,
  failures integer not null default 0,
  attempted_at timestamptz,
  outcome text,
  -- State that a refresh keeps between two fetches: what the institution is preparing, and since when.
  sealed_pending text,
  pending_since timestamptz,
  -- The keyed hashes by which an institution's notification identifies the connection, and when the last notification came.
  user_hash text collate "C",
  reference_hash text collate "C",
  notified_at timestamptz,
  -- When the customer's consent expires.
  consent_expires_at timestamptz,
  -- So that workers can divide their capacity among connectors.
  connector_id text not null,
  -- How many leases in a row expired because their worker died.
  lost_leases integer not null default 0,
  -- The consent expiry that was last announced, and how many days ahead.
  consent_told_end timestamptz,
  consent_told_days smallint,
  primary key (tenant_id, connection_id),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);
-- Every few seconds, workers query what is due in the whole installation.
create index connection_refreshes_due on connection_refreshes (due_at) where due_at is not null;
create index connection_refreshes_waiting on connection_refreshes (tenant_id) where due_at is null;
create index connection_refreshes_of_user on connection_refreshes (user_hash) where user_hash is not null;
create index connection_refreshes_of_reference on connection_refreshes (reference_hash) where reference_hash is not null;
create index connection_refreshes_by_consent on connection_refreshes (consent_expires_at) where due_at is not null and consent_expires_at is not null;
create index connection_refreshes_relogin on connection_refreshes (attempted_at, connection_id)
  where due_at is null and outcome is distinct from 'already_exists';
grant select, insert, update, delete on connection_refreshes to wealth_connect_app;
-- Workers across tenants see ids and times only.
grant
  select (
    tenant_id, connection_id, due_at, lease, attempted_at, outcome, consent_expires_at, connector_id, lost_leases, consent_told_end,
    consent_told_days
  ),
  update (due_at, lease, attempted_at, outcome, lost_leases)
  on connection_refreshes to wealth_connect_upkeep;
alter table connection_refreshes enable row level security;
create policy own_tenant on connection_refreshes to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on connection_refreshes to wealth_connect_upkeep using (true);

-- Makes the connections that an institution's notification names due now, but not earlier than `p_pause` after their last attempt. The due
-- time stays as it is for one that is being refreshed now, that its institution has throttled, or whose servers died on it repeatedly. One that
-- waits for its customer is tried once, since the customer may have logged in at the institution; one whose data another connection has is not
-- touched. `p_tenant` null = all tenants; a notification of the installation's provider does not apply to the tenants in `p_except`. Returns
-- how many of the named connections can be refreshed.
create function expedite_refreshes(
  p_user_hashes text[], p_reference_hashes text[], p_tenant uuid, p_except uuid[], p_now timestamptz, p_pause interval
) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with named as (
    select r.tenant_id, r.connection_id from unnest(p_user_hashes) h (hash) join connection_refreshes r on r.user_hash = h.hash
    union
    select r.tenant_id, r.connection_id from unnest(p_reference_hashes) h (hash) join connection_refreshes r on r.reference_hash = h.hash
  ), found as (
    select r.tenant_id, r.connection_id
    from named n join connection_refreshes r on r.tenant_id = n.tenant_id and r.connection_id = n.connection_id
    where (r.due_at is not null or r.outcome is distinct from 'already_exists')
      and (p_tenant is null or r.tenant_id = p_tenant) and r.tenant_id <> all (p_except)
    order by r.tenant_id, r.connection_id
    for update of r
  ), told as (
    update connection_refreshes r
    set notified_at = p_now,
      due_at = case
        when r.lease is not null and r.due_at > p_now then r.due_at
        when r.outcome = 'throttled' or r.lost_leases > 1 then r.due_at
        else least(r.due_at, greatest(p_now, r.attempted_at + p_pause))
      end
    from found f
    where r.tenant_id = f.tenant_id and r.connection_id = f.connection_id
    returning r.connection_id
  )
  select count(*) from told
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function session_by_callback, cut_off_logins, unpolled_challenges, saved_accesses, expire_sessions, reap_sessions,
  expedite_refreshes from public;
grant execute on function session_by_callback, cut_off_logins, unpolled_challenges, saved_accesses, expire_sessions, reap_sessions,
  expedite_refreshes to wealth_connect_upkeep;
