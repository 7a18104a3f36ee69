import { createSemaphore, type Semaphore } from "@org/admission";
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

/** Waiting requests of one workload, so that memory stays bounded; above half of them keys that hold more than their part are refused. */
const MAX_WAITING = 10_000;

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

/** Keys that are tenants have a queue of their own, with a limit. */
function isOfTenants(use: Workload): boolean {
  return use === "reads" || use === "tenants";
}

interface Kind {
  readonly semaphore: Semaphore;
  /** Permits since `standing` was last called, and the shortest wait for one. */
  samples: number;
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
  /** Connections that are reserved for no workload and not in use. */
  let spare = workloads.reduce((rest, use) => rest - quota[use].guaranteed, limits.connections);
  let finished = 0;
  /** The workload that is served next when several wait for a spare connection. */
  let next = 0;
  const kinds = Object.fromEntries(workloads.map((use) => [use, kindOf(use)])) as Readonly<Record<Workload, Kind>>;

  return {
    enter(use, key) {
      const { semaphore } = kinds[use];
      const entering = semaphore.enter(key);
      if (entering === undefined) sample(use, 0);
      return entering;
    },
    leave(use, key) {
      finished += 1;
      kinds[use].semaphore.leave(key);
    },
    progress: () => ({ running: workloads.reduce((sum, use) => sum + kinds[use].semaphore.running, 0), finished }),
    standing() {
      let longest = 0;
      for (const use of requestWorkloads) {
        const kind = kinds[use];
        if (kind.samples >= MIN_SAMPLES) longest = Math.max(longest, kind.shortestMs);
        kind.samples = 0;
      }
      return longest;
    },
    state() {
      const stateOf = ({ semaphore: { running, waiting } }: Kind) => ({ running, waiting });
      const tenants = [...kinds.reads.semaphore.waitingKeys(), ...kinds.tenants.semaphore.waitingKeys()];
      return {
        workloads: Object.fromEntries(workloads.map((use) => [use, stateOf(kinds[use])])) as Record<
          Workload,
          WorkloadState
        >,
        tenantsWaiting: new Set(tenants).size,
      };
    },
  };

  function kindOf(use: Workload): Kind {
    const { guaranteed, atMost } = quota[use];
    const perTenant = Math.min(limits.perTenant, atMost);
    const semaphore = createSemaphore({
      name: "statements_at_once",
      permits: atMost,
      ...(isOfTenants(use) && { permitsPerKey: perTenant, waitingPerKey: limits.waitingPerTenant }),
      waiting: MAX_WAITING,
      maxWaitMs: limits.waitMs,
      retryAfterSeconds: 1,
      room: {
        has: (held) => held < guaranteed || spare > 0,
        take(held) {
          if (held >= guaranteed) spare -= 1;
        },
        giveBack(held) {
          if (held >= guaranteed) spare += 1;
          dispatch();
        },
      },
      refuse: ({ isOwnShare }) => (isOwnShare && isOfTenants(use) ? limited(perTenant) : busy()),
      onWaited(ms, forOwn) {
        if (!forOwn) sample(use, ms);
        onWaited(use, ms);
      },
    });
    return { semaphore, samples: 0, shortestMs: 0 };
  }

  function sample(use: Workload, ms: number): void {
    const kind = kinds[use];
    kind.shortestMs = kind.samples === 0 ? ms : Math.min(kind.shortestMs, ms);
    kind.samples += 1;
  }

  /** Serves one waiting call of each workload in turn while there is room. */
  function dispatch(): void {
    for (let passed = 0; passed < workloads.length; ) {
      const { semaphore } = kinds[workloads[next] as Workload];
      next = (next + 1) % workloads.length;
      passed = semaphore.beginNext() ? 0 : passed + 1;
    }
  }

  function limited(perTenant: number): StorageError {
    const message = `too many requests of this tenant wait for the database: ${perTenant} run at once, ${limits.waitingPerTenant} more wait their turn`;
    return new StorageError("limited", message, {
      retryAfterSeconds: 1,
      limit: { name: "statements_at_once", value: perTenant },
    });
  }
}

function busy(): StorageError {
  return new StorageError("unavailable", "the database has too much to do", { retryAfterSeconds: 2 });
}
