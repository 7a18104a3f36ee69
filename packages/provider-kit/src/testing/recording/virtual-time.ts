import { setImmediate as macrotask } from "node:timers/promises";

/** A clock that moves only when everybody waits: a sleep of an hour takes no time. */
export interface VirtualTime {
  readonly clock: () => Date;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Work of somebody else, during which no sleep ends. */
  during<T>(work: Promise<T>): Promise<T>;
  advance(milliseconds: number): void;
}

/** Rounds of the event loop without a new sleep or request, after which everybody is taken to wait. */
const QUIET_ROUNDS = 20;

export function createVirtualTime(start: Date): VirtualTime {
  let now = start.getTime();
  let busy = 0;
  let activity = 0;
  let isWatching = false;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();

  return {
    clock: () => new Date(now),
    advance(milliseconds) {
      now += milliseconds;
    },
    sleep(milliseconds, signal) {
      activity += 1;
      return new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const sleeper = { at: now + Math.max(0, milliseconds), wake: () => end(resolve) };
        const abort = () => end(() => reject(signal.reason));
        const end = (finish: () => void) => {
          sleepers.delete(sleeper);
          signal.removeEventListener("abort", abort);
          finish();
        };
        signal.addEventListener("abort", abort, { once: true });
        sleepers.add(sleeper);
        if (!isWatching) void watch();
      });
    },
    async during(work) {
      busy += 1;
      activity += 1;
      try {
        return await work;
      } finally {
        busy -= 1;
        activity += 1;
      }
    },
  };

  /** Wakes the earliest sleeper each time that nothing else goes on. */
  async function watch(): Promise<void> {
    isWatching = true;
    for (let quiet = 0, seen = activity; sleepers.size > 0; ) {
      await macrotask();
      quiet = busy > 0 || activity !== seen ? 0 : quiet + 1;
      seen = activity;
      if (quiet < QUIET_ROUNDS) continue;
      quiet = 0;
      const [first] = [...sleepers].sort((one, other) => one.at - other.at);
      if (!first) continue;
      now = Math.max(now, first.at);
      first.wake();
    }
    isWatching = false;
  }
}
