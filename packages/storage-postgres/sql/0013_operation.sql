-- Queries and changes that operators need across all tenants.

-- Id of the encryption key of a sealed value, from its header (JSON in base64url, up to the first point). Null = damaged.
create function sealing_key_id(p_sealed text) returns text
language plpgsql immutable
as $$
declare
  header text := translate(split_part(p_sealed, '.', 1), '-_', '+/');
begin
  return convert_from(decode(rpad(header, (length(header) + 3) / 4 * 4, '='), 'base64'), 'UTF8')::jsonb ->> 'kid';
exception
  when others then return null;
end
$$;

-- How many values are sealed under which key, across all tenants: numbers only, so that no role has to see the values.
create function count_sealed_values() returns table (place text, key_id text, value_count bigint)
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
    union all select 'sessions.sealed_challenge', sealed_challenge from sessions
    union all select 'sessions.sealed_accesses', sealed_accesses from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
    union all select 'webhook_endpoints.sealed_secret', sealed_secret from webhook_endpoints
    union all select 'webhook_endpoints.sealed_previous_secret', sealed_previous_secret from webhook_endpoints
    union all select 'webhook_endpoints.sealed_earlier_secret', sealed_earlier_secret from webhook_endpoints
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;

-- Requests with an `Idempotency-Key`, for a day. `owner` is the application that sent it; `made_by` are those of its
-- transactions, by number, that have changed something; `answer` is sealed.
create table keyed_requests (
  owner text not null,
  key text not null,
  request_hash text not null,
  claim_id uuid not null,
  leased_until timestamptz not null,
  made_by integer[] not null default '{}',
  answer text,
  expires_at timestamptz not null,
  primary key (owner, key)
);
create index keyed_requests_to_reap on keyed_requests (expires_at);
grant select, insert, update, delete on keyed_requests to wealth_connect_upkeep;

-- A person's keyed answers end with the person. A request under way may be the one that removes them: it expires.
create function forget_keyed_requests() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  update keyed_requests set expires_at = now() where owner = 'person:' || old.person_id and answer is null;
  delete from keyed_requests where owner = 'person:' || old.person_id and answer is not null;
  return null;
end
$$;
revoke all on function forget_keyed_requests from public;
grant execute on function forget_keyed_requests to wealth_connect_upkeep;
create trigger forget_keyed_requests after delete or update of ended_at on people for each row execute function forget_keyed_requests();

-- Every transaction of such a request calls this before it commits. Returns whether the transaction has changed something, and fails if a
-- retry has taken over the claim.
create function mark_keyed_request(p_owner text, p_key text, p_claim uuid, p_transaction integer) returns boolean
language plpgsql
as $$
begin
  if pg_current_xact_id_if_assigned() is null then
    return false;
  end if;
  update keyed_requests set made_by = made_by || p_transaction
  where owner = p_owner and key = p_key and claim_id = p_claim;
  if not found then
    raise exception 'another request has this Idempotency-Key by now' using errcode = 'serialization_failure';
  end if;
  return true;
end
$$;
grant select (owner, key, claim_id, made_by), update (made_by) on keyed_requests to wealth_connect_app, wealth_connect_auth;

