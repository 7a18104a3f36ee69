/** Places for calls that run at once: so many in all, and so many for each key. */
export interface CallSlots {
  /** Resolves with what gives the place back, first come first served for each key. Rejects when the signal aborts, or when too many wait. */
  take(key: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly key: string;
  readonly start: () => void;
}

/** @throws RangeError from `take` when `waiting` calls wait already */
export function createCallSlots(limits: { overall: number; each: number; waiting: number }): CallSlots {
  const running = new Map<string, number>();
  let total = 0;
  const queue = new Set<Waiting>();

  const isFree = (key: string) => total < limits.overall && (running.get(key) ?? 0) < limits.each;

  function enter(key: string): () => void {
    total += 1;
    running.set(key, (running.get(key) ?? 0) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      total -= 1;
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
      startNext();
    };
  }

  /** Whoever waits for a busy key does not keep the others waiting. */
  function startNext(): void {
    for (const waiting of queue)
      if (isFree(waiting.key)) {
        queue.delete(waiting);
        waiting.start();
      }
  }

  return {
    async take(key, signal) {
      signal.throwIfAborted();
      if (isFree(key)) return enter(key);
      if (queue.size >= limits.waiting) throw new RangeError("too many calls wait for banks");
      return new Promise((resolve, reject) => {
        const give = () => {
          queue.delete(waiting);
          reject(signal.reason);
        };
        const waiting: Waiting = {
          key,
          start() {
            signal.removeEventListener("abort", give);
            resolve(enter(key));
          },
        };
        queue.add(waiting);
        signal.addEventListener("abort", give, { once: true });
      });
    },
  };
}
