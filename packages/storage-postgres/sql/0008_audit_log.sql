-- Who did what to which object, ids only. Nobody may change or delete a line.
create table audit_log (
  tenant_id uuid not null,
  audit_id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  trace_id text,
  address text,
  facts jsonb not null,
  primary key (tenant_id, audit_id)
);

grant select, insert on audit_log to wealth_connect_app;
alter table audit_log enable row level security;
create policy own_tenant on audit_log to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
