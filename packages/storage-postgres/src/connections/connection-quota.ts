import { StorageError } from "../storage-error.js";

/**
 * The use of a connection. Each workload has connections that no other can take, so that one that is blocked by a lock or a slow statement does
 * not affect the others.
 */
export type Workload =
  /** Reads of the data tools: one statement, no transaction. */
  | "reads"
  /** Transactions of a tenant. */
  | "tenants"
  /** Tokens, codes, grants, clients. */
  | "authentication"
  /** Lookups that serve a request before its tenant is known: links, ids, the catalogue. */
  | "lookups"
  /** The audit trail. */
  | "audit"
  /** Jobs, and everything that operators do across tenants. */
  | "upkeep";

/** How many connections a workload has for itself, and how many it may take when others leave theirs idle. */
interface WorkloadShare {
  readonly guaranteed: number;
  readonly atMost: number;
}

/** How connections are divided. */
export interface ConnectionQuotaLimits {
  /** Connections in total. */
  readonly connections: number;
  /** Concurrent statements and transactions of one tenant, for each of its two workloads. */
  readonly perTenant: number;
  /** How many more of one tenant may wait. */
  readonly waitingPerTenant: number;
  /** How long anything waits for a connection, in milliseconds. */
  readonly waitMs: number;
}

/** The present state, for metrics. */
export interface WorkloadState {
  readonly running: number;
  readonly waiting: number;
}

/** Assigns connections fairly. */
export interface ConnectionQuota {
  /**
   * Takes a connection for a workload and one of its keys (a tenant). Returns undefined if a connection is free now, otherwise a promise that
   * resolves when it is the caller's turn. Waiting keys are served round-robin, however many requests one of them has queued.
   * @throws StorageError `limited` when this key has too many waiting requests, `unavailable` when all wait for too long
   */
  enter(use: Workload, key: string): Promise<void> | undefined;
  /** Returns a connection. */
  leave(use: Workload, key: string): void;
  /** How many connections are in use, and how many were returned since the start, which shows whether work makes progress. */
  progress(): { readonly running: number; readonly finished: number };
  /**
   * The largest, over workloads, of their shortest waits for a connection since the last call, in milliseconds: above 0 a queue persists
   * (CoDel, RFC 8289 §3). 0 if no workload had a queue, or too few requests came. Jobs and the audit trail do not count, because no request
   * waits for them.
   */
  standing(): number;
  state(): { readonly workloads: Readonly<Record<Workload, WorkloadState>>; readonly tenantsWaiting: number };
}

const workloads: readonly Workload[] = ["authentication", "lookups", "reads", "tenants", "audit", "upkeep"];

/** Workloads that requests wait for. */
const requestWorkloads: readonly Workload[] = ["authentication", "lookups", "reads", "tenants"];

/** Fewer connections than this cannot be divided: all workloads then take turns at all of them. */
const MIN_SHARED_CONNECTIONS = 8;

/** Waiting requests of one workload above which keys that hold more than their share of them are refused, so that memory stays bounded. */
const MAX_WAITING = 5_000;

/** With fewer turns than this no queue is reported: a single request behind a slow statement proves nothing. */
const MIN_SAMPLES = 8;

/** How many of the connections each workload gets. */
function sharesOf(connections: number): Readonly<Record<Workload, WorkloadShare>> {
  const all = { guaranteed: 0, atMost: connections };
  if (connections < MIN_SHARED_CONNECTIONS)
    return { authentication: all, lookups: all, reads: all, tenants: all, audit: all, upkeep: all };
  const part = (divisor: number) => Math.max(1, Math.floor(connections / divisor));
  return {
    authentication: { guaranteed: part(8), atMost: part(2) },
    lookups: { guaranteed: 1, atMost: part(4) },
    reads: { guaranteed: part(4), atMost: part(2) },
    tenants: { guaranteed: part(4), atMost: part(2) },
    audit: { guaranteed: 1, atMost: 1 },
    upkeep: { guaranteed: 1, atMost: part(8) },
  };
}

