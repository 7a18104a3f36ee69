import type { Sleep } from "./ports/runtime.js";
import { sleep } from "./retry.js";

/** Work that a stopping server waits for, and then cuts off. */
export interface PendingWork {
  /** Aborts when the remaining work is cut off. */
  readonly signal: AbortSignal;
  add<T>(work: Promise<T>): Promise<T>;
  /** Waits for the work for at most `graceMs`, then aborts {@link signal} and waits until the rest has ended. */
  close(graceMs: number): Promise<void>;
}

export function createPendingWork(pause: Sleep = sleep): PendingWork {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    signal: stopping.signal,
    add(work) {
      const tracked = work.finally(() => running.delete(tracked));
      running.add(tracked);
      return tracked;
    },
    async close(graceMs) {
      const over = new AbortController();
      const grace = pause(graceMs, over.signal).catch(() => undefined);
      await Promise.race([Promise.all(running), grace]);
      over.abort();
      stopping.abort(new Error("the server stops"));
      await Promise.all(running);
    },
  };
}
