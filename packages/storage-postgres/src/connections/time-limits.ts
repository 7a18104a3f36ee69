import type { Workload } from "./connection-quota.js";

/**
 * How long one statement outside a transaction may run, in milliseconds, since a person waits for it. A page of the largest sample tenant (a
 * million holdings, every filter) takes a fraction of a second.
 */
export const READ_TIMEOUT_MS = 10_000;

/** How long a statement waits for a lock. A table lock is held for a moment or for minutes, and waiting for minutes would help nobody. */
export const LOCK_TIMEOUT_MS = 2_000;

/** Limits of a transaction, in milliseconds; 0 = none. */
export interface TimeLimits {
  /** For one statement, enforced by PostgreSQL. */
  readonly statement: number;
  /** For waiting for one lock. */
  readonly lock: number;
  /** For one answer, enforced by the client: longer than `statement`, so that PostgreSQL's own error comes first. */
  readonly answer: number;
}

const short = { statement: 10_000, lock: LOCK_TIMEOUT_MS, answer: 40_000 };

/**
 * Nobody waits for jobs, and their statements are long by nature. Clean-ups of several replicas wait for each other, so they have no lock
 * limit.
 */
export const timeLimits: Readonly<Record<Workload, TimeLimits>> = {
  reads: { ...short, answer: 15_000 },
  tenants: short,
  authentication: short,
  lookups: short,
  audit: short,
  upkeep: { statement: 30_000, lock: 0, answer: 0 },
};

/** `begin` does no work: if it is not answered, nothing else will be. */
export const BEGIN_MS = 5_000;
