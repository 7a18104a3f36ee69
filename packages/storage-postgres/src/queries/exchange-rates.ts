import type { ExchangeRate, RateFetch, RateStore } from "@org/core";
import { sql } from "kysely";
import { INSTALLATION_KEY, type Transactions } from "../transactions.js";
import { oneAtATime } from "./one-at-a-time.js";

/** Rates in one statement of an import: writing them takes some milliseconds of the event loop. */
const BATCH = 1_000;

/** {@link RateStore}; rates are the same for all tenants and not secret. */
export function exchangeRateStore({ asUpkeep, read }: Pick<Transactions, "asUpkeep" | "read">): RateStore {
  return {
    importAll: (rates, source, entry) =>
      asUpkeep(async (db) => {
        // Two imports of the same days would lock their rows in two orders.
        await oneAtATime(db, "exchange_rates", null);
        let replaced = 0;
        for (let start = 0; start < rates.length; start += BATCH) {
          const { rows } = await sql<{ replaced: string }>`
            with written as (
              insert into exchange_rates (date, base, quote, rate, source)
              select r.date, r.base, r.quote, r.rate, ${source}
              from jsonb_to_recordset(${JSON.stringify(rates.slice(start, start + BATCH))}::jsonb)
                as r (date date, base text, quote text, rate numeric)
              on conflict (date, base, quote) do update set rate = excluded.rate, source = excluded.source
              -- A row that no transaction has locked or replaced is new.
              returning xmax <> 0 as was_there
            )
            select count(*) filter (where was_there) as replaced from written`.execute(db);
          replaced += Number(rows[0]?.replaced);
        }
        const facts = { ...entry.facts, replaced };
        await db
          .insertInto("audit_log")
          .values({ tenant_id: null, ...entry, facts })
          .execute();
        return replaced;
      }),

    list: ({ date, offset, limit }) =>
      asUpkeep(
        async (db) => {
          const { rows: counts } = await sql<{ total: string }>`
            select count(*) as total from exchange_rates where ${date}::date is null or date = ${date}::date`.execute(
            db,
          );
          const { rows } = await sql<ExchangeRate>`
            select date::text, base, quote, rate::text, source from exchange_rates
            where ${date}::date is null or date = ${date}::date
            order by exchange_rates.date desc, base, quote offset ${offset} limit ${limit}`.execute(db);
          return { rates: rows, total: Number(counts[0]?.total) };
        },
        "lookups",
        INSTALLATION_KEY,
      ),

    async days({ before, limit }) {
      const rows = await read<[date: string, source: string, rates: string]>(null, {
        text: daysWithRates,
        values: [before, limit],
        rowMode: "array",
      });
      const days = new Map<string, { source: string; rates: number }[]>();
      for (const [date, source, rates] of rows) {
        const sources = days.get(date) ?? [];
        sources.push({ source, rates: Number(rates) });
        days.set(date, sources);
      }
      return [...days].map(([date, sources]) => ({ date, sources }));
    },

    async between(first, last) {
      const rows = await read<[date: string, base: string, quote: string, rate: string, source: string]>(null, {
        text: ratesBetween,
        values: [first, last],
        rowMode: "array",
      });
      return rows.map(([date, base, quote, rate, source]) => ({ date, base, quote, rate, source }));
    },

    claimFetch: (service, now, leaseUntil) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<RateFetch>`
          insert into exchange_rate_fetches as f (service, due_at) values (${service}, ${leaseUntil})
          on conflict (service) do update set due_at = excluded.due_at where f.due_at <= ${now}
          returning succeeded_at, failures`.execute(db);
        return rows[0] ?? null;
      }),

    endFetch: (service, { due_at, succeeded_at, failures }) =>
      asUpkeep(async (db) => {
        await db
          .updateTable("exchange_rate_fetches")
          .set({ due_at, succeeded_at, failures })
          .where("service", "=", service)
          .execute();
      }),
  };
}

/** All rates from day $1 to day $2. */
export const ratesBetween = `
  select date::text, base, quote, rate::text, source from exchange_rates r
  where date between $1::date and $2::date order by r.date, base, quote`;

/** The newest $2 days before $1. They are found one by one by the index, because a day has many rates. */
export const daysWithRates = `
  with recursive days (date, nth) as (
    (select date, 1 from exchange_rates where date < coalesce($1::date, 'infinity') order by date desc limit 1)
    union all
    select (select r.date from exchange_rates r where r.date < d.date order by r.date desc limit 1), d.nth + 1
    from days d where d.date is not null and d.nth < $2::integer
  )
  select d.date::text, r.source, count(*) from days d join exchange_rates r on r.date = d.date
  group by d.date, r.source order by d.date desc, r.source collate "C"`;
