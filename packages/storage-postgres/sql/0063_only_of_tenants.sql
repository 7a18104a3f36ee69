-- People, webhook endpoints and the state of providers are the installation's or a tenant's, so that no foreign key says whose. What was
-- added while a tenant was being deleted stayed behind for good, and an invited person could still join.
create function tenant_is_there() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if new.tenant_id <> '00000000-0000-0000-0000-000000000000' then
    -- As a foreign key does: a deletion waits until this is committed, and then takes it along.
    perform from tenants t where t.tenant_id = new.tenant_id for key share;
    if not found then
      raise exception 'there is no tenant %', new.tenant_id using errcode = 'foreign_key_violation', constraint = 'tenant_is_there';
    end if;
  end if;
  return new;
end
$$;
revoke all on function tenant_is_there() from public;
grant execute on function tenant_is_there() to wealth_connect_upkeep;
create trigger tenant_is_there before insert on people for each row execute function tenant_is_there();
create trigger tenant_is_there before insert on webhook_endpoints for each row execute function tenant_is_there();
create trigger tenant_is_there before insert on provider_circuits for each row execute function tenant_is_there();

create function forget_circuits() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  delete from provider_circuits where tenant_id = old.tenant_id;
  return null;
end
$$;
revoke all on function forget_circuits() from public;
grant execute on function forget_circuits() to wealth_connect_upkeep;
create trigger forget_circuits after delete on tenants for each row execute function forget_circuits();

-- What was left until now; passkeys, sessions and deliveries go with the rows that they are of.
delete from people p
where p.tenant_id <> '00000000-0000-0000-0000-000000000000' and not exists (select from tenants t where t.tenant_id = p.tenant_id);
delete from webhook_endpoints e
where e.tenant_id <> '00000000-0000-0000-0000-000000000000' and not exists (select from tenants t where t.tenant_id = e.tenant_id);
delete from webhook_deliveries d
where d.tenant_id <> '00000000-0000-0000-0000-000000000000' and not exists (select from tenants t where t.tenant_id = d.tenant_id);
delete from provider_circuits c
where c.tenant_id <> '00000000-0000-0000-0000-000000000000' and not exists (select from tenants t where t.tenant_id = c.tenant_id);
