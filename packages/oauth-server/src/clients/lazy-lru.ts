import { LRUCache } from "lru-cache";

/** The used part of a cache's interface. */
export interface LazyLru<Value extends object> {
  get(key: string): Value | undefined;
  /** @param size what the value counts against `maxSize` */
  set(key: string, value: Value, size?: number): void;
  delete(key: string): void;
}

/** An LRU cache that is created with its first value: a cache allocates its maximum size up front, and most of them hold rare cases. */
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
