-- What tenants may have at most, and what they have.

-- Where a tenant's limit differs from the installation's, and where the installation's differ from those built in.
create table tenant_limits (
  tenant_id uuid not null references tenants on delete cascade,
  name text collate "C" not null,
  value bigint not null check (value >= 0),
  primary key (tenant_id, name)
);
create table installation_limits (
  name text collate "C" primary key,
  value bigint not null check (value >= 0)
);
grant select, insert, update, delete on tenant_limits, installation_limits to wealth_connect_upkeep;
alter table tenant_limits enable row level security;
create policy all_tenants on tenant_limits to wealth_connect_upkeep using (true);

-- Bytes of the documents of a tenant's letters. The lock of its row puts those in order who are about to add something that is limited.
create table tenant_usage (
  tenant_id uuid primary key references tenants on delete cascade,
  document_bytes bigint not null default 0
);
insert into tenant_usage (tenant_id, document_bytes)
select tenant_id, sum(size) from letter_documents group by tenant_id;
grant select, insert, update on tenant_usage to wealth_connect_app;
alter table tenant_usage enable row level security;
create policy own_tenant on tenant_usage to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

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

-- A tenant's letters and their bytes, those of this transaction included; nobody else who asks adds any until it ends.
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

-- The same for open Connect sessions, with when the first of them ends.
create function open_sessions_used(p_tenant uuid, p_at timestamptz) returns table (open_sessions bigint, first_ends timestamptz)
language plpgsql
as $$
begin
  insert into tenant_usage (tenant_id) values (p_tenant) on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = p_tenant for update;
  return query
    select count(*), min(s.expires_at) from sessions s
    where s.tenant_id = p_tenant and not s.finished and s.expires_at > p_at;
end
$$;

-- What one tenant has, or (null) each. Numbers only, so that no role has to see the rows.
create function tenants_use(p_tenant uuid, p_at timestamptz)
returns table (tenant_id uuid, grants bigint, open_sessions bigint, letters bigint, document_bytes bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select t.tenant_id,
    (select count(*) from grants g where g.tenant_id = t.tenant_id and g.ended_at is null and g.refresh_expires_at > p_at),
    (select count(*) from sessions s where s.tenant_id = t.tenant_id and not s.finished and s.expires_at > p_at),
    (select coalesce(sum(c.letters), 0)::bigint from letter_counts c where c.tenant_id = t.tenant_id),
    coalesce((select u.document_bytes from tenant_usage u where u.tenant_id = t.tenant_id), 0)
  from tenants t
  where p_tenant is null or t.tenant_id = p_tenant
$$;
revoke all on function tenants_use from public;
grant execute on function tenants_use to wealth_connect_upkeep;
