-- A document's encrypted bytes may lie in a bucket instead. What opens them stays in the row, without which they say nothing.
alter table letter_documents add column object_key text collate "C";
alter table letter_documents alter column ciphertext drop not null;
alter table letter_documents add constraint letter_documents_place_check check (num_nonnulls(ciphertext, object_key) = 1);

-- Objects that are to go from the bucket: those whose document is gone, at once, and those whose row has not come in time.
create table loose_objects (
  tenant_id uuid not null,
  object_key text collate "C" not null,
  due_at timestamptz not null,
  primary key (tenant_id, object_key)
);
create index loose_objects_due on loose_objects (due_at);
grant select, insert, delete on loose_objects to wealth_connect_app;
alter table loose_objects enable row level security;
create policy own_tenant on loose_objects to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create function loosen_object() returns trigger
language plpgsql set search_path = public, pg_temp
as $$
begin
  insert into loose_objects values (old.tenant_id, old.object_key, '-infinity');
  return null;
end
$$;
create trigger loosen_object after delete on letter_documents
  for each row when (old.object_key is not null) execute function loosen_object();

create function loose_objects_until(p_now timestamptz, p_limit integer) returns table (tenant_id uuid, object_key text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select tenant_id, object_key from loose_objects where due_at <= p_now order by due_at limit p_limit
$$;
create function forget_objects(p_tenants uuid[], p_keys text[]) returns void
language sql security definer set search_path = public, pg_temp
as $$
  delete from loose_objects l using unnest(p_tenants, p_keys) gone (tenant_id, object_key)
  where l.tenant_id = gone.tenant_id and l.object_key = gone.object_key
$$;
revoke all on function loose_objects_until, forget_objects from public;
grant execute on function loose_objects_until, forget_objects to wealth_connect_upkeep;
