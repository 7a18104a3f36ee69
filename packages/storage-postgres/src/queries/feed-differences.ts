import type { FeedDifferenceStore, FeedGap, PositionDifference, Uuid } from "@org/core";
import type { LeftOut } from "@org/provider-kit";
import { sql } from "kysely";
import type { Db } from "../transactions.js";
import { currentRevision } from "./current-revision.js";

/** {@link FeedDifferenceStore} of `tenant_id` inside its transaction. */
export function feedDifferenceStore(db: Db, tenant_id: string): FeedDifferenceStore {
  return {
    async pairs(connection_id, portfolioIds) {
      const { rows } = await sql<{ portfolio_id: string; from_day: string; to_day: string }>`
        select portfolio_id, before_day::text as from_day, (as_of at time zone 'UTC')::date::text as to_day
        from feed_portfolios
        where tenant_id = ${tenant_id} and connection_id = ${connection_id} and portfolio_id = any (${[...portfolioIds]}::uuid[])
          and before_day is not null`.execute(db);
      return rows;
    },

    async compare(connection_id, portfolioIds, limit) {
      const { rows } = await differencesOf({ tenant_id, connection_id, portfolioIds, limit }).execute(db);
      return rows;
    },

    async keep(connection_id, portfolioIds, found, { now, limit }) {
      const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id}`;
      await sql`
        delete from feed_differences d
        where ${of} and portfolio_id = any (${[...portfolioIds]}::uuid[])
          and not exists (
            select from json_to_recordset(${JSON.stringify(found)}) f (portfolio_id uuid, to_day date, holding_id uuid)
            where f.portfolio_id = d.portfolio_id and f.to_day = d.to_day and f.holding_id = d.holding_id
          )`.execute(db);
      if (found.length === 0) return;
      await sql`
        insert into feed_differences (
          tenant_id, connection_id, portfolio_id, holding_id, from_day, to_day, name, isin, before, moved, stated, found_at
        )
        select ${tenant_id}, ${connection_id}, f.*, ${now}
        from json_to_recordset(${JSON.stringify(found)}) f (
          portfolio_id uuid, holding_id uuid, from_day date, to_day date, name text, isin text,
          before numeric, moved numeric, stated numeric
        )
        on conflict (tenant_id, connection_id, portfolio_id, to_day, holding_id) do update set
          from_day = excluded.from_day, name = excluded.name, isin = excluded.isin,
          before = excluded.before, moved = excluded.moved, stated = excluded.stated`.execute(db);
      await sql`
        delete from feed_differences
        where ${of} and (portfolio_id, to_day, holding_id) in (
          select portfolio_id, to_day, holding_id from feed_differences
          where ${of}
          order by to_day desc, found_at desc, portfolio_id, holding_id
          offset ${limit}
        )`.execute(db);
    },

    async storeGaps(connection_id, gaps, now) {
      if (gaps.length === 0) return;
      await sql`
        insert into feed_gaps (tenant_id, connection_id, portfolio_id, from_day, to_day, days, found_at)
        select ${tenant_id}, ${connection_id}, g.*, ${now}
        from json_to_recordset(${JSON.stringify(gaps)}) g (portfolio_id uuid, from_day date, to_day date, days date[])
        on conflict do nothing`.execute(db);
    },

    async fillGaps(connection_id, days) {
      if (days.length === 0) return;
      const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id}`;
      await sql`
        update feed_gaps g set days = array_remove(days, d.day)
        from json_to_recordset(${JSON.stringify(days)}) d (portfolio_id uuid, day date)
        where ${of} and g.portfolio_id = d.portfolio_id and d.day = any (g.days)`.execute(db);
      await sql`delete from feed_gaps where ${of} and days = '{}'`.execute(db);
    },

    async list(connection_id, limit) {
      const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id}`;
      const differences = await sql<PositionDifference & { found_at: Date }>`
        select
          portfolio_id, holding_id, from_day::text as from_day, to_day::text as to_day, name, isin,
          before::text as before, moved::text as moved, stated::text as stated, found_at
        from feed_differences where ${of}
        order by to_day desc, portfolio_id, name, holding_id limit ${limit}`.execute(db);
      const gaps = await sql<FeedGap & { found_at: Date }>`
        select portfolio_id, from_day::text as from_day, to_day::text as to_day, days::text[] as days, found_at
        from feed_gaps where ${of}
        order by to_day desc, portfolio_id limit ${limit}`.execute(db);
      const leftOut = await sql<LeftOut & { file: string }>`
        select f.name as file, l.place, l.field
        from feed_files f cross join jsonb_to_recordset(f.left_out) as l (place text, field text)
        where ${of} and f.left_out <> '[]'
        order by f.taken_at desc, f.sha256 limit ${limit}`.execute(db);
      return { differences: differences.rows, gaps: gaps.rows, left_out: leftOut.rows };
    },
  };
}

interface Comparison {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly portfolioIds: readonly string[];
  readonly limit: number;
}

/** Movements are searched by trade day; their settlement differs from it by at most this many days. */
const MAX_SETTLEMENT_DAYS = 60;

function differencesOf({ tenant_id, connection_id, portfolioIds, limit }: Comparison) {
  const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id}`;
  const shown = currentRevision(tenant_id, connection_id, "investment");
  return sql<PositionDifference>`
    with accounts as (
      select portfolio_id, before_day as from_day, (as_of at time zone 'UTC')::date as to_day, coalesce(is_cash, false) as is_cash
      from feed_portfolios
      where ${of} and portfolio_id = any (${[...portfolioIds]}::uuid[]) and before_day is not null
    ), found_before as (
      select d.* from feed_differences d join accounts a on a.portfolio_id = d.portfolio_id and d.to_day <> a.to_day
      where d.tenant_id = ${tenant_id} and d.connection_id = ${connection_id}
    ), first as (
      select least(min(a.from_day), min(f.from_day)) as day from accounts a left join found_before f on true
    ), movements as (
      select
        t.portfolio_id, t.holding_id, t.description, t.operation_date as made,
        coalesce((t.facts::json ->> 'settlement_date')::date, t.operation_date) as settled,
        coalesce(t.amount, case when a.is_cash then t.balance end) as units
      from transactions t join accounts a on a.portfolio_id = t.portfolio_id
      where t.tenant_id = ${tenant_id} and t.connection_id = ${connection_id} and t.holding_id is not null
        and t.operation_date > (select day from first) - ${sql.lit(MAX_SETTLEMENT_DAYS)}::integer
    ), before as (
      select p.* from feed_positions p join accounts a on a.portfolio_id = p.portfolio_id and a.from_day = p.day
      where p.tenant_id = ${tenant_id} and p.connection_id = ${connection_id}
    ), now as (
      select h.portfolio_id, h.holding_id, h.name, h.isin, coalesce(h.amount, h.balance) as units
      from holdings h join accounts a on a.portfolio_id = h.portfolio_id
      where h.tenant_id = ${tenant_id} and h.connection_id = ${connection_id} and h.revision = ${shown}
        and case when h.type = 'L' then a.is_cash and coalesce(h.amount, h.balance) is not null else h.amount is not null end
    ), held as (
      select
        coalesce(b.portfolio_id, n.portfolio_id) as portfolio_id, coalesce(b.holding_id, n.holding_id) as holding_id,
        coalesce(n.name, b.name) as name, coalesce(n.isin, b.isin) as isin,
        coalesce(b.units, 0) as before, coalesce(n.units, 0) as stated
      from before b full join now n on n.portfolio_id = b.portfolio_id and n.holding_id = b.holding_id
    ), compared as (
      select h.portfolio_id, h.holding_id, a.from_day, a.to_day, h.name, h.isin, h.before, h.stated
      from held h join accounts a on a.portfolio_id = h.portfolio_id
      union all
      select m.portfolio_id, m.holding_id, a.from_day, a.to_day, min(m.description), null, 0, 0
      from movements m join accounts a on a.portfolio_id = m.portfolio_id
      where m.units is not null and m.made > a.from_day and m.made <= a.to_day
        and not exists (select from held h where h.portfolio_id = m.portfolio_id and h.holding_id = m.holding_id)
        and not exists (
          select from holdings h
          where h.tenant_id = ${tenant_id} and h.connection_id = ${connection_id} and h.revision = ${shown}
            and h.holding_id = m.holding_id
        )
      group by m.portfolio_id, m.holding_id, a.from_day, a.to_day
      union all
      select portfolio_id, holding_id, from_day, to_day, name, isin, before, stated from found_before
    ), summed as (
      select
        c.*,
        coalesce(sum(m.units) filter (where m.made > c.from_day and m.made <= c.to_day), 0) as moved,
        coalesce(sum(m.units) filter (where m.settled > c.from_day and m.settled <= c.to_day), 0) as settled
      from compared c left join movements m on m.portfolio_id = c.portfolio_id and m.holding_id = c.holding_id
      group by c.portfolio_id, c.holding_id, c.from_day, c.to_day, c.name, c.isin, c.before, c.stated
    )
    select
      portfolio_id, holding_id, from_day::text as from_day, to_day::text as to_day, name, isin,
      before::text as before, moved::text as moved, stated::text as stated
    from summed
    where before + moved <> stated and before + settled <> stated
    order by to_day desc, portfolio_id, name, holding_id
    limit ${limit}`;
}
