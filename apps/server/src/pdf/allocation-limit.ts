/** Counts what a thread allocates in byte arrays. */
export interface AllocationLimit {
  /** Counts from zero again. */
  reset(): void;
  readonly isReached: boolean;
}

/**
 * Limits the byte arrays that JavaScript code of this thread makes from here on, taken together: beyond `bytes` making one throws.
 * A worker's `resourceLimits` count its heap, and what a parser inflates lies outside of it. It changes the thread's global
 * `Uint8Array`, so it is for threads that do nothing else.
 */
export function limitAllocations(bytes: number): AllocationLimit {
  let taken = 0;
  globalThis.Uint8Array = new Proxy(globalThis.Uint8Array, {
    construct(target, given, newTarget) {
      if (typeof given[0] === "number") taken += given[0];
      if (taken > bytes) throw new RangeError("no more byte arrays");
      return Reflect.construct(target, given, newTarget);
    },
  });
  return {
    reset() {
      taken = 0;
    },
    get isReached() {
      return taken > bytes;
    },
  };
}
