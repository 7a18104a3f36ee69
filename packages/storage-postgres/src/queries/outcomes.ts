import type { InstitutionOutcomes, OutcomeStore } from "@org/core";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";

/** {@link OutcomeStore}. */
export function createOutcomeStore({ asUpkeep }: Pick<Transactions, "asUpkeep">): OutcomeStore {
  return {
    async add(counted) {
      if (counted.length === 0) return;
      await asUpkeep(async (db) => {
        // In a fixed order, so that two servers cannot deadlock.
        await sql`
          insert into institution_outcomes as kept (hour, connector_id, kind, succeeded, failed, customer)
          select * from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
            as c (hour timestamptz, connector_id text, kind text, succeeded bigint, failed bigint, customer bigint)
          order by c.hour, c.connector_id collate "C", c.kind collate "C"
          on conflict (hour, connector_id, kind) do update set
            succeeded = kept.succeeded + excluded.succeeded, failed = kept.failed + excluded.failed,
            customer = kept.customer + excluded.customer`.execute(db);
      });
    },

    figures: ({ now, after, limit }) =>
      asUpkeep(async (db) => {
        const { rows } = await sql<Row>`
          with counted as (
            select connector_id, kind, hour > ${now}::timestamptz - interval '24 hours' as is_of_day,
              sum(succeeded) as succeeded, sum(failed) as failed, sum(customer) as customer
            from institution_outcomes
            where hour > ${now}::timestamptz - interval '168 hours' and (${after}::text is null or connector_id > ${after})
            group by 1, 2, 3
          ), open as (
            select connector_id, min(opened_at) as open_since from provider_circuits
            where ${after}::text is null or connector_id > ${after} group by 1
          ), named as (
            select connector_id from counted union select connector_id from open order by 1 limit ${limit}
          )
          select n.connector_id, o.open_since,
            coalesce(jsonb_agg(to_jsonb(c) - 'connector_id') filter (where c.kind is not null), '[]') as counts
          from named n left join open o using (connector_id) left join counted c using (connector_id)
          group by 1, 2 order by 1`.execute(db);
        return rows.map(({ connector_id, open_since, counts }): InstitutionOutcomes => {
          const of = (isWanted: (count: Count) => boolean) => ({
            login: sumOf(counts.filter((count) => count.kind === "login" && isWanted(count))),
            refresh: sumOf(counts.filter((count) => count.kind === "refresh" && isWanted(count))),
          });
          return { connector_id, open_since, day: of((count) => count.is_of_day), week: of(() => true) };
        });
      }),

    reap: (before, limit) =>
      asUpkeep(async (db) => {
        const { numAffectedRows } = await sql`
          delete from institution_outcomes where (hour, connector_id, kind) in (
            select o.hour, o.connector_id, o.kind from institution_outcomes o where o.hour < ${before} limit ${limit}
          )`.execute(db);
        return Number(numAffectedRows ?? 0);
      }),
  };
}

interface Count {
  readonly kind: "login" | "refresh";
  readonly is_of_day: boolean;
  readonly succeeded: number;
  readonly failed: number;
  readonly customer: number;
}

interface Row {
  readonly connector_id: string;
  readonly open_since: Date | null;
  readonly counts: readonly Count[];
}

function sumOf(counts: readonly Count[]) {
  const sum = { succeeded: 0, failed: 0, customer: 0 };
  for (const count of counts)
    for (const outcome of ["succeeded", "failed", "customer"] as const) sum[outcome] += Number(count[outcome]);
  return sum;
}
