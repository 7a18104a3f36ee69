import type { FeedDifferenceStore, FeedGap, PositionDifference, StatementPair, Uuid } from "@org/core";
import type { LeftOut } from "@org/provider-kit";
import { sql } from "kysely";
import type { Db } from "../transactions.js";

/** {@link FeedDifferenceStore} of `tenant_id` inside its transaction. */
export function feedDifferenceStore(db: Db, tenant_id: string): FeedDifferenceStore {
  return {
    async pairs(connection_id, stated, { revision, now }) {
      if (stated.length === 0) return [];
      const place = { tenant_id, connection_id };
      const ids = [...new Set(stated.map(({ portfolio_id }) => portfolio_id))];
      const moved = (of: string) => sql`
        ${sql.ref(`${of}.tenant_id`)} = ${tenant_id} and ${sql.ref(`${of}.connection_id`)} = ${connection_id}
          and ${sql.ref(`${of}.portfolio_id`)} = any (${ids}::uuid[]) and ${sql.ref(`${of}.holding_id`)} is not null`;
      // A day is in the pair that ends with the first statement at or after it; a pair begins on a day if the day after is in it.
      const { rows } = await sql<StatementPair>`
        with told as (
          select s.portfolio_id, s.day + n.days as day
          from json_to_recordset(${JSON.stringify(stated)}) s (portfolio_id uuid, day date) cross join (values (0), (1)) n (days)
          where s.day is not null
          union
          select t.portfolio_id, m.day from transactions t cross join lateral (values (t.operation_date), (${settledOn("t")})) m (day)
          where ${moved("t")} and t.read_at >= ${now} and t.revision >= ${revision}::bigint
          union
          select r.portfolio_id, m.day
          from replaced_transactions r cross join lateral (values (r.operation_date), (${settledOn("r")})) m (day)
          where ${moved("r")} and r.until_revision >= ${revision}::bigint
        )
        select distinct d.portfolio_id, f.day::text as from_day, t.day::text as to_day
        from told d cross join lateral (${statement(place, "from")}) t cross join lateral (${statement(place, "before")}) f`.execute(
        db,
      );
      return rows;
    },

    async compare(connection_id, pairs, limit) {
      if (pairs.length === 0) return [];
      const { rows } = await differencesOf({ tenant_id, connection_id }, pairs, limit).execute(db);
      return rows;
    },

    async keep(connection_id, pairs, found, { now, limit }) {
      if (pairs.length === 0) return;
      const of = sql`tenant_id = ${tenant_id} and connection_id = ${connection_id}`;
      await sql`
        delete from feed_differences d using ${given(pairs)}
        where d.tenant_id = ${tenant_id} and d.connection_id = ${connection_id}
          and d.portfolio_id = p.portfolio_id and d.to_day = p.to_day
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

interface Place {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
}

/** Movements are searched by trade day; their settlement differs from it by at most this many days. */
const MAX_SETTLEMENT_DAYS = 60;

const settledOn = (of: string) =>
  sql`coalesce((${sql.ref(`${of}.facts`)}::json ->> 'settlement_date')::date, ${sql.ref(`${of}.operation_date`)})`;

const given = (pairs: readonly StatementPair[]) =>
  sql`json_to_recordset(${JSON.stringify(pairs)}) p (portfolio_id uuid, from_day date, to_day date)`;

/** The first statement of files at or after the day of `d`, or the last before it. */
function statement({ tenant_id, connection_id }: Place, side: "before" | "from") {
  const of = sql`
    select v.day from valuations v
    where v.tenant_id = ${tenant_id} and v.connection_id = ${connection_id} and v.portfolio_id = d.portfolio_id
      and v.arrival > 0 and v.content is not null`;
  return side === "from"
    ? sql`${of} and v.day >= d.day order by v.day limit 1`
    : sql`${of} and v.day < d.day order by v.day desc limit 1`;
}

/** Each movement is counted in the pair that ends with the first statement at or after its day, so that what is read grows with the rows alone. */
function differencesOf(place: Place, pairs: readonly StatementPair[], limit: number) {
  const { tenant_id, connection_id } = place;
  return sql<PositionDifference>`
    with pairs as (
      select p.portfolio_id, p.from_day, p.to_day, a.is_cash
      from ${given(pairs)}
      join valued_accounts a on a.tenant_id = ${tenant_id} and a.connection_id = ${connection_id} and a.portfolio_id = p.portfolio_id
    ), sides as (
      select portfolio_id, to_day, is_cash, from_day as day, false as is_now from pairs
      union all
      select portfolio_id, to_day, is_cash, to_day, true from pairs
    ), listed as (
      select
        s.portfolio_id, s.to_day, s.is_now, i.id as holding_id, i.name, i.isin,
        case when i.type <> 'L' then i.amount when s.is_cash then coalesce(i.amount, i.balance) end as units
      from sides s
      join valuations v on v.tenant_id = ${tenant_id} and v.connection_id = ${connection_id}
        and v.portfolio_id = s.portfolio_id and v.day = s.day
      join valued_holdings h on h.tenant_id = ${tenant_id} and h.connection_id = ${connection_id}
        and h.portfolio_id = s.portfolio_id and h.content = v.content
      cross join lateral json_to_recordset(h.items::json) i (id uuid, name text, isin text, amount numeric, balance numeric, type text)
    ), held as (
      select
        portfolio_id, to_day, holding_id, bool_or(units is not null) as is_compared,
        coalesce(min(name) filter (where is_now), min(name)) as name, coalesce(min(isin) filter (where is_now), min(isin)) as isin,
        coalesce(sum(units) filter (where not is_now), 0) as before, coalesce(sum(units) filter (where is_now), 0) as stated
      from listed
      group by portfolio_id, to_day, holding_id
    ), movements as (
      select
        t.portfolio_id, t.holding_id, t.description, t.operation_date as made, ${settledOn("t")} as settled,
        coalesce(t.amount, case when a.is_cash then t.balance end) as units
      from transactions t join (select distinct portfolio_id, is_cash from pairs) a on a.portfolio_id = t.portfolio_id
      where t.tenant_id = ${tenant_id} and t.connection_id = ${connection_id} and t.holding_id is not null
        and t.operation_date > (select min(from_day) from pairs) - ${sql.lit(MAX_SETTLEMENT_DAYS)}::integer
        and t.operation_date <= (select max(to_day) from pairs) + ${sql.lit(MAX_SETTLEMENT_DAYS)}::integer
    ), days as (
      select d.portfolio_id, d.day, t.day as to_day
      from (select portfolio_id, made from movements union select portfolio_id, settled from movements) d (portfolio_id, day)
      cross join lateral (${statement(place, "from")}) t
    ), moved as (
      select
        m.portfolio_id, m.holding_id, d.to_day, min(m.description) filter (where n.is_made) as name,
        coalesce(sum(m.units) filter (where n.is_made), 0) as moved, coalesce(sum(m.units) filter (where not n.is_made), 0) as settled
      from movements m cross join lateral (values (m.made, true), (m.settled, false)) n (day, is_made)
      join days d on d.portfolio_id = m.portfolio_id and d.day = n.day
      where m.units is not null
      group by m.portfolio_id, m.holding_id, d.to_day
    ), summed as (
      select
        portfolio_id, holding_id, to_day, coalesce(h.name, m.name) as name, h.isin, coalesce(h.before, 0) as before,
        coalesce(m.moved, 0) as moved, coalesce(m.settled, 0) as settled, coalesce(h.stated, 0) as stated
      from held h full join moved m using (portfolio_id, holding_id, to_day)
      where coalesce(h.is_compared, m.name is not null)
    )
    select
      s.portfolio_id, s.holding_id, p.from_day::text as from_day, p.to_day::text as to_day, s.name, s.isin,
      s.before::text as before, s.moved::text as moved, s.stated::text as stated
    from summed s join pairs p on p.portfolio_id = s.portfolio_id and p.to_day = s.to_day
    where s.before + s.moved <> s.stated and s.before + s.settled <> s.stated
    order by s.to_day desc, s.portfolio_id, s.name, s.holding_id
    limit ${limit}`;
}
