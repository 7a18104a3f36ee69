-- Which connector a refresh is for, so that those who refresh share their places between connectors; and how many leases in a row ran
-- out because whoever had them ended. Servers of the version before write neither: the trigger finds the connector.
alter table connection_refreshes
  add column connector_id text,
  add column lost_leases integer not null default 0;
update connection_refreshes r set connector_id = c.connector_id
from connections c where c.tenant_id = r.tenant_id and c.connection_id = r.connection_id;
alter table connection_refreshes alter column connector_id set not null;

create function set_refresh_connector() returns trigger
language plpgsql
as $$
begin
  new.connector_id := coalesce(new.connector_id, (
    select c.connector_id from connections c where c.tenant_id = new.tenant_id and c.connection_id = new.connection_id));
  return new;
end
$$;
create trigger set_connector before insert on connection_refreshes for each row execute function set_refresh_connector();

grant select (connector_id, lost_leases, attempted_at, outcome), update (lost_leases) on connection_refreshes to wealth_connect_upkeep;

-- As the function of migration 32, which servers of the version before call: what the installation's provider says counts for no tenant of
-- `p_except`, and what is put off because servers ended with it stays so.
create function hurry_refreshes(
  p_user_hashes text[], p_reference_hashes text[], p_tenant uuid, p_except uuid[], p_now timestamptz, p_pause interval
) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with named as (
    select r.tenant_id, r.connection_id from unnest(p_user_hashes) h (hash) join connection_refreshes r on r.user_hash = h.hash
    union
    select r.tenant_id, r.connection_id from unnest(p_reference_hashes) h (hash) join connection_refreshes r on r.reference_hash = h.hash
  ), found as (
    select r.tenant_id, r.connection_id
    from named n join connection_refreshes r on r.tenant_id = n.tenant_id and r.connection_id = n.connection_id
    where r.due_at is not null and (p_tenant is null or r.tenant_id = p_tenant) and r.tenant_id <> all (p_except)
    order by r.tenant_id, r.connection_id
    for update of r
  ), told as (
    update connection_refreshes r
    set notified_at = p_now,
      due_at = case
        when r.lease is not null and r.due_at > p_now then r.due_at
        when r.outcome = 'throttled' or r.lost_leases > 1 then r.due_at
        else least(r.due_at, greatest(p_now, r.attempted_at + p_pause))
      end
    from found f
    where r.tenant_id = f.tenant_id and r.connection_id = f.connection_id
    returning r.connection_id
  )
  select count(*) from told
$$;
revoke all on function hurry_refreshes(text[], text[], uuid, uuid[], timestamptz, interval) from public;
grant execute on function hurry_refreshes(text[], text[], uuid, uuid[], timestamptz, interval) to wealth_connect_upkeep;
