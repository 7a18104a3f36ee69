-- The letters of a connector that files may be for, without what only people read: a file of a source is for whichever of them names its
-- account. Of thousands nothing is read again while none of them changes.

-- The oldest `p_limit` letters, 500 to a row: `[tenant_id, letter_id, connection_id, version]` each; and a digest of all of them. Where
-- there are none, and where the digest is `p_known`, there is one row without letters.
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
revoke all on function letters_for_files(text, uuid, text[], integer, text) from public;
grant execute on function letters_for_files(text, uuid, text[], integer, text) to wealth_connect_upkeep;
