import type { FullBucket, GuessBucket, GuessLimitStore } from "@org/oauth-server";
import { sql } from "kysely";
import type { Transactions } from "../transactions.js";

/** Counters of wrong guesses, and of other limited requests. */
export function guessLimitQueries({ asAuth, statement }: Pick<Transactions, "asAuth" | "statement">): GuessLimitStore {
  return {
    async count(buckets, at, network) {
      const [row] = await statement<[place: number, until: Date]>(
        {
          name: "count_unless_full",
          text: "select bucket, until from count_unless_full($1, $2, $3, $4, $5)",
          values: [...columnsOf(buckets), buckets.map((bucket) => bucket.window_seconds), at],
          rowMode: "array",
        },
        { key: network },
      );
      return row ? { bucket: buckets[row[0] - 1] as GuessBucket, until: row[1] } : null;
    },
    full: (buckets, at, network) =>
      asAuth(async (db) => {
        const [clientIds, prefixes, limits] = columnsOf(buckets);
        const { rows } = await sql<{ place: string; until: Date }>`
          select asked.place, counted.window_ends_at as until
          from unnest(${clientIds}::text[], ${prefixes}::text[], ${limits}::integer[]) with ordinality asked (client_id, address_prefix, most, place)
          join guess_counts counted using (client_id, address_prefix)
          where counted.window_ends_at > ${at} and counted.failures >= asked.most
          order by counted.window_ends_at desc limit 1`.execute(db);
        return (
          rows.map(
            ({ place, until }): FullBucket => ({ bucket: buckets[Number(place) - 1] as GuessBucket, until }),
          )[0] ?? null
        );
      }, network),
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

/** Buckets as parallel arrays. */
function columnsOf(buckets: readonly GuessBucket[]): [string[], string[], number[]] {
  return [
    buckets.map((bucket) => bucket.client_id),
    buckets.map((bucket) => bucket.address_prefix),
    buckets.map((bucket) => bucket.limit),
  ];
}