-- What one tenant uses, or each tenant if p_tenant is null. Numbers only, so that no role has to see the rows.
create function tenants_use(p_tenant uuid, p_at timestamptz)
returns table (
  tenant_id uuid, grants bigint, open_sessions bigint, session_bytes bigint, letters bigint, document_bytes bigint,
  clients bigint
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select t.tenant_id,
    (select count(*) from grants g where g.tenant_id = t.tenant_id and g.ended_at is null and g.refresh_expires_at > p_at),
    open.sessions,
    open.bytes,
    (select coalesce(sum(c.letters), 0)::bigint from letter_counts c where c.tenant_id = t.tenant_id),
    coalesce(used.document_bytes, 0),
    coalesce(used.clients, 0)
  from tenants t left join tenant_usage used on used.tenant_id = t.tenant_id cross join lateral (
    select count(*) as sessions, coalesce(sum(s.session_bytes), 0)::bigint as bytes from sessions s
    where s.tenant_id = t.tenant_id and not s.finished and s.expires_at > p_at
  ) open
  where p_tenant is null or t.tenant_id = p_tenant
$$;

-- A page of the letters of all tenants, or of one, with their mails and the exact total. Null = any; p_mail_of = only letters in one of its
-- statuses that lack the mail it names: none was queued, or it failed or is in doubt. With `p_after` (the value sorted by) and `p_after_id`, the
-- page starts after that letter, however far down it is. Every other index of letters starts with the tenant, so the page is merged from the
-- first
-- rows of each tenant (and status, when sorted by age in status). Tenants' own searches thus keep their indexes and plans, and submitting a
-- letter
-- costs no more. Words have an index over all tenants.
create function search_letters_of_all(
  p_tenant uuid, p_connectors text[], p_statuses text[], p_ids uuid[], p_labels jsonb,
  p_created_from timestamptz, p_created_before timestamptz, p_updated_from timestamptz, p_updated_before timestamptz,
  p_in_status_before timestamptz, p_words text, p_mail_of jsonb, p_order text, p_offset bigint, p_limit integer, p_after timestamptz, p_after_id uuid,
  p_clients text[]
) returns table (
  total bigint, tenant_id uuid, tenant_name text, letter_id uuid, connector_id text, status text, previous_status text,
  ever_connected boolean, labels jsonb, contact_info jsonb, connection_id uuid, observations text, created_at timestamptz,
  updated_at timestamptz, status_since timestamptz, version integer, client_ref text, client_name text, mails jsonb
)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off
as $$
#variable_conflict use_column
declare
  criteria text := '';
  is_by_status boolean := p_order in ('longest_in_status', 'shortest_in_status');
  is_rising boolean := p_order in ('oldest', 'longest_in_status', 'longest_unchanged');
  moment text := case
    when is_by_status then 'status_since'
    when p_order in ('last_changed', 'longest_unchanged') then 'updated_at'
    else 'created_at'
  end;
  sorted text := format(case when is_rising then '%s, letter_id' else '%s desc, letter_id desc' end, moment);
  -- Restricts the page to letters after the last one of the page before.
  behind text := case when p_after is null then ''
    else format(' and (l.%s, l.letter_id) %s ($16, $17)', moment, case when is_rising then '>' else '<' end) end;
  of_tenants text := case when p_tenant is null then '' else ' where t.tenant_id = $1' end;
  parts text;
  label_key text;
  label_value text;
  found_letters bigint;
begin
  if p_connectors is not null then criteria := criteria || ' and l.connector_id = any ($2)'; end if;
  if p_statuses is not null then criteria := criteria || ' and l.status = any ($3)'; end if;
  if p_ids is not null then criteria := criteria || ' and l.letter_id = any ($4)'; end if;
  if p_clients is not null then criteria := criteria || ' and l.client_ref = any ($18)'; end if;
  if p_created_from is not null then criteria := criteria || ' and l.created_at >= $6'; end if;
  if p_created_before is not null then criteria := criteria || ' and l.created_at < $7'; end if;
  if p_updated_from is not null then criteria := criteria || ' and l.updated_at >= $8'; end if;
  if p_updated_before is not null then criteria := criteria || ' and l.updated_at < $9'; end if;
  if p_in_status_before is not null then criteria := criteria || ' and l.status_since < $10'; end if;
  for label_key, label_value in select key, value from jsonb_each_text(p_labels) loop
    criteria := criteria || format(' and exists (select from letter_labels has where has.tenant_id = l.tenant_id
      and has.letter_id = l.letter_id and has.key = %L and has.value = %L)', label_key, label_value);
  end loop;
  if p_mail_of is not null then
    criteria := criteria || ' and l.status = any (array(select jsonb_object_keys($12))) and not exists (
      select from mails m where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id
      and m.kind = $12 ->> l.status and m.state in (''queued'', ''sent''))';
  end if;

  if p_words is not null then
    parts := 'letters l join tenants t using (tenant_id) where letter_words(l.tenant_id, l.letter_id, l.connector_id, l.labels, l.contact_info, l.observations)
      @@ words_of($1, to_tsquery(''pg_catalog.simple'', $11))' || replace(of_tenants, ' where', ' and') || criteria;
    execute 'select count(*) from ' || parts into found_letters
    using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
      p_in_status_before, p_words, p_mail_of, null, null, null, null, null, p_clients;
    parts := 'select l.tenant_id, l.letter_id, l.created_at, l.updated_at, l.status_since from ' || parts || behind;
  else
    if criteria = '' or criteria = ' and l.status = any ($3)' then
      execute 'select coalesce(sum(t.letters), 0) from letter_counts t' || of_tenants
        || case when p_statuses is null then '' when p_tenant is null then ' where t.status = any ($2)' else ' and t.status = any ($2)' end
      into found_letters using p_tenant, p_statuses;
    else
      execute 'select coalesce(sum(found.letters), 0) from tenants t cross join lateral (
        select count(*) as letters from letters l where l.tenant_id = t.tenant_id' || criteria || ') found' || of_tenants into found_letters
      using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
        p_in_status_before, p_words, p_mail_of, null, null, null, null, null, p_clients;
    end if;
    parts := 'select l.tenant_id, l.letter_id, l.created_at, l.updated_at, l.status_since from letters l where l.tenant_id = t.tenant_id' || criteria || behind;
    if is_by_status then
      parts := 'select found.* from tenants t cross join (select distinct status from letter_counts where $3 is null or status = any ($3)) s
        cross join lateral (' || parts || ' and l.status = s.status order by ' || sorted || ' limit $13 + $14) found' || of_tenants;
    else
      parts := 'select found.* from tenants t cross join lateral (' || parts || ' order by ' || sorted || ' limit $13 + $14) found' || of_tenants;
    end if;
  end if;

  return query execute '
    select $15, l.tenant_id, t.name, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
      l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version,
      l.client_ref, (select k.name from clients k where k.tenant_id = l.tenant_id and k.client_ref = l.client_ref),
      (select coalesce(jsonb_agg(to_jsonb(m) - ''tenant_id'' order by m.created_at, m.mail_id), ''[]'')
       from mails m where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id)
    from (select) once
    left join (select tenant_id, letter_id from (' || parts || ') found order by ' || sorted || ' limit $14 offset $13) page on true
    left join letters l on l.tenant_id = page.tenant_id and l.letter_id = page.letter_id
    left join tenants t on t.tenant_id = l.tenant_id
    order by ' || regexp_replace(sorted, '(\w+_\w+)', 'l.\1', 'g')
  using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
    p_in_status_before, p_words, p_mail_of, p_offset, p_limit, found_letters, p_after, p_after_id, p_clients;
end
$$;

-- A few letters of all tenants, or of one, for a person who types: newest first, of the first p_through that match. The words' index is read for
-- the matches, and no more than p_through letters.
create function look_up_letters_of_all(p_tenant uuid, p_words text, p_through integer, p_limit integer)
returns table (tenant_id uuid, tenant_name text, letter_id uuid, connector_id text, status text, labels jsonb)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off set enable_seqscan = off
as $$
begin
  return query execute '
    select l.tenant_id, t.name, l.letter_id, l.connector_id, l.status, l.labels
    from (
      select * from letters
      where letter_words(tenant_id, letter_id, connector_id, labels, contact_info, observations)
        @@ words_of($2, to_tsquery(''pg_catalog.simple'', $1))'
    || case when p_tenant is null then '' else ' and tenant_id = $2' end || ' limit $3
    ) l join tenants t using (tenant_id)
    order by l.created_at desc, l.letter_id desc
    limit $4'
  using p_words, p_tenant, p_through, p_limit;
end
$$;

