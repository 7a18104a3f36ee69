import type { GuessBucket, GuessCount, GuessLimitStore } from "@org/oauth-server";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";
import { columnsOf } from "./grants.js";

/** Counters of wrong guesses. */
export function guessLimitQueries({ asAuth }: Pick<Transactions, "asAuth">): GuessLimitStore {
  return {
    recordFailure: (buckets, at, windowSeconds) =>
      asAuth(async (db) => {
        const end = new Date(at.getTime() + windowSeconds * 1000);
        const counted: { bucket: GuessBucket; count: GuessCount }[] = [];
        // In one order for all, so that calls that touch the same buckets cannot deadlock.
        for (const bucket of buckets.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))) {
          const { rows } = await sql<{ failures: number; window_ends_at: Date }>`
            insert into guess_counts as counted values (${bucket.client_id}, ${bucket.address_prefix}, 1, ${end})
            on conflict (client_id, address_prefix) do update set
              failures = case when counted.window_ends_at > ${at} then counted.failures + 1 else 1 end,
              window_ends_at = case when counted.window_ends_at > ${at} then counted.window_ends_at else excluded.window_ends_at end
            returning failures, window_ends_at`.execute(db);
          counted.push({ bucket, count: rows[0] as (typeof rows)[number] });
        }
        return buckets.map((bucket) => counted.find((one) => one.bucket === bucket)?.count as GuessCount);
      }),
    limitedUntil: (buckets, at) =>
      asAuth(async (db) => {
        const [clientIds, prefixes, limits] = columnsOf(buckets);
        const { rows } = await sql<{ until: Date | null }>`
          select full_until(${clientIds}::text[], ${prefixes}::text[], ${limits}::integer[], ${at}) as until`.execute(
          db,
        );
        return rows[0]?.until ?? null;
      }),
    resetFailures: (clientId) =>
      asAuth(async (db) => {
        await db.deleteFrom("guess_counts").where("client_id", "=", clientId).execute();
      }),
    reapFailures: (at, limit) =>
      asAuth(async (db) => {
        const { numAffectedRows } = await sql`
          delete from guess_counts where (client_id, address_prefix) in
            (select client_id, address_prefix from guess_counts where window_ends_at < ${at} limit ${limit} for update skip locked)`.execute(
          db,
        );
        return Number(numAffectedRows ?? 0n);
      }),
  };
}

function keyOf({ client_id, address_prefix }: { client_id: string; address_prefix: string }): string {
  return `${client_id} ${address_prefix}`;
}