/** Concurrent statements of one tenant by default: half of what its workload may take, so that there is always room for others. */
export function statementsPerTenant(connections: number): number {
  return Math.max(1, Math.floor(sharesOf(connections).reads.atMost / 2));
}

interface Waiter {
  readonly begin: () => void;
  isGone: boolean;
}

/** One tenant in one workload, while it runs or waits for anything. */
interface KeyQueue {
  readonly waiters: Queue<Waiter>;
  /** How many of `waiters` have not given up. */
  waiting: number;
  running: number;
  /** Whether the queue is in its workload's round. */
  isInRound: boolean;
}

interface Kind extends WorkloadShare {
  readonly queues: Map<string, KeyQueue>;
  /** Queues whose key may take one more connection, in the order of their turns. */
  readonly round: Queue<KeyQueue>;
  readonly perKey: number;
  readonly isOfTenants: boolean;
  running: number;
  waiting: number;
  /** Turns since `standing` was last called, and the shortest wait for one. */
  turns: number;
  shortestMs: number;
}

/**
 * Divides connections between workloads, and those of a workload between tenants, round-robin. Every step takes constant time, however many
 * requests wait.
 * @param onWaited called with the wait for a connection, in milliseconds
 */
export function createConnectionQuota(
  limits: ConnectionQuotaLimits,
  onWaited: (use: Workload, ms: number) => void = () => undefined,
): ConnectionQuota {
  const quota = sharesOf(limits.connections);
  const kinds = Object.fromEntries(
    workloads.map((use) => {
      const isOfTenants = use === "reads" || use === "tenants";
      const perKey = isOfTenants ? Math.min(limits.perTenant, quota[use].atMost) : quota[use].atMost;
      return [
        use,
        {
          ...quota[use],
          queues: new Map(),
          round: new Queue(),
          perKey,
          isOfTenants,
          running: 0,
          waiting: 0,
          turns: 0,
          shortestMs: 0,
        },
      ];
    }),
  ) as unknown as Readonly<Record<Workload, Kind>>;
  /** Connections that are reserved for no workload and not in use. */
  let spare = workloads.reduce((rest, use) => rest - quota[use].guaranteed, limits.connections);
  let running = 0;
  let finished = 0;
  /** The workload that is served next when several wait for a spare connection. */
  let next = 0;

  return {
    enter(use, key) {
      const kind = kinds[use];
      const queue = kind.queues.get(key) ?? addQueue(kind, key);
      if (queue.waiting === 0 && queue.running < kind.perKey && hasRoom(kind)) {
        take(kind, queue);
        count(kind, 0);
        return undefined;
      }
      return wait(use, kind, queue, key);
    },
    leave(use, key) {
      const kind = kinds[use];
      const queue = kind.queues.get(key) as KeyQueue;
      queue.running -= 1;
      kind.running -= 1;
      running -= 1;
      finished += 1;
      if (kind.running >= kind.guaranteed) spare += 1;
      queueUp(kind, queue);
      forgetIdle(kind, queue, key);
      dispatch();
    },
    progress: () => ({ running, finished }),
    standing() {
      let longest = 0;
      for (const use of requestWorkloads) {
        const kind = kinds[use];
        if (kind.turns >= MIN_SAMPLES) longest = Math.max(longest, kind.shortestMs);
        kind.turns = 0;
      }
      return longest;
    },
    state() {
      const state = (use: Workload) => ({ running: kinds[use].running, waiting: kinds[use].waiting });
      const queues = [...kinds.reads.queues, ...kinds.tenants.queues];
      return {
        workloads: Object.fromEntries(workloads.map((use) => [use, state(use)])) as Record<Workload, WorkloadState>,
        tenantsWaiting: new Set(queues.flatMap(([key, { waiting }]) => (waiting > 0 ? [key] : []))).size,
      };
    },
  };

  function addQueue(kind: Kind, key: string): KeyQueue {
    const queue = { waiters: new Queue<Waiter>(), waiting: 0, running: 0, isInRound: false };
    kind.queues.set(key, queue);
    return queue;
  }

  function hasRoom({ running: own, guaranteed, atMost }: Kind): boolean {
    return own < guaranteed || (spare > 0 && own < atMost);
  }

  function take(kind: Kind, queue: KeyQueue): void {
    if (kind.running >= kind.guaranteed) spare -= 1;
    kind.running += 1;
    queue.running += 1;
    running += 1;
  }

  function count(kind: Kind, ms: number): void {
    kind.shortestMs = kind.turns === 0 ? ms : Math.min(kind.shortestMs, ms);
    kind.turns += 1;
  }

  function wait(use: Workload, kind: Kind, queue: KeyQueue, key: string): Promise<void> {
    if (kind.isOfTenants && queue.waiting >= limits.waitingPerTenant) return Promise.reject(limited(kind));
    if (kind.waiting >= MAX_WAITING && queue.waiting >= MAX_WAITING / kind.queues.size) {
      forgetIdle(kind, queue, key);
      return Promise.reject(busy());
    }
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const waiter: Waiter = {
        isGone: false,
        begin() {
          clearTimeout(timer);
          const ms = performance.now() - since;
          count(kind, ms);
          onWaited(use, ms);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiter.isGone = true;
        queue.waiting -= 1;
        kind.waiting -= 1;
        const isOwnDoing = kind.isOfTenants && queue.running >= kind.perKey;
        forgetIdle(kind, queue, key);
        count(kind, performance.now() - since);
        onWaited(use, performance.now() - since);
        reject(isOwnDoing ? limited(kind) : busy());
      }, limits.waitMs);
      timer.unref();
      queue.waiters.push(waiter);
      queue.waiting += 1;
      kind.waiting += 1;
      queueUp(kind, queue);
    });
  }

  /** Puts a queue into the round when it has waiters. */
  function queueUp(kind: Kind, queue: KeyQueue): void {
    if (queue.isInRound || queue.waiting === 0 || queue.running >= kind.perKey) return;
    queue.isInRound = true;
    kind.round.push(queue);
  }

  function forgetIdle(kind: Kind, queue: KeyQueue, key: string): void {
    if (queue.running === 0 && queue.waiting === 0 && kind.queues.get(key) === queue) kind.queues.delete(key);
  }

  /** Serves one waiter of each workload in turn while there is room. */
  function dispatch(): void {
    for (let passed = 0; passed < workloads.length; ) {
      const kind = kinds[workloads[next] as Workload];
      next = (next + 1) % workloads.length;
      passed = kind.waiting > 0 && hasRoom(kind) && beginOne(kind) ? 0 : passed + 1;
    }
  }

  function beginOne(kind: Kind): boolean {
    for (let queue = kind.round.shift(); queue; queue = kind.round.shift()) {
      queue.isInRound = false;
      const waiter = nextOf(queue);
      if (!waiter || queue.running >= kind.perKey) continue;
      queue.waiting -= 1;
      kind.waiting -= 1;
      take(kind, queue);
      queueUp(kind, queue);
      waiter.begin();
      return true;
    }
    return false;
  }

  function nextOf(queue: KeyQueue): Waiter | undefined {
    for (let waiter = queue.waiters.shift(); waiter; waiter = queue.waiters.shift()) if (!waiter.isGone) return waiter;
    return undefined;
  }

  function limited({ perKey }: Kind): StorageError {
    const message = `too many requests of this tenant wait for the database: ${perKey} run at once, ${limits.waitingPerTenant} more wait their turn`;
    return new StorageError("limited", message, {
      retryAfterSeconds: 1,
      limit: { name: "statements_at_once", value: perKey },
    });
  }
}

function busy(): StorageError {
  return new StorageError("unavailable", "the database has too much to do", { retryAfterSeconds: 2 });
}

/** A first-in, first-out queue; both ends take constant time. */
class Queue<T> {
  #items: T[] = [];
  #head = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    // Removes consumed items now and then, at an amortised constant cost.
    if (this.#head === this.#items.length || (this.#head > 1_000 && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