-- For every status that has letters: how many, and since when the longest-standing one has been in it. The counts are stored, and an index finds
-- the first letter of each tenant and status.
create function count_letters_of_all(p_tenant uuid) returns table (status text, letters bigint, oldest_since timestamptz)
language sql stable security definer set search_path = public, pg_temp set jit = off
as $$
  select kept.status, sum(kept.letters)::bigint, min(first.status_since)
  from (
    select c.tenant_id, c.status, sum(c.letters) as letters
    from letter_counts c
    where p_tenant is null or c.tenant_id = p_tenant
    group by c.tenant_id, c.status
    having sum(c.letters) > 0
  ) kept
  cross join lateral (
    select l.status_since from letters l
    where l.tenant_id = kept.tenant_id and l.status = kept.status
    order by l.status_since
    limit 1
  ) first
  group by kept.status
$$;

-- A page of the connections of all tenants, or of one, in an order, with their refresh times and the letter that created them. Null =
-- any.
-- Connection ids rise with time, and the table's key starts with the tenant, as the index by consents does, so the page is merged from the first
-- rows of each tenant. Connections without a consent come last in both orders of consents: they are a range of that index too.
-- A state is what `connectionConditionOf` of core derives from a status. `limit 1` keeps the planner from joining everything before sorting; the
-- start of a page and a requested id are index bounds.
create function search_connections_of_all(
  p_tenant uuid, p_connection uuid, p_connectors text[], p_states text[], p_consent_before timestamptz, p_failing boolean,
  p_order text, p_after uuid, p_after_time text, p_limit integer, p_clients text[]
) returns table (
  tenant_id uuid, tenant_name text, connection_id uuid, connector_id text, bank text, provider text, labels jsonb, status jsonb,
  created_at timestamptz, client_ref text, client_name text, letter_id uuid, is_planned boolean, due_at timestamptz, lease uuid, attempted_at timestamptz, outcome text
)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off
as $$
#variable_conflict use_column
declare
  -- Null: by id.
  sorted_by text := case
    when p_order in ('consent_ends_first', 'consent_ends_last') then 'consent_expires_at'
    when p_order in ('data_oldest', 'data_newest') then 'last_update'
  end;
  is_rising boolean := p_order in ('oldest', 'consent_ends_first', 'data_oldest');
  direction text := case when is_rising then '' else ' desc' end;
  behind text := case when is_rising then '>' else '<' end;
  sorted text := case when sorted_by is null then '' else format('%I%s nulls last, ', sorted_by, direction) end || 'connection_id' || direction;
  rows_of_tenant text := '
    select c.tenant_id, c.connection_id, c.connector_id, c.bank, c.provider, c.labels, c.status, c.created_at, c.client_ref, c.consent_expires_at, c.last_update,
      r.connection_id is not null as is_planned, r.due_at, r.lease, r.attempted_at, r.outcome
    from connections c
    left join lateral (
      select * from connection_refreshes each
      where each.tenant_id = c.tenant_id and each.connection_id = c.connection_id
      limit 1
    ) r on true
    where c.tenant_id = t.tenant_id';
  page text;
begin
  if p_connection is not null then rows_of_tenant := rows_of_tenant || ' and c.connection_id = $2'; end if;
  if p_connectors is not null then rows_of_tenant := rows_of_tenant || ' and c.connector_id = any ($3)'; end if;
  if p_clients is not null then rows_of_tenant := rows_of_tenant || ' and c.client_ref = any ($10)'; end if;
  if p_consent_before is not null then rows_of_tenant := rows_of_tenant || ' and r.consent_expires_at < $5'; end if;
  if p_failing is not null then rows_of_tenant := rows_of_tenant || ' and (coalesce(r.failures, 0) > 0) = $6'; end if;
  if p_states is not null then
    rows_of_tenant := rows_of_tenant || ' and $4 @> array[case
      when c.blocked then ''blocked''
      when c.needs_relogin then ''needs_relogin''
      when c.pending then ''pending''
      else ''ready''
    end]';
  end if;

  if sorted_by is not null then
    page := rows_of_tenant || format(' and c.%I is null', sorted_by)
      || case when p_after is not null and p_after_time is null then format(' and c.connection_id %s $7', behind) else '' end
      || format(' order by c.%I%2$s, c.connection_id%2$s limit $9', sorted_by, direction);
    if p_after is null or p_after_time is not null then
      page := '(' || rows_of_tenant || format(' and c.%I is not null', sorted_by)
        || case when p_after_time is not null then format(' and (c.%I, c.connection_id) %s ($8, $7)', sorted_by, behind) else '' end
        || format(' order by c.%I%2$s, c.connection_id%2$s limit $9)', sorted_by, direction) || ' union all (' || page || ')';
    end if;
  else
    page := rows_of_tenant || case when p_after is not null then format(' and c.connection_id %s $7', behind) else '' end
      || ' order by c.connection_id' || direction || ' limit $9';
  end if;

  return query execute '
    select page.tenant_id, page.name, page.connection_id, page.connector_id, page.bank, page.provider, page.labels, page.status,
      page.created_at, page.client_ref,
      (select k.name from clients k where k.tenant_id = page.tenant_id and k.client_ref = page.client_ref),
      (select l.letter_id from letters l where l.tenant_id = page.tenant_id and l.connection_id = page.connection_id limit 1),
      page.is_planned, page.due_at, page.lease, page.attempted_at, page.outcome
    from (
      select found.*, t.name
      from tenants t cross join lateral (' || page || ') found'
    || case when p_tenant is null then '' else ' where t.tenant_id = $1' end
    || ' order by ' || sorted || ' limit $9
    ) page
    order by ' || sorted
  using p_tenant, p_connection, p_connectors, p_states, p_consent_before, p_failing, p_after, p_after_time, p_limit, p_clients;
end
$$;

