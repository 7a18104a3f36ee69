/** What networks use up, in buckets that fill again by themselves. */
export interface NetworkRates {
  /** Takes one from a network's bucket, which may be empty already. */
  take(network: string, now: number): void;
  /** In how many seconds there is something in a network's bucket again; 0 when there is now. */
  emptyFor(network: string, now: number): number;
}

/** Networks that are kept apart; the one that was new first is forgotten first, with a full bucket. */
const MAX_NETWORKS = 10_000;
const MINUTE_MS = 60_000;

/** Makes buckets of `perMinute`, which is also how much is in a full one. */
export function createNetworkRates({ perMinute }: { perMinute: number }): NetworkRates {
  const buckets = new Map<string, { left: number; at: number }>();

  return {
    take(network, now) {
      const left = leftOf(network, now);
      if (!buckets.has(network) && buckets.size >= MAX_NETWORKS) buckets.delete(buckets.keys().next().value as string);
      buckets.set(network, { left: Math.max(0, left - 1), at: now });
    },
    emptyFor(network, now) {
      const left = leftOf(network, now);
      return left >= 1 ? 0 : Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000);
    },
  };

  function leftOf(network: string, now: number): number {
    const bucket = buckets.get(network);
    return bucket ? Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / MINUTE_MS) : perMinute;
  }
}
