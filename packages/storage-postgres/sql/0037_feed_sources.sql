-- Where files of custodians come from. Sources are the installation's: which tenant a file is for is known when it was read.
create table feed_sources (
  source text collate "C" primary key,
  kind text collate "C" not null check (kind in ('sftp', 'push')),
  sealed_settings text not null,
  is_enabled boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempted_at timestamptz,
  succeeded_at timestamptz,
  failures integer not null default 0,
  last_error text
);

-- Rules: what is for which letter or connection.
create table feed_routes (
  route_id uuid primary key,
  source text collate "C" not null references feed_sources on delete cascade,
  rule jsonb not null,
  created_at timestamptz not null
);
create index feed_routes_of_source on feed_routes (source, created_at, route_id);

-- With what custodians send; the tokens themselves are nowhere.
create table feed_tokens (
  token_id uuid primary key,
  source text collate "C" not null references feed_sources on delete cascade,
  name text not null,
  token_hash text collate "C" not null unique,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index feed_tokens_of_source on feed_tokens (source, created_at, token_id);

-- What came, once for each name and hash.
create table feed_source_files (
  file_id uuid primary key,
  source text collate "C" not null references feed_sources on delete cascade,
  name text not null,
  size bigint not null,
  sha256 text collate "C" not null,
  modified_at timestamptz,
  state text collate "C" not null check (state in ('taken', 'held', 'dropped', 'expired')),
  came_at timestamptz not null,
  settled_at timestamptz not null,
  -- When it was last found at the custodian's; files that nobody sees any more are forgotten.
  seen_at timestamptz not null,
  unique (source, name, size, sha256)
);
create index feed_source_files_newest_first on feed_source_files (came_at desc, file_id desc);
create index feed_source_files_by_name on feed_source_files (source, name, came_at desc);
create index feed_source_files_to_forget on feed_source_files (seen_at) where state <> 'held';

-- What waits for an operator: the bytes, and what is open about them, sealed.
create table feed_held (
  file_id uuid primary key references feed_source_files on delete cascade,
  sealed_key text not null,
  ciphertext bytea not null,
  bytes bigint not null,
  sealed_findings text not null,
  held_until timestamptz not null
);
create index feed_held_by_end on feed_held (held_until);

grant select, insert, update, delete on feed_sources, feed_routes, feed_tokens, feed_source_files, feed_held to wealth_connect_upkeep;
-- For sealing them again under another key.
grant select, update on feed_sources, feed_held to wealth_connect_auth;

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
