-- The drop folder is a source like others: what of it cannot be stored is held with their files.
alter table feed_sources drop constraint feed_sources_kind_check,
  add constraint feed_sources_kind_check check (kind in ('sftp', 'push', 'folder'));

-- What needs somebody now, as before but for files that are held: those of the drop folder are somebody's.
create or replace function work_lines(
  p_tenant uuid, p_kinds text[], p_listed text[], p_days jsonb, p_now timestamptz, p_counted integer,
  p_after_kind text, p_after_since timestamptz, p_after_id text, p_limit integer
) returns table (
  kind text, lines bigint, since timestamptz, subject_id text, tenant_id uuid, tenant_name text, facts jsonb
)
language plpgsql stable security definer set search_path = public, pg_temp set jit = off
as $$
#variable_conflict use_column
declare
  one text;
  -- Where a kind's lines are found, what stands behind `from`, and what a line is made of. `x` is what the line is about.
  rest text;
  at_column text;
  id_column text;
  id_type text;
  owner_column text;
  facts_of text;
  of_tenant constant text := case when p_tenant is null then '' else ' and x.tenant_id = $1' end;
  found_lines bigint;
  wanted integer := p_limit;
  mail_of constant text := 'case x.status when ''SentToUser'' then ''signature_request'' when ''SentToCustodian'' then ''authorization_letter''
    when ''Discontinued'' then ''revocation_notice'' end';
  under_way constant text := ' and x.status not in (''Connected'', ''Cancelled'', ''Revoked'')';
  -- Whoever notes something on a letter has looked after it.
  noted_since constant text := 'exists (select from letter_moves m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id
    and m.event = ''observe'' and m.at >= ';
  a_mail constant text := 'exists (select from mails m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id and ';
  last_block constant text := '(select m.%s from letter_moves m where m.tenant_id = x.tenant_id and m.letter_id = x.letter_id
    and m.event = ''block'' order by m.at desc limit 1)';
  letter_facts constant text := 'jsonb_build_object(''letter_id'', x.letter_id, ''connector_id'', x.connector_id, ''status'', x.status,
    ''labels'', x.labels, ''observations'', x.observations, ''connection_id'', x.connection_id, ''previous_status'', x.previous_status)';
  connection_facts constant text := '(select jsonb_build_object(''connection_id'', c.connection_id, ''connector_id'', c.connector_id,
    ''labels'', c.labels) from connections c where c.tenant_id = x.tenant_id and c.connection_id = x.connection_id)';
