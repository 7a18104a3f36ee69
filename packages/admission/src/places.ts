import type { ReachedLimit } from "./reached-limit.js";

/** A limit's name in docs/limits.md and in metrics, and its value. */
export type NamedLimit = Pick<ReachedLimit, "name" | "value">;

/** How many places there are; nobody waits for one. */
export interface PlacesOptions {
  /** Places of one key; no limit by default. */
  readonly ofKey?: NamedLimit;
  /** Places of all keys together; no limit by default. */
  readonly overall?: NamedLimit;
  /** Beyond `overall`, a key with less than an equal part of it gets a place up to this many; `overall` by default. */
  readonly withFairPart?: number;
  /** When to retry, as stated in refusals. */
  readonly retryAfterSeconds: number;
}

/** Places that calls take and leave. A key is what gets no more than its share, such as a tenant or a network. */
export interface Places {
  /** Takes a place. Returns the limit that was reached, in which case none is taken, else null. */
  take(key: string): ReachedLimit | null;
  /** Leaves a place that was taken. */
  leave(key: string): void;
}

export function createPlaces({ ofKey, overall, withFairPart, retryAfterSeconds }: PlacesOptions): Places {
  const taken = new Map<string, number>();
  let total = 0;

  return {
    take(key) {
      const own = taken.get(key) ?? 0;
      if (ofKey && own >= ofKey.value) return { ...ofKey, isOwnShare: true, retryAfterSeconds };
      if (overall && total >= overall.value && !(total < (withFairPart ?? 0) && own < overall.value / taken.size))
        return { ...overall, isOwnShare: false, retryAfterSeconds };
      taken.set(key, own + 1);
      total += 1;
      return null;
    },
    leave(key) {
      const left = (taken.get(key) ?? 1) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
      total -= 1;
    },
  };
}
