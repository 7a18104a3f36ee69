import { isFullFor } from "./places.js";
import { Queue, type QueuePlace } from "./queue.js";
import type { ReachedLimit } from "./reached-limit.js";

/** How many permits there are, and how many calls may wait for one. */
export interface SemaphoreOptions {
  /** The name of the limit in refusals: a noun in snake_case, such as `statements_at_once`. */
  readonly name: string;
  /** Permits of all keys together. */
  readonly permits: number;
  /** Permits of one key; `permits` by default. */
  readonly permitsPerKey?: number;
  /** Waiting calls of all keys together; above half of them, a key has at most an equal part of what is left ({@link isFullFor}). */
  readonly waiting: number;
  /** Waiting calls of one key; `waiting` by default. */
  readonly waitingPerKey?: number;
  /** How long a call waits at most, in milliseconds; forever by default. */
  readonly maxWaitMs?: number;
  /**
   * A key that holds as many permits as are free gets no more, so that a new key finds one. A single key can then have half of all permits, two
   * keys a third each. Meant for work too long to wait for.
   */
  readonly keepsRoom?: boolean;
  /** Permits that are shared with other semaphores; by default they are this one's alone. */
  readonly room?: SharedRoom;
  /** When to retry, as stated in refusals. */
  readonly retryAfterSeconds: number;
  /**
   * Makes the error of a refusal. `isOwnShare` is true when too many calls of the key wait, or its permits were held for as long as it waited;
   * otherwise too many calls wait in all.
   */
  readonly refuse: (limit: ReachedLimit) => Error;
  /**
   * Called with the wait of each call that waited, in milliseconds, also when it waited in vain. `forOwn` is true when it began to wait
   * because its key held all of its own permits, which says nothing about the permits of all.
   */
  readonly onWaited?: (ms: number, forOwn: boolean) => void;
}

/** Permits that several semaphores share. `held` is how many of them the asking semaphore holds. */
export interface SharedRoom {
  has(held: number): boolean;
  take(held: number): void;
  /** Takes one back, and lets the next waiting call of any of the semaphores begin ({@link Semaphore.beginNext}). */
  giveBack(held: number): void;
}

/** Limits the concurrency of work. A key is what gets a fair share of the permits, usually a tenant. */
export interface Semaphore {
  /**
   * Takes a permit, and returns undefined if one is free and no call of the key waits; otherwise returns a promise of the permit. Waiting keys are
   * served round-robin, however many calls they have queued; the calls of one key are served in order. Each step takes constant time. The promise
   * rejects with the signal's reason if it aborts first, or with what `refuse` makes.
   */
  enter(key: string, signal?: AbortSignal): Promise<void> | undefined;
  /** Returns a permit of {@link enter}. */
  leave(key: string): void;
  /** Waits for a permit as {@link enter} does, and returns the function that gives it back, once. */
  acquire(key: string, signal?: AbortSignal): Promise<() => void>;
  /** Does work with a permit. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Lets one waiting call begin, if there is room. Only for {@link SharedRoom}. */
  beginNext(): boolean;
  /** The number of permits that are held, and of calls that wait. */
  readonly running: number;
  readonly waiting: number;
  /** The keys of which calls wait. */
  waitingKeys(): readonly string[];
}

/** What of a semaphore is shown in metrics. */
export type SemaphoreLoad = Pick<Semaphore, "running" | "waiting">;

/** One key, while it holds permits or waits for any. */
interface KeyQueue {
  readonly key: string;
  /** What lets each waiting call begin. */
  readonly waiters: Queue<() => void>;
  running: number;
  /** Its place in the round, while it is there. */
  inRound: QueuePlace<KeyQueue> | null;
}