-- Who looks after a line of the work queue, and until when it is put aside. The tenant is the one whose people made the mark; the id of zeros
-- stands for operators, whose marks tenants do not see. Lines are not stored, so marks of lines that are gone are deleted by the clean-up.
-- Versions come from a sequence: a mark that is made again has none that somebody may have seen before.
create sequence work_mark_versions as integer cycle;
grant usage on sequence work_mark_versions to wealth_connect_upkeep;
create table work_marks (
  tenant_id uuid not null,
  kind text collate "C" not null,
  subject_id text collate "C" not null,
  -- As in the audit trail.
  owner_id text collate "C",
  snoozed_until timestamptz,
  reason text,
  -- What was wrong when the line was snoozed; see work_lines.
  cause text collate "C",
  version integer not null,
  changed_at timestamptz not null,
  primary key (tenant_id, kind, subject_id),
  check (num_nulls(snoozed_until, reason, cause) in (0, 3)),
  check (num_nonnulls(owner_id, snoozed_until) > 0)
);
create index work_marks_of_owner on work_marks (tenant_id, owner_id) where owner_id is not null;
grant select, insert, update, delete on work_marks to wealth_connect_upkeep;
alter table work_marks enable row level security;
create policy all_tenants on work_marks to wealth_connect_upkeep using (true);
create trigger tenant_is_there before insert on work_marks for each row execute function tenant_is_there();

create function forget_work_marks() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from work_marks where tenant_id = old.tenant_id;
  return null;
end
$$;
revoke all on function forget_work_marks from public;
grant execute on function forget_work_marks to wealth_connect_upkeep;
create trigger forget_work_marks after delete on tenants for each row execute function forget_work_marks();

-- The lines of a person who is removed belong to nobody.
create function let_go_of_work() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from work_marks where tenant_id = new.tenant_id and owner_id = 'person:' || new.person_id and snoozed_until is null;
  update work_marks set owner_id = null, version = nextval('work_mark_versions') where tenant_id = new.tenant_id and owner_id = 'person:' || new.person_id;
  return null;
end
$$;
revoke all on function let_go_of_work from public;
grant execute on function let_go_of_work to wealth_connect_upkeep;
create trigger let_go_of_work after update of ended_at on people for each row when (new.ended_at is not null)
  execute function let_go_of_work();

-- The letters under way of all tenants, or of one, that a text is about: by their words, by their connectors', or by their client's. Null if more
-- than p_limit match, then there are too many to be of use. The indexes of words are read, and no more than p_limit letters.
create function letters_about(p_tenant uuid, p_words tsquery, p_connectors text[], p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp set jit = off set enable_seqscan = off
as $$
declare
  wanted tsquery := p_words;
  one text;
  found jsonb;
  matches bigint;
begin
  foreach one in array p_connectors loop
    wanted := wanted || plainto_tsquery('pg_catalog.simple', translate(lower(one), ':_-./', '     '));
  end loop;
  select count(*), jsonb_agg(jsonb_build_object('tenant_id', m.tenant_id, 'letter_id', m.letter_id, 'status', m.status))
    filter (where m.status not in ('Connected', 'Cancelled', 'Revoked'))
  into matches, found
  from (
    (select l.tenant_id, l.letter_id, l.status from letters l
      where letter_words(l.tenant_id, l.letter_id, l.connector_id, l.labels, l.contact_info, l.observations) @@ words_of(p_tenant, wanted)
        and (p_tenant is null or l.tenant_id = p_tenant) limit p_limit + 1)
    union
    (select l.tenant_id, l.letter_id, l.status
      from (select k.tenant_id, k.client_ref from clients k where client_words(k.tenant_id, k.search_key) @@ words_of(p_tenant, p_words)
        and (p_tenant is null or k.tenant_id = p_tenant) limit p_limit + 1) k
      join letters l on l.tenant_id = k.tenant_id and l.client_ref = k.client_ref limit p_limit + 1)
  ) m;
  return case when matches <= p_limit then coalesce(found, '[]') end;
end
$$;

-- For each kind in p_kinds, first a row with the number of its lines, counted up to p_counted. Then, for kinds in p_listed, in the order of
-- p_kinds and oldest first (since, then subject_id), the first p_limit lines after the line (p_after_kind, p_after_since, p_after_id). p_days maps a
-- status to the number of days after which a letter in it needs action; in other statuses it never does. p_filter restricts both lines and counts:
-- owner_id (null = nobody), is_snoozed, connector_ids, custodian (a part of its name), client_refs, words, ids; what is not in it is not asked. Letters are looked for by the
-- beginnings of words (`query`, a tsquery); where too many match, and among other things, a text is looked for in the oldest p_counted lines of
-- a kind, so that a search costs no more than a list. Marks are those of p_marks_of. `cause` changes
-- when something else is wrong with what a line is about; a snooze holds only for the cause that it was made for.
create function work_lines(
  p_tenant uuid, p_kinds text[], p_listed text[], p_days jsonb, p_now timestamptz, p_counted integer,
  p_after_kind text, p_after_since timestamptz, p_after_id text, p_limit integer, p_marks_of uuid, p_filter jsonb
) returns table (
  kind text, lines bigint, since timestamptz, subject_id text, tenant_id uuid, tenant_name text, facts jsonb, cause text, mark jsonb
)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off
as $$
#variable_conflict use_column
declare
  one text;
  -- `rest` is what follows `from` for a kind; the columns say what its lines consist of. `x` is the row that a line is about.
  rest text;
  at_column text;
  id_column text;
  id_type text;
  owner_column text;
  facts_of text;
  -- What is searched for words: of what a tenant may read.
  words_of text;
  connector_of text;
  client_of text;
  cause_of text;
  criteria text;
  letters_from text := 'letters x';
  about jsonb;
  owner constant text := p_filter ->> 'owner_id';
  words constant text := lower(p_filter ->> 'words');
  connectors constant text[] := array(select jsonb_array_elements_text(p_filter -> 'connector_ids'));
  named text[];
  -- Of this name.
  custodians text[];
  clients constant text[] := array(select jsonb_array_elements_text(p_filter -> 'client_refs'));
  ids constant text[] := array(select jsonb_array_elements_text(p_filter -> 'ids'));
  uuids constant uuid[] := array(select v::uuid from unnest(ids) v where v ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
  of_tenant constant text := case when p_tenant is null then '' else ' and x.tenant_id = $1' end;
  found_lines bigint;
  wanted integer := p_limit;
  mail_of constant text := 'case x.status when ''SentToUser'' then ''signature_request'' when ''SentToCustodian'' then ''authorization_letter''
    when ''Discontinued'' then ''revocation_notice'' end';
  under_way constant text := ' and x.status not in (''Connected'', ''Cancelled'', ''Revoked'')';
  -- An observation on a letter means that someone has looked after it.
  noted_since constant text := 'exists (select from letter_moves m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id
    and m.event = ''observe'' and m.at >= ';
  a_mail constant text := 'exists (select from mails m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id and ';
  last_block constant text := '(select m.%s from letter_moves m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id
    and m.event = ''block'' order by m.at desc limit 1)';
  client_name constant text := '(select k.name from clients k where k.tenant_id = %1$s.tenant_id and k.client_ref = %1$s.client_ref)';
  letter_facts constant text := 'jsonb_build_object(''letter_id'', x.letter_id, ''connector_id'', x.connector_id, ''status'', x.status,
    ''client_ref'', x.client_ref, ''client_name'', ' || format(client_name, 'x') || ',
    ''labels'', x.labels, ''observations'', x.observations, ''connection_id'', x.connection_id, ''previous_status'', x.previous_status)';
  letter_connector constant text := '(select l.connector_id from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
  connection_connector constant text :=
    '(select c.connector_id from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
  letter_client constant text := '(select l.client_ref from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
  connection_client constant text :=
    '(select c.client_ref from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
  connection_facts constant text := '(select jsonb_build_object(''connection_id'', c.connection_id, ''connector_id'', c.connector_id,
    ''client_ref'', c.client_ref, ''client_name'', ' || format(client_name, 'c') || ',
    ''labels'', c.labels) from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
