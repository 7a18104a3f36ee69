-- A page of a tenant's connections reads that page: the function of 0049 read the names of all tenants, and all of the tenant's connections
-- to join them with their refreshes, from the newest on. `limit 1` keeps the planner from joining all before it sorts; where a page begins
-- and which id is asked for are bounds of the index.
create or replace function search_connections_of_all(
  p_tenant uuid, p_connection uuid, p_connectors text[], p_states text[], p_consent_before timestamptz, p_failing boolean,
  p_after uuid, p_limit integer
) returns table (
  tenant_id uuid, tenant_name text, connection_id uuid, connector_id text, bank text, provider text, labels jsonb, status jsonb,
  created_at timestamptz, letter_id uuid, is_planned boolean, due_at timestamptz, lease uuid, attempted_at timestamptz, outcome text
)
language sql stable security definer set search_path = public, pg_temp set jit = off
as $$
  select page.tenant_id, page.name, page.connection_id, page.connector_id, page.bank, page.provider, page.labels, page.status,
    page.created_at,
    (select l.letter_id from letters l where l.tenant_id = page.tenant_id and l.connection_id = page.connection_id limit 1),
    page.is_planned, page.due_at, page.lease, page.attempted_at, page.outcome
  from (
    select found.*, t.name
    from (
      select * from tenants where p_tenant is null
      union all
      select * from tenants where tenants.tenant_id = p_tenant
    ) t cross join lateral (
      select c.tenant_id, c.connection_id, c.connector_id, c.bank, c.provider, c.labels, c.status, c.created_at,
        r.connection_id is not null as is_planned, r.due_at, r.lease, r.attempted_at, r.outcome
      from connections c
      left join lateral (
        select * from connection_refreshes each
        where each.tenant_id = c.tenant_id and each.connection_id = c.connection_id
        limit 1
      ) r on true
      where c.tenant_id = t.tenant_id
        and c.connection_id < coalesce(p_after, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        and c.connection_id between coalesce(p_connection, '00000000-0000-0000-0000-000000000000')
          and coalesce(p_connection, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        and (p_connectors is null or c.connector_id = any (p_connectors))
        and (p_consent_before is null or r.consent_expires_at < p_consent_before)
        and (p_failing is null or (coalesce(r.failures, 0) > 0) = p_failing)
        and (p_states is null or p_states @> array[case
          when c.blocked then 'blocked'
          when coalesce(c.status ->> 'sca_token', '') <> '' or coalesce(c.status ->> 'reset_token', '') <> ''
            or coalesce((c.status #>> '{errored,product,auth}')::boolean, false) then 'needs_relogin'
          when c.pending then 'pending'
          else 'ready'
        end])
      order by c.connection_id desc
      limit p_limit
    ) found
    order by found.connection_id desc
    limit p_limit
  ) page
  order by page.connection_id desc
$$;
