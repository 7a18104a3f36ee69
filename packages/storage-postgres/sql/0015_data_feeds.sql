-- What the latest statement of a custodian about a portfolio was of. A file that comes late does not put old positions back.
create table feed_portfolios (
  tenant_id uuid not null,
  connection_id uuid not null,
  portfolio_id uuid not null,
  as_of timestamptz not null,
  primary key (tenant_id, connection_id, portfolio_id),
  foreign key (tenant_id, connection_id) references connections on delete cascade
);
grant select, insert, update, delete on feed_portfolios to wealth_connect_app;
alter table feed_portfolios enable row level security;
create policy own_tenant on feed_portfolios to wealth_connect_app using (tenant_id = current_setting('wealth_connect.tenant')::uuid);

create index feed_files_newest_first on feed_files (tenant_id, connection_id, taken_at desc);
create index letters_connected on letters (tenant_id, letter_id) where status = 'Connected';

-- Connected letters of all tenants for which no file has come, and which nobody has connected or resolved, since a moment. Ids
-- only: the clean-up's role need not see the letters.
create function silent_letters(p_since timestamptz, p_limit integer) returns table (tenant_id uuid, letter_id uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select l.tenant_id, l.letter_id
  from letters l
  where l.status = 'Connected'
    and not exists (
      select from feed_files f
      where f.tenant_id = l.tenant_id and f.connection_id = l.connection_id and f.taken_at >= p_since
    )
    and not exists (
      select from letter_moves m
      where m.tenant_id = l.tenant_id and m.letter_id = l.letter_id and m.at >= p_since and m.event in ('connect', 'resolve')
    )
  limit p_limit
$$;
revoke all on function silent_letters from public;
grant execute on function silent_letters to wealth_connect_upkeep;
