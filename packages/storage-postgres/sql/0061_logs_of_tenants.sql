-- A log's counter is made only while its tenant is there, and holds the tenant until it stands: a number given while the tenant was being
-- deleted left a counter behind. What a transaction under way still wrote for a tenant that is gone goes when it would get its number.
create or replace function sequence_events(p_tenant uuid, p_limit integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  installation constant uuid := '00000000-0000-0000-0000-000000000000';
  last bigint;
  numbered bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'events are numbered in read committed only' using errcode = 'active_sql_transaction';
  end if;
  select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  if not found then
    perform from tenants t where t.tenant_id = p_tenant for key share;
    if not found and p_tenant <> installation then
      delete from events e where e.tenant_id = p_tenant;
      return 0;
    end if;
    insert into event_counters (tenant_id) values (p_tenant) on conflict do nothing;
    select c.last_sequence into last from event_counters c where c.tenant_id = p_tenant for update;
  end if;
  update events e set sequence = last + n.place
  from (
    select u.event_id, row_number() over (order by u.written) as place
    from (
      select o.event_id, o.written from events o
      where o.tenant_id = p_tenant and o.sequence is null
      order by o.written
      limit p_limit
    ) u
  ) n
  where e.tenant_id = p_tenant and e.event_id = n.event_id;
  get diagnostics numbered = row_count;
  if numbered > 0 then
    update event_counters c set last_sequence = last + numbered where c.tenant_id = p_tenant;
    perform fan_out_events(p_tenant, last, last + numbered);
  end if;
  return numbered;
end
$$;

-- What was left until now.
with gone as (
  delete from event_counters c
  where c.tenant_id <> '00000000-0000-0000-0000-000000000000' and not exists (select from tenants t where t.tenant_id = c.tenant_id)
  returning c.tenant_id
)
delete from events e using gone where e.tenant_id = gone.tenant_id;
