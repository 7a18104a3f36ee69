import { LRUCache } from "lru-cache";

/** What is used of a cache. */
export interface LazyLru<Value extends object> {
  get(key: string): Value | undefined;
  /** @param size what it counts as, where sizes have a limit */
  set(key: string, value: Value, size?: number): void;
  delete(key: string): void;
}

/**
 * A cache that forgets what was not asked for longest. It is made when the first value is kept: it takes the room for all that it may hold
 * at once, and most are for what happens rarely.
 */
export function createLazyLru<Value extends object>(limits: {
  readonly max: number;
  readonly maxSize?: number;
}): LazyLru<Value> {
  let cache: LRUCache<string, Value> | undefined;
  return {
    get: (key) => cache?.get(key),
    set(key, value, size) {
      cache ??= new LRUCache(limits);
      cache.set(key, value, size === undefined ? {} : { size });
    },
    delete: (key) => void cache?.delete(key),
  };
}
