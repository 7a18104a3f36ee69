import { useSyncExternalStore } from "react";

/** A value that code outside components sets and that components subscribe to. */
export interface Stored<T> {
  get(): T;
  set(value: T): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export function createStored<T>(initial: T): Stored<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The stored value; renders again when it changes. */
export function useStored<T>(stored: Stored<T>): T {
  return useSyncExternalStore(stored.subscribe, stored.get);
}

/** Entries that are kept in this browser; while storage is unavailable they are lost on the next visit. */
export function createKept<V>(
  keptAs: string,
  isValue: (value: unknown) => value is V,
): Stored<Readonly<Record<string, V>>> {
  const stored = createStored<Readonly<Record<string, V>>>(read());
  return {
    ...stored,
    set(next) {
      stored.set(next);
      try {
        localStorage.setItem(keptAs, JSON.stringify(next));
      } catch {
        // Storage is unavailable.
      }
    },
  };

  function read(): Readonly<Record<string, V>> {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(keptAs) ?? "{}");
      const entries = Object.entries(kept ?? {});
      return Object.fromEntries(entries.filter((entry): entry is [string, V] => isValue(entry[1])));
    } catch {
      return {};
    }
  }
}
