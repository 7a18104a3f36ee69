-- On most days a bank says the same transactions of a connection as on the day before. A snapshot keeps the digest of the list that was
-- published, and who publishes the same again says the digest instead of the list: nothing of it is sent, read or looked up.
alter table snapshots add column digest text;

-- As before (0065), and keeps the digest where one is given.
create or replace function end_publication(p_tenant uuid, p_connection uuid, p_revision bigint, p_replaced jsonb, p_begun jsonb, p_many integer)
returns text[]
language plpgsql set enable_seqscan = off
as $$
declare
  changed text[] := '{}';
  one record;
  is_other boolean;
  kept record;
begin
  insert into snapshots (tenant_id, connection_id, product, revision, as_of, row_count, totals, digest)
  select p_tenant, p_connection, b.key, p_revision, (b.value ->> 'as_of')::timestamptz, (b.value ->> 'row_count')::integer, b.value -> 'totals',
    b.value ->> 'digest'
  from jsonb_each(p_begun) b;

  for one in
    select p.product, p_begun -> p.product as now, p_replaced -> p.product as before
    from unnest(array['portfolio', 'investment', 'transaction']) with ordinality p (product, place)
    where p_begun ? p.product
    order by p.place
  loop
    if one.now ? 'is_other' then
      is_other := (one.now ->> 'is_other')::boolean;
    elsif (one.now ->> 'row_count')::integer <> coalesce((one.before ->> 'row_count')::integer, 0) then
      is_other := true;
    elsif one.before is null then
      is_other := false;
    elsif one.now -> 'totals' <> one.before -> 'totals' then
      is_other := true;
    elsif one.product = 'portfolio' then
      is_other := exists (
        select p.item, p.parts from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = p_revision
        except all
        select p.item, p.parts from portfolios p
        where p.tenant_id = p_tenant and p.connection_id = p_connection and p.revision = (one.before ->> 'revision')::bigint
      );
    else
      is_other := exists (
        select h.portfolio_id, h.item, h.facts from holdings h
        where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = p_revision
        except all
        select h.portfolio_id, h.item, h.facts from holdings h
        where h.tenant_id = p_tenant and h.connection_id = p_connection and h.revision = (one.before ->> 'revision')::bigint
      );
    end if;
    if is_other then
      changed := changed || one.product;
    end if;
  end loop;

  select t.counts, t.counted_revision into kept from tenant_revisions t where t.tenant_id = p_tenant;
  if kept.counts is not null and kept.counted_revision = p_revision - 1 then
    update tenant_revisions t set counted_revision = p_revision, counts = kept.counts || coalesce((
      select jsonb_object_agg(b.key, counts_after(kept.counts -> b.key, p_replaced -> b.key, b.value)) from jsonb_each(p_begun) b
    ), '{}')
    where t.tenant_id = p_tenant;
  elsif exists (select from connections c where c.tenant_id = p_tenant offset p_many limit 1) then
    update tenant_revisions t set counted_revision = p_revision, counts = counts_of_all(p_tenant) where t.tenant_id = p_tenant;
  end if;
  return changed;
end
$$;

-- Everything that a bank has of a connection, or of the products that are not null. It replaces what was there; transactions are added to.
-- A digest without transactions stands for those of the latest snapshot. Where that has another one, nothing happens, and there is no answer.
create function publish_snapshot(
  p_tenant uuid, p_connection uuid, p_as_of timestamptz, p_published_at timestamptz, p_portfolios json, p_holdings json,
  p_transactions json, p_digest text, p_many integer
)
returns table (revision bigint, changed text[])
language plpgsql set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  replaced jsonb;
  before jsonb;
  now jsonb;
  begun jsonb := '{}';
begin
  if p_transactions is null and p_digest is not null and not exists (
    select from snapshots s
    where s.tenant_id = p_tenant and s.connection_id = p_connection and s.product = 'transaction' and s.until_revision is null
      and s.digest = p_digest
  ) then
    return;
  end if;
  select b.revision, b.replaced into revision, replaced
  from begin_publication(p_tenant, p_connection, p_published_at, array_remove(array[
    case when p_portfolios is not null then 'portfolio' end,
    case when p_holdings is not null then 'investment' end,
    case when p_transactions is not null or p_digest is not null then 'transaction' end
  ], null)) b;
  if p_portfolios is not null then
    select jsonb_build_object(
      'as_of', p_as_of, 'row_count', coalesce(sum(i.row_count), 0), 'totals', sums_of(array_agg(i.currency), array_agg(i.balance::numeric))
    )
    into now from insert_portfolios(p_tenant, p_connection, publish_snapshot.revision, 0, p_portfolios) i;
    begun := begun || jsonb_build_object('portfolio', now);
  end if;
  if p_holdings is not null then
    select jsonb_build_object(
      'as_of', p_as_of, 'row_count', coalesce(sum(i.row_count), 0), 'totals', sums_of(array_agg(i.currency), array_agg(i.balance::numeric))
    )
    into now from insert_holdings(p_tenant, p_connection, publish_snapshot.revision, 0, p_holdings) i;
    begun := begun || jsonb_build_object('investment', now);
  end if;
  if p_transactions is not null then
    before := replaced -> 'transaction';
    select jsonb_build_object(
      'as_of', p_as_of,
      'row_count', coalesce(sum(a.row_count), 0) + coalesce((before ->> 'row_count')::bigint, 0),
      'totals', sums_of(array_agg(a.currency), array_agg(a.balance)),
      'is_other', coalesce(sum(a.row_count), 0) > 0,
      'digest', p_digest
    )
    into now
    from (
      select s.currency, sum(s.row_count) as row_count, sum(s.balance) as balance
      from (
        select i.currency, i.row_count, i.balance::numeric as balance
        from insert_transactions(p_tenant, p_connection, publish_snapshot.revision, p_transactions) i
        union all
        select e.key, 0, e.value::numeric from jsonb_each_text(before -> 'totals') e
      ) s
      group by s.currency
    ) a;
    begun := begun || jsonb_build_object('transaction', now);
  elsif p_digest is not null then
    before := replaced -> 'transaction';
    begun := begun || jsonb_build_object('transaction', jsonb_build_object(
      'as_of', p_as_of, 'row_count', before -> 'row_count', 'totals', before -> 'totals', 'is_other', false, 'digest', p_digest
    ));
  end if;
  changed := end_publication(p_tenant, p_connection, publish_snapshot.revision, replaced, begun, p_many);
  return next;
end
$$;

-- What servers of the version before call.
create or replace function publish_snapshot(
  p_tenant uuid, p_connection uuid, p_as_of timestamptz, p_published_at timestamptz, p_portfolios json, p_holdings json,
  p_transactions json, p_many integer
)
returns table (revision bigint, changed text[])
language plpgsql
as $$
begin
  return query
    select * from publish_snapshot(
      p_tenant, p_connection, p_as_of, p_published_at, p_portfolios, p_holdings, p_transactions, null::text, p_many
    );
end
$$;
