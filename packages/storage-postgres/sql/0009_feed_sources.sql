-- Sources of custodians' files. They belong to the installation: the tenant a file is for is known only after reading it.
create table feed_sources (
  source text collate "C" primary key,
  kind text collate "C" not null check (kind in ('sftp', 'push', 'folder')),
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
grant select, insert, update, delete on feed_sources to wealth_connect_upkeep;
-- For resealing under another key.
grant select, update on feed_sources to wealth_connect_auth;

-- Routing rules: which files are for which letter or connection.
create table feed_routes (
  route_id uuid primary key,
  source text collate "C" not null references feed_sources on delete cascade,
  rule jsonb not null,
  created_at timestamptz not null
);
create index feed_routes_of_source on feed_routes (source, created_at, route_id);
grant select, insert, update, delete on feed_routes to wealth_connect_upkeep;

-- The tokens with which custodians upload; the tokens themselves are not stored.
create table feed_tokens (
  token_id uuid primary key,
  source text collate "C" not null references feed_sources on delete cascade,
  name text not null,
  token_hash text collate "C" not null unique,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index feed_tokens_of_source on feed_tokens (source, created_at, token_id);
grant select, insert, update, delete on feed_tokens to wealth_connect_upkeep;

-- Received files, once for each name and hash.
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
  -- When the file was last seen at the custodian's. Files that are no longer seen are deleted here.
  seen_at timestamptz not null,
  unique (source, name, size, sha256)
);
create index feed_source_files_newest_first on feed_source_files (came_at desc, file_id desc);
create index feed_source_files_of_source on feed_source_files (source, came_at, file_id);
create index feed_source_files_by_name on feed_source_files (source, name, came_at desc);
create index feed_source_files_to_forget on feed_source_files (seen_at) where state <> 'held';
create index feed_source_files_by_state on feed_source_files (state, came_at, file_id);
grant select, insert, update, delete on feed_source_files to wealth_connect_upkeep;

-- Files that wait for an operator: the bytes and the open questions about them, sealed.
create table feed_held (
  file_id uuid primary key references feed_source_files on delete cascade,
  sealed_key text not null,
  ciphertext bytea not null,
  bytes bigint not null,
  sealed_findings text not null,
  held_until timestamptz not null,
  -- When it is next retried automatically, and how often it has been.
  tries integer not null default 0,
  retry_at timestamptz not null default now(),
  -- What is wrong first, as a code, so that the work queue can say what to do without opening the findings; is_part: with a part of the file.
  cause text collate "C" not null default 'content',
  is_part boolean not null default false
);
create index feed_held_by_end on feed_held (held_until);
create index feed_held_by_retry on feed_held (retry_at);
grant select, insert, update, delete on feed_held to wealth_connect_upkeep;
-- For resealing under another key.
grant select, update on feed_held to wealth_connect_auth;

-- PGP keys (docs/how-to/feed-sources.md). The installation's own keys decrypt files, and their private halves are sealed; custodians' keys verify
-- signatures. All belong to the installation, as sources and connectors do.
create table feed_keys (
  kind text collate "C" not null check (kind in ('own', 'connector', 'source')),
  -- The connector's id or the source's name; empty for own keys.
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
grant select, insert, update, delete on feed_keys to wealth_connect_upkeep;
-- For resealing under another key.
grant select, update on feed_keys to wealth_connect_auth;

-- The connectors and sources whose files are accepted only if signed.
create table feed_signing_rules (
  kind text collate "C" not null check (kind in ('connector', 'source')),
  owner text collate "C" not null,
  must_be_signed boolean not null,
  changed_at timestamptz not null,
  primary key (kind, owner)
);
grant select, insert, update, delete on feed_signing_rules to wealth_connect_upkeep;

-- The tenant and connector of the letters and connections that a rule names. Connectors are not secret, and only ids are read besides.
create function feeds_of(p_ids uuid[]) returns table (id uuid, tenant_id uuid, connector_id text, connection_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.connection_id, c.tenant_id, c.connector_id, c.connection_id
  from object_owners o join connections c on c.tenant_id = o.tenant_id and c.connection_id = o.object_id
  where o.object_id = any (p_ids) and o.kind = 'connection'
  union all
  select l.letter_id, l.tenant_id, l.connector_id, l.connection_id
  from object_owners o join letters l on l.tenant_id = o.tenant_id and l.letter_id = o.object_id
  where o.object_id = any (p_ids) and o.kind = 'letter'
$$;

-- The oldest `p_limit` letters, 500 per row, each as `[tenant_id, letter_id, connection_id, version]`, and a digest of all of them. If there are
-- none, or if the digest equals `p_known`, there is one row without letters.
create function letters_for_files(p_connector text, p_tenant uuid, p_statuses text[], p_limit integer, p_known text)
returns table (digest text, letters json)
language sql stable security definer set search_path = public, pg_temp set jit = off
as $$
  with found as materialized (
    select l.tenant_id, l.letter_id, l.connection_id, l.version, row_number() over (order by l.created_at, l.letter_id) - 1 as place
    from tenants t cross join lateral (
      select l.tenant_id, l.letter_id, l.connection_id, l.version, l.created_at from letters l
      where l.tenant_id = t.tenant_id and l.connector_id = p_connector and l.status = any (p_statuses)
      order by l.created_at, l.letter_id
      limit p_limit
    ) l
    where p_tenant is null or t.tenant_id = p_tenant
    order by l.created_at, l.letter_id
    limit p_limit
  ), told as materialized (
    select md5(coalesce(string_agg(concat_ws(' ', f.letter_id, f.version, f.connection_id), ',' order by f.place), '')) as digest from found f
  )
  select told.digest, part.letters
  from told left join lateral (
    select f.place / 500 as number, json_agg(json_build_array(f.tenant_id, f.letter_id, f.connection_id, f.version) order by f.place) as letters
    from found f
    where told.digest is distinct from p_known
    group by f.place / 500
  ) part on true
  order by part.number
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function feeds_of, letters_for_files from public;
grant execute on function feeds_of, letters_for_files to wealth_connect_upkeep;
