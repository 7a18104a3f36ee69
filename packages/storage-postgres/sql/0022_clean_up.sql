-- The clean-up works through functions of a role that nobody logs in as and no server may take, so that the role of upkeep need not
-- see what it deletes. What holds for every table and function (who owns it, policies, rights) is in src/settle.ts. The rights that
-- upkeep has needed so far are taken away by sql/contract.sql, when no server of the version before runs any more.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['wealth_connect_cleanup', 'wealth_connect_backup'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin noinherit', role_name);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'role % is missing, and % may not create roles', role_name, current_user
            using errcode = 'insufficient_privilege',
              hint = format('as an administrator: create role %1$I nologin noinherit; grant %1$I to %2$I;', role_name, current_user);
      end;
    end if;
    begin
      execute format('grant %I to current_user', role_name);
    exception
      when insufficient_privilege then null;
    end;
  end loop;
  -- Those of 0001 are in no role, and are to inherit from none.
  foreach role_name in array array['wealth_connect_app', 'wealth_connect_upkeep', 'wealth_connect_auth'] loop
    begin
      execute format('alter role %I noinherit', role_name);
    exception
      when insufficient_privilege then null;
    end;
  end loop;
end
$$;

-- Each of these looks for what has run out tenant by tenant, since every index has the tenant first, and changes at most so many rows.
create function expire_sessions(p_now timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with late as (
    select t.tenant_id, found.session_id
    from tenants t cross join lateral (
      select c.session_id from sessions c
      where c.tenant_id = t.tenant_id and not c.finished and c.expires_at <= p_now
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), expired as (
    update sessions s
    set status = 'Finished:Expired', error_code = 'SessionExpired', challenge = null, sealed_link = null,
      sealed_state = null, updated_at = p_now, version = s.version + 1
    from late
    where s.tenant_id = late.tenant_id and s.session_id = late.session_id
    returning s.session_id
  )
  select count(*) from expired
$$;

-- The condition is repeated outside: a key may have been claimed again since.
create function reap_idempotency_keys(p_now timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.application_id, found.key
    from tenants t cross join lateral (
      select c.application_id, c.key from idempotency_keys c
      where c.tenant_id = t.tenant_id and c.expires_at < p_now
      limit p_limit
    ) found
    limit p_limit
  ), gone as (
    delete from idempotency_keys k using old
    where k.tenant_id = old.tenant_id and k.application_id = old.application_id and k.key = old.key and k.expires_at < p_now
    returning k.key
  )
  select count(*) from gone
$$;

create function reap_sessions(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.session_id
    from tenants t cross join lateral (
      select c.session_id from sessions c
      where c.tenant_id = t.tenant_id and c.finished and c.updated_at < p_before
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from sessions s using old
    where s.tenant_id = old.tenant_id and s.session_id = old.session_id
    returning s.link_hash
  ), links as (
    delete from session_links l using gone where l.link_hash = gone.link_hash
  )
  select count(*) from gone
$$;

create function reap_mails(p_before timestamptz, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with old as (
    select t.tenant_id, found.mail_id
    from tenants t cross join lateral (
      select c.mail_id from mails c
      where c.tenant_id = t.tenant_id and c.state in ('sent', 'withdrawn') and c.settled_at < p_before
      limit p_limit
      for update skip locked
    ) found
    limit p_limit
  ), gone as (
    delete from mails m using old where m.tenant_id = old.tenant_id and m.mail_id = old.mail_id
    returning m.mail_id
  )
  select count(*) from gone
$$;

-- Puts the parts of counts together where a tenant has more than so many; returns how many rows that saved. Who reads meanwhile sees
-- all parts before, or the sums after.
create function join_letter_counts(p_parts integer, p_limit integer) returns bigint
language sql security definer set search_path = public, pg_temp
as $$
  with parts as (
    delete from letter_counts c using (
      select m.tenant_id from letter_counts m group by m.tenant_id having count(*) > p_parts limit p_limit
    ) many
    where c.tenant_id = many.tenant_id
    returning c.tenant_id, c.status, c.letters
  ), sums as (
    insert into letter_counts (tenant_id, status, letters)
    select p.tenant_id, p.status, sum(p.letters) from parts p group by p.tenant_id, p.status
    returning tenant_id
  )
  select (select count(*) from parts) - (select count(*) from sums)
$$;

-- Makes the revisions of replaced snapshots unreadable first; a large snapshot then goes in several rounds, rows before the snapshot
-- itself. At most so many rows of each kind.
create function reap_snapshots(p_before timestamptz, p_limit integer)
returns table (portfolios bigint, holdings bigint, snapshots bigint)
language plpgsql security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  found_snapshots jsonb;
begin
  portfolios := 0;
  holdings := 0;
  snapshots := 0;
  select jsonb_agg(to_jsonb(o)) into found_snapshots
  from (
    select t.tenant_id, f.connection_id, f.product, f.revision, f.until_revision
    from public.tenants t cross join lateral (
      select c.connection_id, c.product, c.revision, c.until_revision from public.snapshots c
      where c.tenant_id = t.tenant_id and c.replaced_at < p_before
      limit p_limit
    ) f
    limit p_limit
  ) o;
  if found_snapshots is null then
    return next;
    return;
  end if;
  -- The lock of publications and removals; tenants in one order, so that they cannot deadlock.
  perform from tenant_revisions r
  where r.tenant_id in (select o.tenant_id from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid))
  order by r.tenant_id for update;
  update tenant_revisions r set pruned_revision = greatest(r.pruned_revision, pruned.until_revision)
  from (
    select o.tenant_id, max(o.until_revision) as until_revision
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, until_revision bigint)
    group by o.tenant_id
  ) pruned
  where r.tenant_id = pruned.tenant_id;

  delete from public.portfolios r using (
    select c.tenant_id, c.connection_id, c.revision, c.ordinal
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
    join public.portfolios c using (tenant_id, connection_id, revision)
    where o.product = 'portfolio'
    limit p_limit
  ) batch
  where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
    and r.revision = batch.revision and r.ordinal = batch.ordinal;
  get diagnostics portfolios = row_count;

  delete from public.holdings r using (
    select c.tenant_id, c.connection_id, c.revision, c.ordinal
    from jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
    join public.holdings c using (tenant_id, connection_id, revision)
    where o.product = 'investment'
    limit p_limit
  ) batch
  where r.tenant_id = batch.tenant_id and r.connection_id = batch.connection_id
    and r.revision = batch.revision and r.ordinal = batch.ordinal;
  get diagnostics holdings = row_count;

  delete from public.snapshots s
  using jsonb_to_recordset(found_snapshots) as o (tenant_id uuid, connection_id uuid, product text, revision bigint)
  where s.tenant_id = o.tenant_id and s.connection_id = o.connection_id and s.product = o.product and s.revision = o.revision
    and not (s.product = 'portfolio' and exists (
      select from public.portfolios r
      where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
    ))
    and not (s.product = 'investment' and exists (
      select from public.holdings r
      where r.tenant_id = s.tenant_id and r.connection_id = s.connection_id and r.revision = s.revision
    ));
  get diagnostics snapshots = row_count;
  return next;
end
$$;

revoke all on function expire_sessions, reap_idempotency_keys, reap_sessions, reap_mails, join_letter_counts, reap_snapshots from public;
grant execute on function expire_sessions, reap_idempotency_keys, reap_sessions, reap_mails, join_letter_counts, reap_snapshots
  to wealth_connect_upkeep;
