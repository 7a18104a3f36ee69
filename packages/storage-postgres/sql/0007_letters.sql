-- Letters, their documents, moves and mails.

-- The searchable words of a letter, normalized like `searchKey` of @org/core does with the search text, without case and accents: its id, its
-- connector's id, its labels and contacts, and its observations, and the tenant. Letters that Unicode does not decompose are replaced by what people type for
-- them: `ß` by `ss`, `ø` by `o`. Punctuation becomes spaces first, so that addresses and ids are found by their parts. The client's identity
-- is sealed, so it is not searched. This runs at every move; plain ASCII, as most letters have, skips the decomposition.
create function letter_words(p_tenant uuid, p_letter_id uuid, p_connector_id text, p_labels jsonb, p_contact_info jsonb, p_observations text)
returns tsvector
language plpgsql immutable parallel safe
as $$
declare
  said text := lower(concat_ws(' ', p_letter_id::text, p_connector_id, p_observations, p_labels::text, p_contact_info::text));
begin
  if octet_length(said) <> length(said) then
    said := regexp_replace(lower(normalize(said, NFKD)), U&'[\0300-\036f]', '', 'g');
    said := replace(replace(replace(replace(said, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    said := translate(said, 'øđðłħŧŋıĸς’‘ʼ‐‑–—', 'oddlhtnikσ       ');
  end if;
  -- First JSON's escapes of line ends and tabs, then all other punctuation.
  said := replace(replace(replace(said, '\n', ' '), '\r', ' '), '\t', ' ');
  return array_to_tsvector(array['/' || p_tenant]) || to_tsvector('pg_catalog.simple', translate(said, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
end
$$;

create table letters (
  tenant_id uuid not null references tenants,
  letter_id uuid not null,
  connector_id text not null,
  status text collate "C" not null,
  previous_status text,
  ever_connected boolean not null,
  labels jsonb not null,
  contact_info jsonb not null,
  connection_id uuid,
  observations text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A move applies to the letter as it was read. Comparing the status would not be enough: it could have changed and changed back meanwhile.
  version integer not null default 0,
  -- Since when the letter has been in its status.
  status_since timestamptz not null,
  client_ref text collate "C",
  primary key (tenant_id, letter_id),
  foreign key (tenant_id, client_ref) references clients on update cascade
);
-- Index-only scans need an up-to-date visibility map, even if rows are only added.
alter table letters set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
create index letters_newest_first on letters (tenant_id, created_at desc, letter_id desc) include (status);
create index letters_by_client on letters (tenant_id, client_ref, created_at desc, letter_id desc) include (status) where client_ref is not null;
create index letters_of_connection on letters (tenant_id, connection_id) where connection_id is not null;
-- A page or a count by status, connector or last change is also a range of one index.
create index letters_by_status on letters (tenant_id, status, created_at desc, letter_id desc);
create index letters_by_connector on letters (tenant_id, connector_id, created_at desc, letter_id desc) include (status);
create index letters_by_change on letters (tenant_id, updated_at) include (created_at, letter_id, status);
create index letters_by_age_in_status on letters (tenant_id, status, status_since);
create index letters_connected on letters (tenant_id, letter_id) where status = 'Connected';
create index letters_by_words on letters using gin (letter_words(tenant_id, letter_id, connector_id, labels, contact_info, observations));
-- Operators' searches across tenants must not go tenant by tenant: this index holds only letters that may need attention. Mails, refreshes,
-- endpoints, files and feeds have such indexes too.
create index letters_under_way on letters (status, status_since, letter_id) where status not in ('Connected', 'Cancelled', 'Revoked');
grant select, insert, update on letters to wealth_connect_app;
alter table letters enable row level security;
create policy own_tenant on letters to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- One row per label, with the columns that a search filters and sorts by: a page or a count by label is a range of one index.
create table letter_labels (
  tenant_id uuid not null,
  letter_id uuid not null,
  key text collate "C" not null,
  value text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  -- Answers whether a letter has a label without reading the table.
  primary key (tenant_id, letter_id, key) include (value)
);
alter table letter_labels set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
create index letter_labels_newest_first on letter_labels (tenant_id, key, value, created_at desc, letter_id desc) include (status);
grant select, insert, update on letter_labels to wealth_connect_app;
alter table letter_labels enable row level security;
create policy own_tenant on letter_labels to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- How many letters of each status a tenant has: the sum of its rows. A change adds rows instead of updating one row for which all writers
-- would wait; the clean-up merges them.
create table letter_counts (
  tenant_id uuid not null references tenants on delete cascade,
  status text collate "C" not null,
  part bigint generated by default as identity,
  letters bigint not null,
  primary key (tenant_id, status, part)
);
grant select, insert on letter_counts to wealth_connect_app;
alter table letter_counts enable row level security;
create policy own_tenant on letter_counts to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create function count_new_letters() returns trigger
language plpgsql
as $$
begin
  insert into letter_counts (tenant_id, status, letters)
  select tenant_id, status, count(*) from added group by tenant_id, status;
  return null;
end
$$;
create trigger count_new_letters after insert on letters
  referencing new table as added for each statement execute function count_new_letters();

create function count_moved_letters() returns trigger
language plpgsql
as $$
begin
  insert into letter_counts (tenant_id, status, letters)
  select tenant_id, status, sum(change)
  from (
    select tenant_id, status, 1 as change from after_move
    union all select tenant_id, status, -1 from before_move
  ) changes
  group by tenant_id, status
  having sum(change) <> 0;
  return null;
end
$$;
create trigger count_moved_letters after update on letters
  referencing old table as before_move new table as after_move for each statement execute function count_moved_letters();

create table letter_documents (
  tenant_id uuid not null,
  letter_id uuid not null,
  kind text collate "C" not null check (kind in ('letter', 'annex', 'generated')),
  sha256 text not null,
  size integer not null,
  sealed_key text not null,
  ciphertext bytea,
  -- What kind of signature the document carries.
  signature text collate "C" not null check (signature in ('none', 'present', 'intact')),
  -- The encrypted bytes may be in a bucket instead. The sealed key stays in this row, and without it they cannot be decrypted.
  object_key text collate "C",
  primary key (tenant_id, letter_id, kind),
  foreign key (tenant_id, letter_id) references letters,
  constraint letter_documents_place_check check (num_nonnulls(ciphertext, object_key) = 1)
);
-- Encrypted bytes do not compress.
alter table letter_documents alter column ciphertext set storage external;
grant select, insert, delete on letter_documents to wealth_connect_app;
-- Resealing a document's key leaves the document unchanged.
grant update (sealed_key) on letter_documents to wealth_connect_app;
alter table letter_documents enable row level security;
create policy own_tenant on letter_documents to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create function count_document_bytes() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    update tenant_usage set document_bytes = document_bytes - old.size where tenant_id = old.tenant_id;
  else
    insert into tenant_usage as used (tenant_id, document_bytes) values (new.tenant_id, new.size)
    on conflict (tenant_id) do update set document_bytes = used.document_bytes + excluded.document_bytes;
  end if;
  return null;
end
$$;
create trigger count_document_bytes after insert or delete on letter_documents
  for each row execute function count_document_bytes();

-- Objects to delete from the bucket: immediately if their document is gone, later if their row was never committed.
create table orphaned_objects (
  tenant_id uuid not null,
  object_key text collate "C" not null,
  due_at timestamptz not null,
  primary key (tenant_id, object_key)
);
create index orphaned_objects_by_due on orphaned_objects (due_at);
grant select, insert, delete on orphaned_objects to wealth_connect_app;
alter table orphaned_objects enable row level security;
create policy own_tenant on orphaned_objects to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create function orphan_object() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  insert into orphaned_objects values (old.tenant_id, old.object_key, '-infinity');
  return null;
end
$$;
create trigger orphan_object after delete on letter_documents
  for each row when (old.object_key is not null) execute function orphan_object();

-- The person a generated letter is for, sealed. The row is deleted when the letter ends.
create table letter_details (
  tenant_id uuid not null,
  letter_id uuid not null,
  sealed_details text not null,
  primary key (tenant_id, letter_id),
  foreign key (tenant_id, letter_id) references letters on delete cascade
);
grant select, insert, update, delete on letter_details to wealth_connect_app;
alter table letter_details enable row level security;
create policy own_tenant on letter_details to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create table letter_moves (
  tenant_id uuid not null,
  letter_id uuid not null,
  at timestamptz not null,
  move_id uuid not null,
  actor text not null,
  event text not null,
  from_status text,
  to_status text not null,
  note text,
  -- The letter's connection at that time: an ended letter no longer has one, and operators ask which it was. No foreign key, because the
  -- connection is deleted when the letter ends.
  connection_id uuid,
  primary key (tenant_id, letter_id, at, move_id),
  foreign key (tenant_id, letter_id) references letters
);
grant select, insert on letter_moves to wealth_connect_app;
alter table letter_moves enable row level security;
create policy own_tenant on letter_moves to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Outgoing mail, written in the transaction of the move that causes it.
create table mails (
  tenant_id uuid not null,
  mail_id uuid not null,
  letter_id uuid not null,
  kind text collate "C" not null check (kind in ('signature_request', 'authorization_letter', 'revocation_notice')),
  state text collate "C" not null check (state in ('queued', 'sent', 'in_doubt', 'failed', 'withdrawn')),
  -- Erased when the mail is settled.
  recipient text,
  created_at timestamptz not null,
  -- When a queued mail is next attempted; while a lease is held: when the lease ends.
  due_at timestamptz not null,
  lease uuid,
  -- Set before the end of the message is sent to the mail server: from then until the server replies, it is unknown whether it accepted the
  -- mail.
  handing_over boolean not null default false,
  attempts integer not null default 0,
  last_error text,
  settled_at timestamptz,
  primary key (tenant_id, mail_id),
  foreign key (tenant_id, letter_id) references letters on delete cascade
);
create index mails_by_id on mails (mail_id);
create index mails_of_letter on mails (tenant_id, letter_id);
create index mails_due on mails (due_at) where state = 'queued';
create index mails_newest_first on mails (created_at desc, mail_id desc);
create index mails_to_reap on mails (tenant_id, settled_at) where state in ('sent', 'withdrawn');
create index mails_troubled on mails (state, (coalesce(settled_at, created_at)), mail_id) where state in ('failed', 'in_doubt');
grant select, insert, update on mails to wealth_connect_app;
grant select, update on mails to wealth_connect_upkeep;
alter table mails enable row level security;
create policy own_tenant on mails to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on mails to wealth_connect_upkeep using (true);

create table idempotency_keys (
  tenant_id uuid not null references tenants,
  application_id text collate "C" not null,
  key text collate "C" not null,
  request_hash text not null,
  letter_id uuid not null,
  expires_at timestamptz not null,
  primary key (tenant_id, application_id, key)
);
create index idempotency_keys_to_reap on idempotency_keys (tenant_id, expires_at);
grant select, insert, update on idempotency_keys to wealth_connect_app;
alter table idempotency_keys enable row level security;
create policy own_tenant on idempotency_keys to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- The number of a tenant's letters and their document bytes, including those of this transaction. Other callers for this tenant wait until it
-- ends.
create function letters_used(p_tenant uuid) returns table (letters bigint, document_bytes bigint)
language plpgsql
as $$
begin
  insert into tenant_usage (tenant_id) values (p_tenant) on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = p_tenant for update;
  return query
    select (select coalesce(sum(c.letters), 0)::bigint from letter_counts c where c.tenant_id = p_tenant), u.document_bytes
    from tenant_usage u where u.tenant_id = p_tenant;
end
$$;

-- A page of letters, newest first, each with the exact total; beyond the last page a single row with only the total. Criteria that are null let
-- everything pass. A letter must have all labels: `p_values` holds the value of each of `p_keys`.
--
-- Page and total are computed separately, which is cheaper than counting over the page's window. Both scan an index only as far as the criteria
-- allow (the label index if a label is named), and wide rows are fetched only for the page. docs/explanation/letter-search.md shows the plans.
create function search_letters(
  p_tenant uuid, p_connectors text[], p_statuses text[], p_ids uuid[], p_keys text[], p_values text[],
  p_created_from timestamptz, p_created_before timestamptz, p_updated_from timestamptz, p_updated_before timestamptz,
  p_offset bigint, p_limit integer, p_clients text[]
) returns table (
  total bigint, letter_id uuid, connector_id text, status text, previous_status text, ever_connected boolean, labels jsonb,
  contact_info jsonb, connection_id uuid, observations text, created_at timestamptz, updated_at timestamptz,
  status_since timestamptz, version integer, client_ref text, client_name text
)
language plpgsql stable
as $$
declare
  is_labelled constant boolean := cardinality(p_keys) > 0;
  is_by_more constant boolean := num_nonnulls(
    p_connectors, p_ids, p_created_from, p_created_before, p_updated_from, p_updated_before, p_clients
  ) > 0;
  matching text;
  on_letter text;
  counted text;
begin
  -- The most common search. Rare and frequent labels want the same plan, an index range and then the page's letters one by one, so a connection
  -- plans it once. The plan stays while the tables grow, so it never reads a whole table, even where that would be cheaper at first.
  if cardinality(p_keys) = 1 and p_statuses is null and not is_by_more then
    perform
      set_config('role', 'wealth_connect_app', true),
      set_config('wealth_connect.tenant', p_tenant::text, true),
      set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('enable_seqscan', 'off', true);
    return query
      select counted.total, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
        l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version, l.client_ref,
        (select k.name from clients k where k.tenant_id = p_tenant and k.client_ref = l.client_ref)
      from (
        select count(*) as total from letter_labels hit
        where hit.tenant_id = p_tenant and hit.key = p_keys[1] and hit.value = p_values[1]
      ) counted
      left join (
        (
          select hit.letter_id from letter_labels hit
          where hit.tenant_id = p_tenant and hit.key = p_keys[1] and hit.value = p_values[1]
          order by hit.created_at desc, hit.letter_id desc
          limit p_limit offset p_offset
        ) page
        cross join lateral (
          select * from letters of_page where of_page.tenant_id = p_tenant and of_page.letter_id = page.letter_id limit 1
        ) l
      ) on true
      order by l.created_at desc, l.letter_id desc;
    return;
  end if;

  -- Any other search is planned for its values: a connector, status or time with six letters needs another plan than one with 400,000. Values
  -- are
  -- passed as parameters all the same, so that user input never becomes part of the statement's text.
  perform set_config('role', 'wealth_connect_app', true), set_config('wealth_connect.tenant', p_tenant::text, true);
  matching := case when is_labelled then 'letter_labels' else 'letters' end || ' hit where hit.tenant_id = $1';
  for nth in 1 .. cardinality(p_keys) loop
    matching := matching || case
      when nth = 1 then ' and hit.key = $4[1] and hit.value = $5[1]'
      else format(' and exists (select from letter_labels other where other.tenant_id = $1 and other.letter_id = hit.letter_id
        and other.key = $4[%1$s] and other.value = $5[%1$s])', nth)
    end;
  end loop;
  matching := matching
    || case when p_statuses is null then '' else ' and hit.status = any ($2)' end
    || case when p_ids is null then '' else ' and hit.letter_id = any ($3)' end
    || case when p_created_from is null then '' else ' and hit.created_at >= $6' end
    || case when p_created_before is null then '' else ' and hit.created_at < $7' end
    -- A letter is never changed before it is created; without this condition the search would go through all letters created since. The clocks
    -- of
    -- two servers differ by far less than an hour.
    || case when p_updated_before is null then '' else ' and hit.created_at < $9 + interval ''1 hour''' end;
  -- Conditions on columns that only the letters table has, which is a second table if there are labels.
  on_letter := case when p_connectors is null then '' else ' and letter.connector_id = any ($10)' end
    || case when p_clients is null then '' else ' and letter.client_ref = any ($13)' end
    || case when p_updated_from is null then '' else ' and letter.updated_at >= $8' end
    || case when p_updated_before is null then '' else ' and letter.updated_at < $9' end;
  matching := matching || case
    when on_letter = '' then ''
    when is_labelled
      then ' and exists (select from letters letter where letter.tenant_id = $1 and letter.letter_id = hit.letter_id' || on_letter || ')'
    else replace(on_letter, 'letter.', 'hit.')
  end;

  -- The number of all letters, or of those in some statuses, is stored; any other is counted.
  counted := case
    when is_labelled or is_by_more then 'count(*) as total from ' || matching
    else 'coalesce(sum(letters), 0)::bigint as total from letter_counts where tenant_id = $1 and ($2 is null or status = any ($2))'
  end;

  return query execute '
    select counted.total, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
      l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version, l.client_ref,
      (select k.name from clients k where k.tenant_id = $1 and k.client_ref = l.client_ref)
    from (select ' || counted || ') counted
    left join (
      (select hit.letter_id from ' || matching || ' order by hit.created_at desc, hit.letter_id desc limit $12 offset $11) page
      join letters l on l.tenant_id = $1 and l.letter_id = page.letter_id
    ) on true
    order by l.created_at desc, l.letter_id desc'
  using p_tenant, p_statuses, p_ids, p_keys, p_values, p_created_from, p_created_before, p_updated_from, p_updated_before,
    p_connectors, p_offset, p_limit, p_clients;
end
$$;

create function orphaned_objects_due(p_now timestamptz, p_limit integer) returns table (tenant_id uuid, object_key text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select tenant_id, object_key from orphaned_objects where due_at <= p_now order by due_at limit p_limit
$$;

create function forget_objects(p_tenants uuid[], p_keys text[]) returns void
language sql security definer set search_path = public, pg_temp
as $$
  delete from orphaned_objects l using unnest(p_tenants, p_keys) gone (tenant_id, object_key)
  where l.tenant_id = gone.tenant_id and l.object_key = gone.object_key
$$;

-- The condition is repeated outside because a key may have been claimed again meanwhile.
create function reap_idempotency_keys(p_now timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.application_id, found.key
    from tenants t cross join lateral (
      select c.application_id, c.key from idempotency_keys c
      where c.tenant_id = t.tenant_id and c.expires_at < p_now
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from idempotency_keys k using old
    where k.tenant_id = old.tenant_id and k.application_id = old.application_id and k.key = old.key and k.expires_at < p_now
    returning k.key
  )
  select count(*) from gone
$$;

create function reap_mails(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.mail_id
    from tenants t cross join lateral (
      select c.mail_id from mails c
      where c.tenant_id = t.tenant_id and c.state in ('sent', 'withdrawn') and c.settled_at < p_before
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from mails m using old where m.tenant_id = old.tenant_id and m.mail_id = old.mail_id
    returning m.mail_id
  )
  select count(*) from gone
$$;

-- Merges the partial counts of tenants that have more than `p_parts` of them; returns how many rows that saved. A concurrent reader sees either
-- all parts or the sums.
create function join_letter_counts(p_parts integer, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with parts as (
    delete from letter_counts c using (
      select m.tenant_id from letter_counts m group by m.tenant_id having count(*) > p_parts limit p_limit
    ) many
    where c.tenant_id = many.tenant_id
    returning c.tenant_id, c.status, c.letters
  ), sums as (
    insert into letter_counts (tenant_id, status, letters)
    select p.tenant_id, p.status, sum(p.letters) from parts p group by p.tenant_id, p.status
    returning tenant_id
  )
  select (select count(*) from parts) - (select count(*) from sums)
$$;

-- These work across all tenants: only upkeep may call them.
revoke all on function orphaned_objects_due, forget_objects, reap_idempotency_keys, reap_mails, join_letter_counts from public;
grant execute on function orphaned_objects_due, forget_objects, reap_idempotency_keys, reap_mails, join_letter_counts
  to wealth_connect_upkeep;
