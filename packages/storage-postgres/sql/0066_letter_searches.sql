-- A search of a tenant's letters as one statement: the call takes the role and the tenant for itself, as reads of data do.

-- A page of letters, newest first, and with each of them the exact total; beyond the last page one row with the total alone. Criteria that are
-- null let everything pass. A letter must have all labels: `p_values` has the value of each of `p_keys`.
--
-- Page and total are computed each on its own: cheaper than counting over the page's window. Both run over an index only as far as the
-- criteria allow, that of the labels when one is named, and wide rows are fetched for the page alone. docs/letter-search.md has the plans.
create function search_letters(
  p_tenant uuid, p_connectors text[], p_statuses text[], p_ids uuid[], p_keys text[], p_values text[],
  p_created_from timestamptz, p_created_before timestamptz, p_updated_from timestamptz, p_updated_before timestamptz,
  p_offset bigint, p_limit integer
) returns table (
  total bigint, letter_id uuid, connector_id text, status text, previous_status text, ever_connected boolean, labels jsonb,
  contact_info jsonb, connection_id uuid, observations text, created_at timestamptz, updated_at timestamptz,
  status_since timestamptz, version integer
)
language plpgsql stable
as $$
declare
  is_labelled constant boolean := cardinality(p_keys) > 0;
  is_by_more constant boolean := num_nonnulls(
    p_connectors, p_ids, p_created_from, p_created_before, p_updated_from, p_updated_before
  ) > 0;
  matching text;
  on_letter text;
  counted text;
begin
  -- What is asked for most. A rare label and a frequent one want the same plan, which a connection makes once: an index's range, and the
  -- letters of the page one by one. It stays while the tables grow, so they are never read as a whole, though that may be cheaper at first.
  if cardinality(p_keys) = 1 and p_statuses is null and not is_by_more then
    perform
      set_config('role', 'wealth_connect_app', true),
      set_config('wealth_connect.tenant', p_tenant::text, true),
      set_config('plan_cache_mode', 'force_generic_plan', true),
      set_config('enable_seqscan', 'off', true);
    return query
      select counted.total, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
        l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version
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

  -- Any other search is planned for the values at hand: a connector, status or time with six letters and one with 400,000 want different
  -- plans. Values are parameters all the same, so that nothing that was asked for becomes part of the statement's text.
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
    -- No letter was changed before it was made: without this, a page would be looked for among all that were made since. The clocks of
    -- two servers differ by far less.
    || case when p_updated_before is null then '' else ' and hit.created_at < $9 + interval ''1 hour''' end;
  -- What only the letters themselves have, which are another table when there are labels.
  on_letter := case when p_connectors is null then '' else ' and letter.connector_id = any ($10)' end
    || case when p_updated_from is null then '' else ' and letter.updated_at >= $8' end
    || case when p_updated_before is null then '' else ' and letter.updated_at < $9' end;
  matching := matching || case
    when on_letter = '' then ''
    when is_labelled
      then ' and exists (select from letters letter where letter.tenant_id = $1 and letter.letter_id = hit.letter_id' || on_letter || ')'
    else replace(on_letter, 'letter.', 'hit.')
  end;

  -- The number of all letters, or of those of some statuses, is kept; any other is counted.
  counted := case
    when is_labelled or is_by_more then 'count(*) as total from ' || matching
    else 'coalesce(sum(letters), 0)::bigint as total from letter_counts where tenant_id = $1 and ($2 is null or status = any ($2))'
  end;

  return query execute '
    select counted.total, l.letter_id, l.connector_id, l.status, l.previous_status, l.ever_connected, l.labels, l.contact_info,
      l.connection_id, l.observations, l.created_at, l.updated_at, l.status_since, l.version
    from (select ' || counted || ') counted
    left join (
      (select hit.letter_id from ' || matching || ' order by hit.created_at desc, hit.letter_id desc limit $12 offset $11) page
      join letters l on l.tenant_id = $1 and l.letter_id = page.letter_id
    ) on true
    order by l.created_at desc, l.letter_id desc'
  using p_tenant, p_statuses, p_ids, p_keys, p_values, p_created_from, p_created_before, p_updated_from, p_updated_before,
    p_connectors, p_offset, p_limit;
end
$$;
