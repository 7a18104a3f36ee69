import type { FullBucket, GuessBucket, GuessLimitStore } from "../ports/guess-limit-store.js";
import type { GuessCount, MemoryTables } from "./memory-tables.js";

/** Counters of wrong guesses in memory. */
export function memoryGuessLimits(tables: MemoryTables): GuessLimitStore {
  return {
    async count(buckets, at) {
      const full = fullAt(tables, buckets, at);
      if (full) return full;
      for (const bucket of buckets) {
        const open = openWindow(tables, bucket, at);
        tables.guesses.set(keyOf(bucket), {
          failures: (open?.failures ?? 0) + 1,
          window_ends_at: open?.window_ends_at ?? new Date(at.getTime() + bucket.window_seconds * 1000),
        });
      }
      return null;
    },
    async full(buckets, at) {
      return fullAt(tables, buckets, at);
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

function fullAt(tables: MemoryTables, buckets: readonly GuessBucket[], at: Date): FullBucket | null {
  const full = buckets.flatMap((bucket) => {
    const open = openWindow(tables, bucket, at);
    return open && open.failures >= bucket.limit ? [{ bucket, until: open.window_ends_at }] : [];
  });
  return full.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0] ?? null;
}

function openWindow(tables: MemoryTables, bucket: GuessBucket, at: Date): GuessCount | undefined {
  const count = tables.guesses.get(keyOf(bucket));
  return count && count.window_ends_at > at ? count : undefined;
}

function keyOf(bucket: GuessBucket): string {
  return `${bucket.client_id} ${bucket.address_prefix}`;
}
