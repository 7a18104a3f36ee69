import { CoreError } from "./errors.js";

/** How many may be at something at once, and how many may wait for it. */
export interface TurnLimits {
  /** What a refusal calls the limit: a noun in snake_case, such as `statements_at_once`. */
  readonly name: string;
  /** Turns at once, of all keys together. */
  readonly overall: number;
  /** Turns at once of one key; as many as `overall` by default. */
  readonly each?: number;
  /** That wait, of all keys together. */
  readonly waiting: number;
  /** That wait of one key; as many as `waiting` by default. */
  readonly waitingEach?: number;
  /**
   * A key that holds as many turns as are free gets no more: whoever comes new finds one. One key alone has half of all turns
   * then, two have a third each. For turns so long that nobody should wait for the end of one.
   */
  readonly keepsRoom?: boolean;
  /** What a refusal says of when to come again. */
  readonly retryAfterSeconds: number;
}

/** Turns at something that only so many may do at once. A key is whoever has a share of them, mostly a tenant. */
export interface Turns {
  /** A turn if one is free and nobody of the key waits, else null; what is returned ends it, once. For paths that cannot wait for a promise. */
  begin(key: string): (() => void) | null;
  /**
   * Waits for a turn. Waiting keys are served round-robin, whatever they queue up; calls of one key in the order in which they came.
   * Returns what ends the turn. Rejects with the signal's reason when it aborts first.
   * @throws CoreError RATE_LIMITED when too many of the key wait, UNAVAILABLE when too many wait in all, both with the limit
   */
  take(key: string, signal?: AbortSignal): Promise<() => void>;
  /** {@link Turns.take}, the work, and the end of the turn. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many have a turn now, and how many wait. */
  readonly running: number;
  readonly waiting: number;
}

/** Turns with bounds on both sides, fair between keys. All bookkeeping is in memory and of this process alone. */
export function createTurns(limits: TurnLimits): Turns {
  const { overall, waiting: maxWaiting, keepsRoom = false } = limits;
  const { each = overall, waitingEach = maxWaiting } = limits;
  const held = new Map<string, number>();
  /** Those that wait, by key; the key whose turn it is comes first. */
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

  /** A key that may not start does not keep the others waiting; one that did goes to the end of the circle. */
  function startNext(): void {
    for (const [key, queue] of queues) {
      if (running >= overall) return;
      if (!isFree(key)) continue;
      const [start] = queue;
      if (start === undefined) continue;
      waiting -= 1;
      queue.delete(start);
      // A key that is put in again is met once more by this loop, after all others.
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