begin
  if p_filter ? 'custodian' then
    custodians := array(select c.connector_id from connectors c
      where position(lower(p_filter ->> 'custodian') in lower(c.name)) > 0 or c.connector_id = p_filter ->> 'custodian');
  end if;
  if words is not null then
    named := array(select c.connector_id from connectors c where position(words in lower(c.name)) > 0 or c.connector_id = words);
    about := letters_about(p_tenant, (p_filter ->> 'query')::tsquery, named, p_counted);
    if about is not null then
      letters_from := 'jsonb_to_recordset($16) w (tenant_id uuid, letter_id uuid, status text)
        join letters x on x.tenant_id = w.tenant_id and x.letter_id = w.letter_id and x.status = w.status';
    end if;
  end if;
  foreach one in array p_kinds loop
    owner_column := 'x.tenant_id';
    id_type := 'uuid';
    connector_of := 'x.connector_id';
    client_of := 'null::text';
    words_of := null;
    cause_of := null;
    case one
      when 'letter_overdue' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        client_of := 'x.client_ref';
        words_of := letter_facts;
        facts_of := letter_facts || ' || jsonb_build_object(''limit_days'', x.limit_days)';
        -- From each status as many as can be needed. A mail that failed, or was never queued, is a line of its own.
        rest := 'jsonb_each_text($2) d (status, days) cross join lateral (
          select x.*, d.days::integer as limit_days from ' || letters_from || '
          where x.status = d.status' || under_way || ' and x.status_since < $3 - make_interval(days => d.days::integer){tenant}
            and not ' || noted_since || '$3 - make_interval(days => d.days::integer))
            and not ' || a_mail || 'm.state in (''failed'', ''in_doubt''))
            and (' || mail_of || ' is null or ' || noted_since || 'x.status_since)
              or ' || a_mail || 'm.kind = ' || mail_of || ' and m.state in (''queued'', ''sent''))){behind}
          order by x.status_since, x.letter_id limit $6
        ) x where true';
      when 'letter_unmailed' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        client_of := 'x.client_ref';
        facts_of := letter_facts;
        -- Looks only at those that have waited longest; an operator with more to look after starts with these.
        rest := '(values (''SentToUser''), (''SentToCustodian''), (''Discontinued'')) d (status) cross join lateral (
          select x.* from ' || letters_from || ' where x.status = d.status' || under_way || '{tenant}
          order by x.status_since, x.letter_id limit 2000
        ) x where not ' || a_mail || 'm.kind = ' || mail_of || ' and m.state <> ''withdrawn'')
          and not ' || noted_since || 'x.status_since){behind}';
      when 'letter_blocked', 'feed_silent' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        client_of := 'x.client_ref';
        words_of := letter_facts;
        facts_of := letter_facts || ' || jsonb_build_object(''note'', ' || format(last_block, 'note') || ')';
        rest := letters_from || ' where x.status = ''Blocked''' || under_way || '{tenant} and ' || format(last_block, 'actor')
          || case one when 'feed_silent' then ' = ''system''' else ' is distinct from ''system''' end || '{behind}';
      when 'mail_failed', 'mail_in_doubt' then
        at_column := 'coalesce(x.settled_at, x.created_at)';
        id_column := 'x.mail_id';
        connector_of := letter_connector;
        client_of := letter_client;
        facts_of := 'jsonb_build_object(''letter_id'', x.letter_id, ''mail_id'', x.mail_id, ''mail_kind'', x.kind, ''recipient'', x.recipient,
          ''reason'', x.last_error, ''attempts'', x.attempts) || (select jsonb_build_object(''connector_id'', l.connector_id, ''status'', l.status,
          ''client_ref'', l.client_ref, ''client_name'', ' || format(client_name, 'l') || ',
          ''labels'', l.labels) from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
        rest := 'mails x where x.state = ''' || replace(one, 'mail_', '') || '''{tenant}{behind}';
      when 'connection_relogin' then
        connector_of := connection_connector;
        client_of := connection_client;
        at_column := 'x.attempted_at';
        id_column := 'x.connection_id';
        facts_of := connection_facts;
        rest := 'connection_refreshes x where x.due_at is null and x.outcome is distinct from ''already_exists''{tenant}{behind}';
      when 'consent_ending' then
        connector_of := connection_connector;
        client_of := connection_client;
        at_column := '(x.consent_expires_at - interval ''168 hours'')';
        id_column := 'x.connection_id';
        facts_of := connection_facts || ' || jsonb_build_object(''until'', x.consent_expires_at)';
        rest := 'connection_refreshes x where x.due_at is not null and x.consent_expires_at is not null
          and x.consent_expires_at <= $3 + interval ''168 hours''{tenant}{behind}';
      when 'webhook_disabled' then
        connector_of := 'null::text';
        at_column := 'x.disabled_at';
        id_column := 'x.endpoint_id';
        facts_of := 'jsonb_build_object(''host'', substring(x.url from ''://([^/?#]+)''), ''reason'', x.disabled_reason)';
        rest := 'webhook_endpoints x where not x.is_enabled and x.disabled_reason in (''gone'', ''failing'') and x.removed_at is null{tenant}{behind}';
      when 'provider_failing' then
        at_column := 'x.opened_at';
        id_column := '(x.connector_id || '' '' || x.tenant_id)';
        id_type := 'text';
        owner_column := 'nullif(x.tenant_id, ''00000000-0000-0000-0000-000000000000'')';
        facts_of := 'jsonb_build_object(''connector_id'', x.connector_id, ''provider'', x.provider)';
        rest := 'provider_circuits x where true{tenant}{behind}';
      when 'source_failing' then
        connector_of := 'null::text';
        cause_of := 'concat_ws('' '', extract(epoch from x.succeeded_at), x.last_error)';
        at_column := 'coalesce(x.succeeded_at, x.created_at)';
        id_column := 'x.source';
        id_type := 'text';
        owner_column := 'null::uuid';
        facts_of := 'jsonb_build_object(''source'', x.source, ''reason'', x.last_error, ''attempts'', x.failures)';
        rest := 'feed_sources x where x.is_enabled and x.failures >= 3{installation}{behind}';
      when 'file_held' then
        at_column := 'x.came_at';
        id_column := 'x.file_id';
        client_of := 'coalesce(' || connection_client || ', ' || replace(letter_client, 'x.letter_id', 'x.id') || ')';
        cause_of := 'concat_ws('' '', extract(epoch from x.came_at), x.cause)';
        facts_of := 'jsonb_build_object(''source'', x.source, ''name'', x.name, ''until'', x.held_until,
          ''cause'', x.cause, ''is_part'', nullif(x.is_part, false), ''connector_id'', x.connector_id, ''connection_id'', x.connection_id, ''letter_id'', case when x.connection_id is null then x.id end)';
        -- A file of the drop folder was in the folder of the connection or letter it is for; a file of another source may be for any tenant.
        rest := '(
          select f.file_id, f.source, f.name, f.came_at, h.held_until, h.cause, h.is_part, o.*
          from feed_source_files f left join feed_held h using (file_id) left join lateral feeds_of(array[case
            when f.source = ''drop-folder'' and f.name ~* ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'' then split_part(f.name, ''/'', 1)::uuid
          end]) o on true
          where f.state = ''held''
        ) x where true{tenant}{behind}';
      when 'pages_overdue' then
        connector_of := connection_connector;
        client_of := connection_client;
        at_column := 'x.expired_at';
        id_column := '(x.connection_id || '' '' || x.statement)';
        id_type := 'text';
        facts_of := connection_facts || ' || jsonb_build_object(''letter_id'', x.letter_id, ''statement'', x.statement, ''name'', x.title)';
        rest := 'waiting_statements(null) x where x.expired_at is not null{tenant}{behind}';
      when 'feed_differs' then
        connector_of := connection_connector;
        client_of := connection_client;
        cause_of := 'extract(epoch from x.newest)::text';
        at_column := 'x.found_at';
        id_column := 'x.connection_id';
        facts_of := connection_facts || ' || jsonb_build_object(''differences'', x.differences)';
        -- Those of the last week; only the newest if there are very many.
        rest := '(
          select x.tenant_id, x.connection_id, min(x.found_at) as found_at, max(x.found_at) as newest, count(*) as differences
          from (
            (select x.tenant_id, x.connection_id, x.found_at from feed_differences x
              where x.found_at > $3 - interval ''168 hours''{tenant} order by x.found_at desc limit 10000)
            union all
            (select x.tenant_id, x.connection_id, x.found_at from feed_gaps x
              where x.found_at > $3 - interval ''168 hours''{tenant} order by x.found_at desc limit 10000)
          ) x group by x.tenant_id, x.connection_id
        ) x where true{behind}';
      else
        raise exception 'no kind of work: %', one using errcode = 'invalid_parameter_value';
    end case;
    if id_type = 'text' then id_column := id_column || ' collate "C"'; end if;
    cause_of := coalesce(cause_of, 'extract(epoch from ' || at_column || ')::text');

    criteria := '';
    if p_filter ? 'ids' then
      criteria := criteria || ' and ' || id_column || case id_type when 'uuid' then ' = any ($13)' else ' = any ($12)' end;
    end if;
    if p_filter ? 'client_refs' then criteria := criteria || ' and ' || client_of || ' = any ($15)'; end if;
    if p_filter ? 'custodian' then criteria := criteria || ' and ' || connector_of || ' = any ($17)'; end if;
    if p_filter ? 'connector_ids' then criteria := criteria || ' and ' || connector_of || ' = any ($9)'; end if;
    if p_filter ? 'owner_id' then
      criteria := criteria || case when owner is null then ' and not' else ' and' end || ' exists (select from work_marks k
        where k.tenant_id = $7 and k.kind = $14 and k.subject_id = (' || id_column || ')::text and k.owner_id '
        || case when owner is null then 'is not null)' else '= $8)' end;
    end if;
    if p_filter ? 'is_snoozed' then
      criteria := criteria || case when (p_filter -> 'is_snoozed')::boolean then ' and' else ' and not' end || ' exists (select from work_marks k
        where k.tenant_id = $7 and k.kind = $14 and k.subject_id = (' || id_column || ')::text and k.snoozed_until > $3
        and k.cause = ' || cause_of || ')';
    end if;
    -- Letters of the index are found already.
    if words is not null and (about is null or one not in ('letter_overdue', 'letter_unmailed', 'letter_blocked', 'feed_silent')) then
      rest := '(select x.* from ' || replace(replace(rest, '{behind}', ''), 'limit $6', 'limit ' || p_counted) || ' order by ' || at_column || ', '
        || id_column || ' limit ' || p_counted || ') x where true{behind}';
      criteria := criteria || ' and (' || connector_of || ' = any ($10) or exists (select from jsonb_each_text(' || coalesce(words_of, facts_of) || ') f
        where f.value = $11 or position($11 in lower(f.value)) > 0 and f.key not in (''letter_id'', ''connection_id'', ''mail_id'', ''connector_id'',
        ''status'', ''previous_status'', ''mail_kind'', ''limit_days'', ''attempts'', ''until'', ''differences'', ''cause'', ''is_part'')))';
    end if;
    rest := replace(rest, '{behind}', criteria || '{behind}');
    rest := replace(replace(rest, '{tenant}', of_tenant), '{installation}', case when p_tenant is null then '' else ' and false' end);

    execute 'select count(*) from (select from ' || replace(rest, '{behind}', '') || ' limit $6) counted'
    into found_lines using p_tenant, p_days, p_now, p_after_since, p_after_id, p_counted, p_marks_of, owner, connectors, named, words, ids, uuids, one,
      clients, about, custodians;
    return query select one, found_lines, null::timestamptz, null::text, null::uuid, null::text, null::jsonb, null::text, null::jsonb;

    if found_lines > 0 and wanted > 0 and one = any (p_listed)
      and (p_after_kind is null or array_position(p_kinds, one) >= array_position(p_kinds, p_after_kind)) then
      return query execute 'select $14, null::bigint, page.since, page.subject_id::text, page.owner, t.name, jsonb_strip_nulls(page.facts), page.cause,
        case when k.version is not null then jsonb_build_object(''owner_id'', k.owner_id, ''snoozed_until'', k.snoozed_until, ''reason'', k.reason,
          ''version'', k.version, ''is_snoozed'', coalesce(k.snoozed_until > $3 and k.cause = page.cause, false), ''owner_name'', coalesce(
            (select p.name from people p where p.tenant_id = $7
              and p.person_id = case when k.owner_id like ''person:%'' then substring(k.owner_id from 8)::uuid end),
            (select a.name from applications a where a.application_id::text = k.owner_id))) end
        from (
          select ' || at_column || ' as since, ' || id_column || ' as subject_id, ' || owner_column || ' as owner, ' || facts_of || ' as facts, '
            || cause_of || ' as cause
          from ' || replace(rest, '{behind}', case when p_after_kind = one
            then ' and (' || at_column || ', ' || id_column || ') > ($4, $5::' || id_type || ')' else '' end)
          || ' order by 1, 2 limit $6
        ) page left join tenants t on t.tenant_id = page.owner
        left join work_marks k on k.tenant_id = $7 and k.kind = $14 and k.subject_id = page.subject_id::text
        order by page.since, page.subject_id'
      using p_tenant, p_days, p_now, p_after_since, p_after_id, wanted, p_marks_of, owner, connectors, named, words, ids, uuids, one,
      clients, about, custodians;
      get diagnostics found_lines = row_count;
      wanted := wanted - found_lines::integer;
    end if;
  end loop;
end
$$;

-- Removes a disabled tenant with everything stored for it in any table, in one transaction; the audit trail stays. Thus no role needs the right
-- to
-- delete letters or another tenant's rows.
create function remove_tenant(p_tenant uuid, p_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  clients text[];
begin
  -- Every writer for the tenant locks one of these rows. From here on writers wait, and then find nothing.
  perform from tenants where tenant_id = p_tenant for update;
  if not found then
    return false;
  end if;
  if not exists (select from disabled_tenants where tenant_id = p_tenant) then
    raise exception 'tenant % is not switched off', p_tenant using errcode = 'object_not_in_prerequisite_state';
  end if;
  perform from tenant_revisions where tenant_id = p_tenant for update;
  perform from applications where tenant_id = p_tenant order by application_id for update;
  perform from connections where tenant_id = p_tenant for update;
  perform from letters where tenant_id = p_tenant for update;

  clients := array(select client_id from applications where tenant_id = p_tenant);
  delete from guess_counts where client_id = any (clients);
  delete from used_assertions where client_id = any (clients);
  delete from authorization_answers where tenant_id = p_tenant or client_id = any (clients);
  -- Grants for the tenant's data, and those that its applications hold as OAuth clients of others.
  perform from grants where tenant_id = p_tenant or client_id = any (clients) order by grant_id for update;
  update grants set
    ended_at = coalesce(ended_at, p_at), ended_by = coalesce(ended_by, pg_current_xact_id()),
    tenant_id = null, application_id = '00000000-0000-0000-0000-000000000000', client_id = '',
    secret_id = '00000000-0000-0000-0000-000000000000', scopes = '{}', audience = '{}',
    token_hash = '', consumed_hash = null, replay_response = null, replay_until = null
  where tenant_id = p_tenant or client_id = any (clients);
  delete from keyed_requests where owner in (select application_id::text from applications where tenant_id = p_tenant);
  -- Secrets and remembered sign-ins are deleted with them.
  delete from applications where tenant_id = p_tenant;
  delete from disabled_tenants where tenant_id = p_tenant;

  delete from portfolios where tenant_id = p_tenant;
  delete from holdings where tenant_id = p_tenant;
  delete from transactions where tenant_id = p_tenant;
  delete from valuations where tenant_id = p_tenant;
  delete from valued_months where tenant_id = p_tenant;
  delete from replaced_valuations where tenant_id = p_tenant;
  delete from valued_holdings where tenant_id = p_tenant;
  delete from valued_accounts where tenant_id = p_tenant;
  delete from feed_files where tenant_id = p_tenant;
  delete from snapshots where tenant_id = p_tenant;
  delete from sessions where tenant_id = p_tenant;
  delete from session_links where tenant_id = p_tenant;
  delete from idempotency_keys where tenant_id = p_tenant;
  delete from letter_documents where tenant_id = p_tenant;
  delete from letter_moves where tenant_id = p_tenant;
  delete from letter_labels where tenant_id = p_tenant;
  delete from letters where tenant_id = p_tenant;
  delete from connections where tenant_id = p_tenant;
  -- Before the clients, whose references would be taken out of them first.
  delete from events where tenant_id = p_tenant;
  delete from clients where tenant_id = p_tenant;
  delete from object_owners where tenant_id = p_tenant;
  delete from tenant_revisions where tenant_id = p_tenant;
  delete from tenants where tenant_id = p_tenant;
  return true;
end
$$;

-- What ids of audit lines and events are called today. p_tenants names the tenant of each of p_ids, null for the installation; p_texts are ids that
-- are no UUIDs. With p_reader only what belongs to that tenant, or to everybody.
create function names_of(p_reader uuid, p_tenants uuid[], p_ids uuid[], p_texts text[])
returns table (id text, kind text, name text, of_name text)
language sql stable security definer set search_path = public, pg_temp set jit = off
as $$
  with asked as (
    select distinct coalesce(p_reader, a.tenant_id) as tenant_id, a.id from unnest(p_tenants, p_ids) a (tenant_id, id)
  ), clients as (
    select a.client_id, a.name, 'application' as kind from applications a where p_reader is null or a.tenant_id = p_reader
    union all
    select r.client_id, r.client_name, 'client' from registered_clients r
    where p_reader is null or exists (select from grants g where g.client_id = r.client_id and g.tenant_id = p_reader)
  )
  select t.tenant_id::text, 'tenant', t.name, null from tenants t
  where t.tenant_id = any (p_ids) and (p_reader is null or t.tenant_id = p_reader)
  union all
  select p.person_id::text, 'person', p.name, null from asked join people p on p.tenant_id = asked.tenant_id and p.person_id = asked.id
  union all
  select p.person_id::text, 'person', p.name, null from people p
  where p_reader is null and p.tenant_id = '00000000-0000-0000-0000-000000000000' and p.person_id = any (p_ids)
  union all
  select a.application_id::text, 'application', a.name, null from applications a
  where a.application_id = any (p_ids) and (p_reader is null or a.tenant_id = p_reader)
  union all
  select c.client_id, c.kind, c.name, null from clients c where c.client_id = any (p_texts)
  union all
  select g.grant_id::text, 'grant', coalesce(c.name, g.client_id), null from grants g left join clients c on c.client_id = g.client_id
  where g.grant_id = any (p_ids) and g.client_id <> '' and (p_reader is null or g.tenant_id = p_reader)
  union all
  select l.letter_id::text, 'letter',
    (select string_agg(value, ', ' order by key) from jsonb_each_text(l.labels)), coalesce(c.name, l.connector_id)
  from asked join letters l on l.tenant_id = asked.tenant_id and l.letter_id = asked.id
  left join connectors c on c.connector_id = l.connector_id
  union all
  select c.connection_id::text, 'connection', c.bank, null
  from asked join connections c on c.tenant_id = asked.tenant_id and c.connection_id = asked.id
  union all
  select s.session_id::text, 'session', null, c.name
  from asked join sessions s on s.tenant_id = asked.tenant_id and s.session_id = asked.id
  left join connectors c on c.connector_id = s.connector_id
  union all
  select w.endpoint_id::text, 'webhook_endpoint', coalesce(nullif(w.description, ''), substring(w.url from '^https?://([^/?#]+)')), null
  from asked join webhook_endpoints w on w.tenant_id = asked.tenant_id and w.endpoint_id = asked.id
  union all
  select r.token_id::text, 'registration_token', r.name, null from registration_tokens r
  where p_reader is null and r.token_id = any (p_ids)
  union all
  select f.token_id::text, 'source_token', f.name, f.source from feed_tokens f where p_reader is null and f.token_id = any (p_ids)
  union all
  select f.file_id::text, 'file', f.name, f.source from feed_source_files f where p_reader is null and f.file_id = any (p_ids)
  union all
  select c.connector_id, 'connector', c.name, null from connectors c where c.connector_id = any (p_texts)
  union all
  select k.fingerprint, 'feed_key', max(k.user_ids[1]), max(k.owner) from feed_keys k
  where p_reader is null and k.fingerprint = any (p_texts) group by k.fingerprint
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function count_sealed_values, tenants_use, search_letters_of_all, look_up_letters_of_all, count_letters_of_all,
  search_connections_of_all, letters_about, work_lines, names_of, remove_tenant from public;
grant execute on function count_sealed_values, tenants_use, search_letters_of_all, look_up_letters_of_all, count_letters_of_all,
  search_connections_of_all, letters_about, work_lines, names_of, remove_tenant to wealth_connect_upkeep;

-- Exchange rates, the same for all tenants: 1 `base` = `rate` `quote` on `date`. `source` is the name of a file, or a service.
create table exchange_rates (
  date date not null,
  base text collate "C" not null,
  quote text collate "C" not null,
  rate numeric not null check (rate > 0),
  source text not null,
  primary key (date, base, quote)
);
grant select on exchange_rates to public;
grant select, insert, update on exchange_rates to wealth_connect_upkeep;

-- When the rates of a service are fetched next, by whichever server claims it first.
create table exchange_rate_fetches (
  service text primary key,
  due_at timestamptz not null,
  succeeded_at timestamptz,
  failures integer not null default 0
);
grant select, insert, update on exchange_rate_fetches to wealth_connect_upkeep;
