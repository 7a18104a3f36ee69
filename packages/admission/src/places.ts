import type { ReachedLimit } from "./reached-limit.js";

/** A limit's name in docs/reference/limits.md and in metrics, and its value. */
export type NamedLimit = Pick<ReachedLimit, "name" | "value">;

/** How many places there are; nobody waits for one. */
export interface PlacesOptions {
  /** Places of one key; no limit by default. */
  readonly ofKey?: NamedLimit;
  /** Places of all keys together; no limit by default. Above half of them, a key has at most an equal part of what is left. */
  readonly overall?: NamedLimit;
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

/**
 * Whether what all keys share is full for a key that has `own` of it. Above half of it a key gets no more than an equal part of what is left: a
 * single key has at most half, and few keys cannot take all of it from the others.
 */
export function isFullFor(own: number, { total, most, keys }: { total: number; most: number; keys: number }): boolean {
  return total >= most / 2 && own * keys >= most - total;
}

export function createPlaces({ ofKey, overall, retryAfterSeconds }: PlacesOptions): Places {
  const taken = new Map<string, number>();
  let total = 0;

  return {
    take(key) {
      const own = taken.get(key) ?? 0;
      if (ofKey && own >= ofKey.value) return { ...ofKey, isOwnShare: true, retryAfterSeconds };
      if (overall && isFullFor(own, { total, most: overall.value, keys: taken.size }))
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
