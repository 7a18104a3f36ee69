-- Letters that the service generates, mail about letters, and moves that notice each other.

-- A move is made on the letter as it was read: the status alone could have come back meanwhile.
alter table letters add column version integer not null default 0;
-- Since when the letter has been in its status.
alter table letters add column status_since timestamptz;
update letters l set status_since = coalesce(
  (select max(m.at) from letter_moves m
    where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id and m.from_status is distinct from m.to_status),
  l.created_at);
alter table letters alter column status_since set not null;
create index letters_by_age_in_status on letters (tenant_id, status, status_since);

-- A letter that was generated is kept beside the signed one; documents go when the letter ends.
alter table letter_documents drop constraint letter_documents_kind_check;
alter table letter_documents add constraint letter_documents_kind_check check (kind in ('letter', 'annex', 'generated'));
grant delete on letter_documents to wealth_connect_app;

-- Who a generated letter is for, sealed; it goes when the letter ends.
create table letter_details (
  tenant_id uuid not null,
  letter_id uuid not null,
  sealed_details text not null,
  primary key (tenant_id, letter_id),
  foreign key (tenant_id, letter_id) references letters on delete cascade
);
grant select, insert, update, delete on letter_details to wealth_connect_app;
alter table letter_details enable row level security;
create policy own_tenant on letter_details to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

-- Outgoing mail, written in the transaction of the move that it is about.
create table mails (
  tenant_id uuid not null,
  mail_id uuid not null,
  letter_id uuid not null,
  kind text collate "C" not null check (kind in ('signature_request', 'authorization_letter', 'revocation_notice')),
  state text collate "C" not null check (state in ('queued', 'sent', 'in_doubt', 'failed', 'withdrawn')),
  -- Forgotten with the mail's end.
  recipient text,
  created_at timestamptz not null,
  -- When a queued mail is tried next; while a lease is held: when the lease ends.
  due_at timestamptz not null,
  lease uuid,
  -- Set before the mail server is given the last of the message: from then on nobody knows whether it was accepted, until it answers.
  handing_over boolean not null default false,
  attempts integer not null default 0,
  last_error text,
  settled_at timestamptz,
  primary key (tenant_id, mail_id),
  foreign key (tenant_id, letter_id) references letters on delete cascade
);
create index mails_by_id on mails (mail_id);
create index mails_of_letter on mails (tenant_id, letter_id);
create index mails_due on mails (due_at) where state = 'queued';
create index mails_newest_first on mails (created_at desc, mail_id desc);
create index mails_to_reap on mails (tenant_id, settled_at) where state in ('sent', 'withdrawn');

grant select, insert, update on mails to wealth_connect_app;
grant select, update, delete on mails to wealth_connect_upkeep;
alter table mails enable row level security;
create policy own_tenant on mails to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);
create policy all_tenants on mails to wealth_connect_upkeep using (true);

create or replace function count_sealed_values() returns table (place text, key_id text, value_count bigint)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.place, sealing_key_id(s.sealed), count(*)
  from (
    select 'server_keys.sealed' as place, sealed from server_keys
    union all select 'signing_keys.sealed_private_key', sealed_private_key from signing_keys
    union all select 'remembered_credentials.sealed_credentials', sealed_credentials from remembered_credentials
    union all select 'connections.sealed_access', sealed_access from connections
    union all select 'sessions.sealed_link', sealed_link from sessions
    union all select 'sessions.sealed_state', sealed_state from sessions
    union all select 'letter_documents.sealed_key', sealed_key from letter_documents
    union all select 'letter_details.sealed_details', sealed_details from letter_details
  ) s
  where s.sealed is not null
  group by 1, 2
  order by 1, 2
$$;
