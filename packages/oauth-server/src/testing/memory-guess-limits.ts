import type { GuessBucket, GuessCount, GuessLimitStore } from "../ports/guess-limit-store.js";
import type { MemoryTables } from "./memory-tables.js";

/** Counters of wrong guesses in memory. */
export function memoryGuessLimits(tables: MemoryTables): GuessLimitStore {
  return {
    async recordFailure(buckets, at, windowSeconds) {
      return buckets.map((bucket): GuessCount => {
        const open = openWindow(tables, bucket, at);
        const counted = {
          failures: (open?.failures ?? 0) + 1,
          window_ends_at: open?.window_ends_at ?? new Date(at.getTime() + windowSeconds * 1000),
        };
        tables.guesses.set(keyOf(bucket), counted);
        return counted;
      });
    },
    async limitedUntil(buckets, at) {
      return fullUntil(tables, buckets, at);
    },
    async resetFailures(clientId) {
      for (const key of tables.guesses.keys()) if (key.startsWith(`${clientId} `)) tables.guesses.delete(key);
    },
    async reapFailures(at, limit) {
      const over = [...tables.guesses].filter(([, count]) => count.window_ends_at < at).slice(0, limit);
      for (const [key] of over) tables.guesses.delete(key);
      return over.length;
    },
  };
}

/** When the last full bucket opens again, or null. */
export function fullUntil(tables: MemoryTables, buckets: readonly GuessBucket[], at: Date): Date | null {
  const ends = buckets.flatMap((bucket) => {
    const open = openWindow(tables, bucket, at);
    return open && open.failures >= bucket.limit ? [open.window_ends_at] : [];
  });
  return ends.reduce<Date | null>((last, end) => (last && last > end ? last : end), null);
}

function openWindow(tables: MemoryTables, bucket: GuessBucket, at: Date): GuessCount | undefined {
  const count = tables.guesses.get(keyOf(bucket));
  return count && count.window_ends_at > at ? count : undefined;
}

function keyOf(bucket: GuessBucket): string {
  return `${bucket.client_id} ${bucket.address_prefix}`;
}
