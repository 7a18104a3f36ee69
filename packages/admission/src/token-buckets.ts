/** Budgets by key that refill evenly over time (token buckets). `now` is in milliseconds. */
export interface TokenBuckets {
  /** Takes one token from a key's bucket, which may be empty. */
  take(key: string, now: number): void;
  /** Seconds until a key's bucket has a token again; 0 when it has one. */
  emptyFor(key: string, now: number): number;
  /** How many tokens a key's bucket lacks until it is full, rounded. */
  used(key: string, now: number): number;
}

/** Above this number of keys, the one that was not used for longest is forgotten, which refills its bucket. */
const MAX_KEYS = 10_000;

/** Makes buckets, each of which refills within `windowMs`. @param capacityOf what a key's bucket holds; it may change */
export function createTokenBuckets(windowMs: number, capacityOf: (key: string) => number): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();

  return {
    take(key, now) {
      const left = Math.max(0, leftOf(key, now) - 1);
      // Keys are in the order in which they were last used.
      buckets.delete(key);
      if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value as string);
      buckets.set(key, { left, at: now });
    },
    emptyFor(key, now) {
      const left = leftOf(key, now);
      return left >= 1 ? 0 : Math.ceil(((1 - left) * windowMs) / Math.max(capacityOf(key), 1) / 1000);
    },
    used: (key, now) => Math.max(0, Math.round(capacityOf(key) - leftOf(key, now))),
  };

  function leftOf(key: string, now: number): number {
    const capacity = capacityOf(key);
    const bucket = buckets.get(key);
    return bucket ? Math.min(capacity, bucket.left + (Math.max(0, now - bucket.at) * capacity) / windowMs) : capacity;
  }
}
