/** Token buckets by network, which refill over time. */
export interface NetworkRates {
  /** Takes one token from a network's bucket, which may be empty. */
  take(network: string, now: number): void;
  /** Seconds until a network's bucket has a token again; 0 when it has one. */
  emptyFor(network: string, now: number): number;
}

/** Maximum number of tracked networks. The oldest is forgotten first, which refills its bucket. */
const MAX_NETWORKS = 10_000;
const MINUTE_MS = 60_000;

/** Makes buckets that refill at `perMinute`, which is also their capacity. */
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
