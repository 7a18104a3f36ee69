-- PGP keys (docs/feed-sources.md). The installation's own open files, and their private halves are sealed; custodians' verify signatures.
-- They are the installation's, as sources and connectors are.
create table feed_keys (
  kind text collate "C" not null check (kind in ('own', 'connector', 'source')),
  -- The connector's id or the source's name; empty of own keys.
  owner text collate "C" not null check ((kind = 'own') = (owner = '')),
  fingerprint text collate "C" not null,
  key_ids text[] not null,
  user_ids text[] not null,
  algorithm text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  public_key text not null,
  sealed_private_key text check ((kind = 'own') = (sealed_private_key is not null)),
  added_at timestamptz not null,
  primary key (kind, owner, fingerprint)
);

-- Whose files are taken only when they are signed.
create table feed_signing_rules (
  kind text collate "C" not null check (kind in ('connector', 'source')),
  owner text collate "C" not null,
  must_be_signed boolean not null,
  changed_at timestamptz not null,
  primary key (kind, owner)
);

grant select, insert, update, delete on feed_keys, feed_signing_rules to wealth_connect_upkeep;
-- For sealing them again under another key.
grant select, update on feed_keys to wealth_connect_auth;

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
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
