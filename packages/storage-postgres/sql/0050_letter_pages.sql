-- Pages of the letters of all tenants behind a letter, however far that is, and how many letters stand in each status.

-- As the function of fifteen arguments (migration 0024), which servers of the version before call, and behind `p_after` and `p_after_id`
-- where they are given: the moment that the order goes by, and the id.
create function search_letters_of_all(
  p_tenant uuid, p_connectors text[], p_statuses text[], p_ids uuid[], p_labels jsonb,
  p_created_from timestamptz, p_created_before timestamptz, p_updated_from timestamptz, p_updated_before timestamptz,
  p_in_status_before timestamptz, p_words text, p_mail_of jsonb, p_order text, p_offset bigint, p_limit integer, p_after timestamptz, p_after_id uuid
) returns table (
  total bigint, tenant_id uuid, tenant_name text, letter_id uuid, connector_id text, status text, previous_status text,
  ever_connected boolean, labels jsonb, contact_info jsonb, connection_id uuid, observations text, created_at timestamptz,
  updated_at timestamptz, status_since timestamptz, version integer, mails jsonb
)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off
as $$
#variable_conflict use_column
declare
  criteria text := '';
  sorted text := case p_order
    when 'oldest' then 'created_at, letter_id'
    when 'longest_in_status' then 'status_since, letter_id'
    when 'last_changed' then 'updated_at desc, letter_id desc'
    else 'created_at desc, letter_id desc'
  end;
  -- What comes behind the last letter of the page before.
  behind text := case
    when p_after is null then ''
    when p_order = 'oldest' then ' and (l.created_at, l.letter_id) > ($16, $17)'
    when p_order = 'longest_in_status' then ' and (l.status_since, l.letter_id) > ($16, $17)'
    when p_order = 'last_changed' then ' and (l.updated_at, l.letter_id) < ($16, $17)'
    else ' and (l.created_at, l.letter_id) < ($16, $17)'
  end;
  of_tenants text := case when p_tenant is null then '' else ' where t.tenant_id = $1' end;
  parts text;
  label_key text;
  label_value text;
  found_letters bigint;
begin
  if p_connectors is not null then criteria := criteria || ' and l.connector_id = any ($2)'; end if;
  if p_statuses is not null then criteria := criteria || ' and l.status = any ($3)'; end if;
  if p_ids is not null then criteria := criteria || ' and l.letter_id = any ($4)'; end if;
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
    parts := 'letters l join tenants t using (tenant_id) where letter_words(l.letter_id, l.connector_id, l.labels, l.contact_info, l.observations)
      @@ to_tsquery(''pg_catalog.simple'', $11)' || replace(of_tenants, ' where', ' and') || criteria;
    execute 'select count(*) from ' || parts into found_letters
    using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
      p_in_status_before, p_words, p_mail_of;
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
        p_in_status_before, p_words, p_mail_of;
    end if;
    parts := 'select l.tenant_id, l.letter_id, l.created_at, l.updated_at, l.status_since from letters l where l.tenant_id = t.tenant_id' || criteria || behind;
    if p_order = 'longest_in_status' then
      parts := 'select found.* from tenants t cross join (select distinct status from letter_counts where $3 is null or status = any ($3)) s
        cross join lateral (' || parts || ' and l.status = s.status order by ' || sorted || ' limit $13 + $14) found' || of_tenants;
    else
      parts := 'select found.* from tenants t cross join lateral (' || parts || ' order by ' || sorted || ' limit $13 + $14) found' || of_tenants;
    end if;
  end if;

  return query execute '
    select $15, l.tenant_id, t.name, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
      l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version,
      (select coalesce(jsonb_agg(to_jsonb(m) - ''tenant_id'' order by m.created_at, m.mail_id), ''[]'')
       from mails m where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id)
    from (select) once
    left join (select tenant_id, letter_id from (' || parts || ') found order by ' || sorted || ' limit $14 offset $13) page on true
    left join letters l on l.tenant_id = page.tenant_id and l.letter_id = page.letter_id
    left join tenants t on t.tenant_id = l.tenant_id
    order by ' || regexp_replace(sorted, '(\w+_\w+)', 'l.\1', 'g')
  using p_tenant, p_connectors, p_statuses, p_ids, p_labels, p_created_from, p_created_before, p_updated_from, p_updated_before,
    p_in_status_before, p_words, p_mail_of, p_offset, p_limit, found_letters, p_after, p_after_id;
end
$$;
revoke all on function search_letters_of_all(uuid, text[], text[], uuid[], jsonb, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, text, jsonb, text, bigint, integer, timestamptz, uuid) from public;
grant execute on function search_letters_of_all(uuid, text[], text[], uuid[], jsonb, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, text, jsonb, text, bigint, integer, timestamptz, uuid)
  to wealth_connect_upkeep;

-- Of every status in which there are letters: how many, and since when the one has that stands there longest. The counts are kept, and
-- the first of each tenant and status is found by an index.
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
revoke all on function count_letters_of_all from public;
grant execute on function count_letters_of_all to wealth_connect_upkeep;
