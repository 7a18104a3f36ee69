/**
 * Reads a value once for everybody who asks while it is fresh or being read, and keeps only the last one. A read that fails is begun anew by the next
 * one to ask; a read for which nobody waits any longer is aborted.
 * @param keep_ms how long a value is fresh, in milliseconds
 */
export function shareReference<Calls, Value>(
  read: (calls: Calls) => Promise<Value>,
  keep_ms: number,
  clock: () => Date,
): (open: (signal: AbortSignal) => Calls, signal: AbortSignal) => Promise<Value> {
  let kept: { value: Promise<Value>; until: number; waiting: number; stop: AbortController } | null = null;

  return async (open, signal) => {
    signal.throwIfAborted();
    if (kept === null || clock().getTime() >= kept.until) {
      const stop = new AbortController();
      const begun = { value: read(open(stop.signal)), until: clock().getTime() + keep_ms, waiting: 0, stop };
      kept = begun;
      begun.value.catch(() => {
        if (kept === begun) kept = null;
      });
    }
    const own = kept;
    own.waiting += 1;
    let leave = () => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
    });
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([own.value, left]);
    } finally {
      signal.removeEventListener("abort", leave);
      own.waiting -= 1;
      if (own.waiting === 0) own.stop.abort(signal.reason);
    }
  };
}
