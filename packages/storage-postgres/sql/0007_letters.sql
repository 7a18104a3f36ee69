create table letters (
  tenant_id uuid not null references tenants,
  letter_id uuid not null,
  connector_id text not null,
  status text collate "C" not null,
  previous_status text,
  ever_connected boolean not null,
  labels jsonb not null,
  contact_info jsonb not null,
  connection_id uuid,
  observations text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, letter_id)
);
create index letters_newest_first on letters (tenant_id, created_at desc, letter_id desc) include (status);
create index letters_of_connection on letters (tenant_id, connection_id) where connection_id is not null;

-- One row per label, with what a search filters and sorts by: a page or a count by label is a range of one index.
create table letter_labels (
  tenant_id uuid not null,
  letter_id uuid not null,
  key text collate "C" not null,
  value text collate "C" not null,
  created_at timestamptz not null,
  status text collate "C" not null,
  primary key (tenant_id, letter_id, key)
);
create index letter_labels_newest_first on letter_labels (tenant_id, key, value, created_at desc, letter_id desc) include (status);

-- Index-only scans want the visibility map kept up to date, also when rows are only added.
alter table letters set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);
alter table letter_labels set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05);

create table letter_documents (
  tenant_id uuid not null,
  letter_id uuid not null,
  kind text collate "C" not null check (kind in ('letter', 'annex')),
  sha256 text not null,
  size integer not null,
  sealed_key text not null,
  ciphertext bytea not null,
  primary key (tenant_id, letter_id, kind),
  foreign key (tenant_id, letter_id) references letters
);
-- Encrypted bytes do not compress.
alter table letter_documents alter column ciphertext set storage external;

create table letter_moves (
  tenant_id uuid not null,
  letter_id uuid not null,
  at timestamptz not null,
  move_id uuid not null,
  actor text not null,
  event text not null,
  from_status text,
  to_status text not null,
  note text,
  primary key (tenant_id, letter_id, at, move_id),
  foreign key (tenant_id, letter_id) references letters
);

create table idempotency_keys (
  tenant_id uuid not null references tenants,
  application_id text collate "C" not null,
  key text collate "C" not null,
  request_hash text not null,
  letter_id uuid not null,
  expires_at timestamptz not null,
  primary key (tenant_id, application_id, key)
);
create index idempotency_keys_to_reap on idempotency_keys (tenant_id, expires_at);

grant select, insert, update on letters, letter_labels, idempotency_keys to wealth_connect_app;
grant select, insert on letter_documents, letter_moves to wealth_connect_app;
grant select, delete on idempotency_keys to wealth_connect_upkeep;

alter table letters enable row level security;
alter table letter_labels enable row level security;
alter table letter_documents enable row level security;
alter table letter_moves enable row level security;
alter table idempotency_keys enable row level security;
create policy own_tenant on letters to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on letter_labels to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on letter_documents to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on letter_moves to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy own_tenant on idempotency_keys to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on idempotency_keys to wealth_connect_upkeep using (true);