/** Creates a {@link Semaphore}. All bookkeeping is in memory and belongs to this process alone. */
export function createSemaphore(options: SemaphoreOptions): Semaphore {
  const { permits, waiting: maxWaiting, maxWaitMs, keepsRoom = false, room, onWaited } = options;
  const { permitsPerKey = permits, waitingPerKey = maxWaiting } = options;
  const queues = new Map<string, KeyQueue>();
  /** Queues with waiting calls and fewer permits than a key may have, in the order in which they are served. */
  const round = new Queue<KeyQueue>();
  let running = 0;
  let waiting = 0;

  const semaphore: Semaphore = {
    enter(key, signal) {
      signal?.throwIfAborted();
      const queue = queueOf(key);
      return tryTake(queue) ? undefined : wait(queue, signal);
    },
    leave(key) {
      const queue = queues.get(key) as KeyQueue;
      queue.running -= 1;
      running -= 1;
      addToRound(queue);
      forgetIdle(queue);
      if (room) room.giveBack(running);
      else while (semaphore.beginNext());
    },
    async acquire(key, signal) {
      await semaphore.enter(key, signal);
      return releaseOf(key);
    },
    async run(key, work, signal) {
      const entering = semaphore.enter(key, signal);
      if (entering !== undefined) await entering;
      try {
        return await work();
      } finally {
        semaphore.leave(key);
      }
    },
    beginNext() {
      if (!hasRoom()) return false;
      for (let left = round.size; left > 0; left -= 1) {
        const queue = round.shift() as KeyQueue;
        queue.inRound = null;
        const begin = keepsRoom && isAtItsPart(queue) ? undefined : queue.waiters.shift();
        if (begin !== undefined) {
          waiting -= 1;
          take(queue);
        }
        addToRound(queue);
        if (begin === undefined) continue;
        begin();
        return true;
      }
      return false;
    },
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    waitingKeys: () => [...queues.values()].flatMap((queue) => (queue.waiters.size > 0 ? [queue.key] : [])),
  };
  return semaphore;

  function queueOf(key: string): KeyQueue {
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = { key, waiters: new Queue(), running: 0, inRound: null };
      queues.set(key, queue);
    }
    return queue;
  }

  function tryTake(queue: KeyQueue): boolean {
    if (queue.waiters.size > 0 || queue.running >= permitsPerKey || !hasRoom() || (keepsRoom && isAtItsPart(queue)))
      return false;
    take(queue);
    return true;
  }

  function hasRoom(): boolean {
    return running < permits && (room === undefined || room.has(running));
  }

  function isAtItsPart(queue: KeyQueue): boolean {
    return queue.running >= permits - running;
  }

  function take(queue: KeyQueue): void {
    room?.take(running);
    running += 1;
    queue.running += 1;
  }

  function releaseOf(key: string): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      semaphore.leave(key);
    };
  }

  function wait(queue: KeyQueue, signal: AbortSignal | undefined): Promise<void> {
    if (queue.waiters.size >= waitingPerKey) return refused(queue, refusal(true, waitingPerKey));
    if (isFullFor(queue.waiters.size, { total: waiting, most: maxWaiting, keys: queues.size }))
      return refused(queue, refusal(false, maxWaiting));
    return new Promise((resolve, reject) => {
      const since = onWaited && performance.now();
      const forOwn = queue.running >= permitsPerKey;
      const place = queue.waiters.push(() => {
        settle();
        resolve();
      });
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
        if (since !== undefined) onWaited?.(performance.now() - since, forOwn);
      };
      const leave = (reason: unknown) => {
        queue.waiters.delete(place);
        waiting -= 1;
        settle();
        if (queue.waiters.size === 0) leaveRound(queue);
        forgetIdle(queue);
        reject(reason);
      };
      const giveUp = () => leave(signal?.reason);
      const timer =
        maxWaitMs === undefined
          ? undefined
          : setTimeout(() => {
              const isOwnShare = queue.running >= permitsPerKey;
              leave(isOwnShare ? refusal(true, permitsPerKey) : refusal(false, permits));
            }, maxWaitMs).unref();
      signal?.addEventListener("abort", giveUp, { once: true });
      waiting += 1;
      addToRound(queue);
    });
  }

  function refused(queue: KeyQueue, reason: Error): Promise<never> {
    forgetIdle(queue);
    return Promise.reject(reason);
  }

  function addToRound(queue: KeyQueue): void {
    if (queue.inRound !== null || queue.waiters.size === 0 || queue.running >= permitsPerKey) return;
    queue.inRound = round.push(queue);
  }

  function leaveRound(queue: KeyQueue): void {
    if (queue.inRound !== null) round.delete(queue.inRound);
    queue.inRound = null;
  }

  function forgetIdle(queue: KeyQueue): void {
    if (queue.running === 0 && queue.waiters.size === 0) queues.delete(queue.key);
  }

  function refusal(isOwnShare: boolean, value: number): Error {
    const { name, retryAfterSeconds, refuse } = options;
    return refuse({ name, value, isOwnShare, retryAfterSeconds });
  }
}