begin
  foreach one in array p_kinds loop
    owner_column := 'x.tenant_id';
    id_type := 'uuid';
    case one
      when 'letter_overdue' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        facts_of := letter_facts || ' || jsonb_build_object(''limit_days'', x.limit_days)';
        -- Of each status as many as can be wanted. A mail that failed, or never was, is a line of its own.
        rest := 'jsonb_each_text($2) d (status, days) cross join lateral (
          select x.*, d.days::integer as limit_days from letters x
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
        facts_of := letter_facts;
        -- Among those that have waited longest: whoever has more of them to look after than these begins here.
        rest := '(values (''SentToUser''), (''SentToCustodian''), (''Discontinued'')) d (status) cross join lateral (
          select x.* from letters x where x.status = d.status' || under_way || '{tenant}
          order by x.status_since, x.letter_id limit 2000
        ) x where not ' || a_mail || 'm.kind = ' || mail_of || ' and m.state <> ''withdrawn'')
          and not ' || noted_since || 'x.status_since){behind}';
      when 'letter_blocked', 'feed_silent' then
        at_column := 'x.status_since';
        id_column := 'x.letter_id';
        facts_of := letter_facts || ' || jsonb_build_object(''note'', ' || format(last_block, 'note') || ')';
        rest := 'letters x where x.status = ''Blocked''' || under_way || '{tenant} and ' || format(last_block, 'actor')
          || case one when 'feed_silent' then ' = ''system''' else ' is distinct from ''system''' end || '{behind}';
      when 'mail_failed', 'mail_in_doubt' then
        at_column := 'coalesce(x.settled_at, x.created_at)';
        id_column := 'x.mail_id';
        facts_of := 'jsonb_build_object(''letter_id'', x.letter_id, ''mail_id'', x.mail_id, ''mail_kind'', x.kind, ''recipient'', x.recipient,
          ''reason'', x.last_error, ''attempts'', x.attempts) || (select jsonb_build_object(''connector_id'', l.connector_id, ''status'', l.status,
          ''labels'', l.labels) from letters l where l.tenant_id = x.tenant_id and l.letter_id = x.letter_id)';
        rest := 'mails x where x.state = ''' || replace(one, 'mail_', '') || '''{tenant}{behind}';
      when 'connection_relogin' then
        at_column := 'x.attempted_at';
        id_column := 'x.connection_id';
        facts_of := connection_facts;
        rest := 'connection_refreshes x where x.due_at is null and x.outcome is distinct from ''already_exists''{tenant}{behind}';
      when 'consent_ending' then
        at_column := '(x.consent_expires_at - interval ''168 hours'')';
        id_column := 'x.connection_id';
        facts_of := connection_facts || ' || jsonb_build_object(''until'', x.consent_expires_at)';
        rest := 'connection_refreshes x where x.due_at is not null and x.consent_expires_at is not null
          and x.consent_expires_at <= $3 + interval ''168 hours''{tenant}{behind}';
      when 'webhook_disabled' then
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
        at_column := 'coalesce(x.succeeded_at, x.created_at)';
        id_column := 'x.source';
        id_type := 'text';
        owner_column := 'null::uuid';
        facts_of := 'jsonb_build_object(''source'', x.source, ''reason'', x.last_error, ''attempts'', x.failures)';
        rest := 'feed_sources x where x.is_enabled and x.failures >= 3{installation}{behind}';
      when 'file_held' then
        at_column := 'x.came_at';
        id_column := 'x.file_id';
        facts_of := 'jsonb_build_object(''source'', x.source, ''name'', x.name, ''until'', (select h.held_until from feed_held h where h.file_id = x.file_id),
          ''connector_id'', x.connector_id, ''connection_id'', x.connection_id, ''letter_id'', case when x.connection_id is null then x.id end)';
        -- A file of the drop folder lay in the folder of the connection or letter that it is for; a source may be anybody's.
        rest := '(
          select f.file_id, f.source, f.name, f.came_at, o.*
          from feed_source_files f left join lateral feeds_of(array[case
            when f.source = ''drop-folder'' and f.name ~* ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'' then split_part(f.name, ''/'', 1)::uuid
          end]) o on true
          where f.state = ''held''
        ) x where true{tenant}{behind}';
      when 'pages_overdue' then
        at_column := 'x.lapsed_at';
        id_column := '(x.connection_id || '' '' || x.statement)';
        id_type := 'text';
        facts_of := connection_facts || ' || jsonb_build_object(''letter_id'', x.letter_id, ''statement'', x.statement, ''name'', x.title)';
        rest := 'waiting_statements(null) x where x.lapsed_at is not null{tenant}{behind}';
      when 'feed_differs' then
        at_column := 'x.found_at';
        id_column := 'x.connection_id';
        facts_of := connection_facts || ' || jsonb_build_object(''differences'', x.differences)';
        -- Of the last week; the newest of them, should there be very many.
        rest := '(
          select x.tenant_id, x.connection_id, min(x.found_at) as found_at, count(*) as differences
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
    rest := replace(replace(rest, '{tenant}', of_tenant), '{installation}', case when p_tenant is null then '' else ' and false' end);

    execute 'select count(*) from (select from ' || replace(rest, '{behind}', '') || ' limit $6) counted'
    into found_lines using p_tenant, p_days, p_now, p_after_since, p_after_id, p_counted;
    return query select one, found_lines, null::timestamptz, null::text, null::uuid, null::text, null::jsonb;

    if found_lines > 0 and wanted > 0 and one = any (p_listed)
      and (p_after_kind is null or array_position(p_kinds, one) >= array_position(p_kinds, p_after_kind)) then
      return query execute 'select $7, null::bigint, page.since, page.subject_id::text, page.owner, t.name, jsonb_strip_nulls(page.facts)
        from (
          select ' || at_column || ' as since, ' || id_column || ' as subject_id, ' || owner_column || ' as owner, ' || facts_of || ' as facts
          from ' || replace(rest, '{behind}', case when p_after_kind = one
            then ' and (' || at_column || ', ' || id_column || ') > ($4, $5::' || id_type || ')' else '' end)
          || ' order by 1, 2 limit $6
        ) page left join tenants t on t.tenant_id = page.owner order by page.since, page.subject_id'
      using p_tenant, p_days, p_now, p_after_since, p_after_id, wanted, one;
      get diagnostics found_lines = row_count;
      wanted := wanted - found_lines::integer;
    end if;
  end loop;
end
$$;
