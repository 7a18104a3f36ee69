import { CoreError } from "./errors.js";

/** How many calls may run at the same time, and how many may wait. */
export interface TurnLimits {
  /** The name of the limit in refusals: a noun in snake_case, such as `statements_at_once`. */
  readonly name: string;
  /** Simultaneous turns of all keys together. */
  readonly overall: number;
  /** Simultaneous turns of one key; `overall` by default. */
  readonly each?: number;
  /** Waiting calls of all keys together. */
  readonly waiting: number;
  /** Waiting calls of one key; `waiting` by default. */
  readonly waitingEach?: number;
  /**
   * A key that holds as many turns as are free gets no more, so that a new key finds one. A single key can then have half of all turns, two keys
   * a third each. Meant for turns too long to wait for.
   */
  readonly keepsRoom?: boolean;
  /** When to retry, as stated in refusals. */
  readonly retryAfterSeconds: number;
}

/** Turns for work of limited concurrency. A key is what gets a fair share of them, usually a tenant. */
export interface Turns {
  /**
   * Takes a turn if one is free and no call of the key waits; otherwise returns null. The returned function ends the turn once, however often it
   * is called. For code that cannot wait for a promise.
   */
  begin(key: string): (() => void) | null;
  /**
   * Waits for a turn and returns the function that ends it. Waiting keys are served round-robin, however many calls they have queued; the
   * calls of one key are served in order. Rejects with the signal's reason if it aborts first.
   * @throws CoreError RATE_LIMITED when too many calls of the key wait, UNAVAILABLE when too many wait in all, both with the limit
   */
  take(key: string, signal?: AbortSignal): Promise<() => void>;
  /** Takes a turn, does the work and ends the turn. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The number of turns that are held, and of calls that wait. */
  readonly running: number;
  readonly waiting: number;
}

/** Creates {@link Turns}. All bookkeeping is in memory and belongs to this process alone. */
export function createTurns(limits: TurnLimits): Turns {
  const { overall, waiting: maxWaiting, keepsRoom = false } = limits;
  const { each = overall, waitingEach = maxWaiting } = limits;
  const held = new Map<string, number>();
  /** Waiting calls by key; the key that is served next comes first. */
  const queues = new Map<string, Set<() => void>>();
  let running = 0;
  let waiting = 0;

  const turns: Turns = {
    begin: (key) => (isFree(key) && !queues.has(key) ? enter(key) : null),
    async take(key, signal) {
      signal?.throwIfAborted();
      return turns.begin(key) ?? wait(key, signal);
    },
    async run(key, work, signal) {
      const end = await turns.take(key, signal);
      try {
        return await work();
      } finally {
        end();
      }
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
  };
  return turns;

  function isFree(key: string): boolean {
    const own = held.get(key) ?? 0;
    return running < overall && own < each && !(keepsRoom && own >= overall - running);
  }

  function enter(key: string): () => void {
    running += 1;
    held.set(key, (held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      running -= 1;
      const left = (held.get(key) ?? 1) - 1;
      if (left === 0) held.delete(key);
      else held.set(key, left);
      startNext();
    };
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<() => void> {
    const queue = queues.get(key) ?? new Set();
    if (queue.size >= waitingEach) throw refusal("RATE_LIMITED", waitingEach);
    if (waiting >= maxWaiting) throw refusal("UNAVAILABLE", maxWaiting);
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener("abort", leave);
        resolve(enter(key));
      };
      const leave = () => {
        waiting -= 1;
        queue.delete(start);
        if (queue.size === 0) queues.delete(key);
        reject(signal?.reason);
      };
      waiting += 1;
      queue.add(start);
      queues.set(key, queue);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Passes over keys that may not start now; a key that was served goes to the end of the round. */
  function startNext(): void {
    for (const [key, queue] of queues) {
      if (running >= overall) return;
      if (!isFree(key)) continue;
      const [start] = queue;
      if (start === undefined) continue;
      waiting -= 1;
      queue.delete(start);
      // Inserting the key again moves it behind all others; this loop reaches it once more.
      queues.delete(key);
      if (queue.size > 0) queues.set(key, queue);
      start();
    }
  }

  function refusal(code: "RATE_LIMITED" | "UNAVAILABLE", value: number): CoreError {
    const whose = code === "RATE_LIMITED" ? " for this tenant" : "";
    return new CoreError(code, `too many queued requests${whose}`, {
      limit: { name: limits.name, value },
      retryAfterSeconds: limits.retryAfterSeconds,
    });
  }
}
