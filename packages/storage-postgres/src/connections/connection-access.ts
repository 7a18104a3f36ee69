import { setTimeout as delay } from "node:timers/promises";
import { type DatabaseFault, explainDriverError, faultOf } from "../storage-error.js";
import type { ConnectionQuota, Workload } from "./connection-quota.js";
import type { DatabaseMonitor } from "./database-monitor.js";

/** One attempt at a piece of work. */
export interface Attempt {
  /** Set before sending something that must not happen twice: a commit, or a statement that changes something. */
  isSent: boolean;
}

/** Gives work its connections, within the quota of each workload and each tenant. */
export interface ConnectionAccess {
  /**
   * Runs work that takes one connection. It waits while the database is unavailable, and starts over when the connection is lost before anything
   * was sent that must not happen twice; both for a limited time.
   * @throws StorageError `unavailable`, `limited`
   */
  withConnection<T>(use: Workload, key: string, work: (attempt: Attempt) => Promise<T>): Promise<T>;
}

/** The faults after which work is retried, and the pause before it. Any other fault is final. */
const pauses: Readonly<Partial<Record<DatabaseFault, number>>> = {
  lost: 20,
  full: 100,
  // A new connection may lead to the new primary.
  read_only: 250,
  collided: 10,
};
/**
 * Attempts at work that collides with other transactions. Each collision means that another one got through, so this limit is rarely reached.
 */
const MAX_COLLISIONS = 10;
/** The same for upkeep: work such as removing a tenant meets all of the tenant's writers, and nobody waits for it. */
const MAX_COLLISIONS_OF_UPKEEP = 100;

/** @param waitMs how long work waits for a database that is unavailable */
export function createConnectionAccess({
  quota,
  monitor,
  waitMs,
  onNoRoom,
}: {
  quota: ConnectionQuota;
  monitor: DatabaseMonitor;
  waitMs: number;
  onNoRoom?: ((error: Error) => void) | undefined;
}): ConnectionAccess {
  return {
    // Every request passes through here, so nothing is waited for that is there.
    withConnection(use, key, work) {
      const entering = monitor.isDown() ? null : quota.enter(use, key);
      if (entering !== undefined) return repeat(use, key, work, entering);
      const attempt = { isSent: false };
      return work(attempt).then(
        (result) => {
          quota.leave(use, key);
          return result;
        },
        (error: unknown) => {
          quota.leave(use, key);
          return repeat(use, key, work, null, { error, attempt });
        },
      );
    },
  };

  /**
   * Does work until it succeeds, or its fault is final.
   * @param entering the wait for its connection, if that has begun
   * @param failure of the attempt that was made already
   */
  async function repeat<T>(
    use: Workload,
    key: string,
    work: (attempt: Attempt) => Promise<T>,
    entering: Promise<void> | null,
    failure?: Failure,
  ): Promise<T> {
    /** Time of the first fault. */
    let since: number | null = null;
    let collisions = 0;
    for (let turn: Promise<void> | null | undefined = entering, failed = failure; ; turn = null) {
      if (failed !== undefined) {
        const { error, attempt } = failed;
        failed = undefined;
        const fault = faultOf(error);
        // A host that became a standby still answers, but changes have to go to another host.
        if (fault === "lost" || fault === "read_only") monitor.reportFailure();
        if (fault === "no_room") onNoRoom?.(error as Error);
        const pause = fault === null ? undefined : pauses[fault];
        if (fault === "collided") collisions += 1;
        else since ??= performance.now();
        const maxCollisions = use === "upkeep" ? MAX_COLLISIONS_OF_UPKEEP : MAX_COLLISIONS;
        const isOver = collisions >= maxCollisions || (since !== null && performance.now() >= since + waitMs);
        // When a connection is lost, it is unknown whether the statement was executed; after every other fault it was not.
        if (pause === undefined || (fault === "lost" && attempt.isSent) || isOver)
          throw explainDriverError(error, attempt.isSent);
        await delay(pause);
      }
      if (turn === null) {
        if (monitor.isDown()) {
          since ??= performance.now();
          await monitor.waitUntilUp(Math.max(0, since + waitMs - performance.now()));
        }
        turn = quota.enter(use, key);
      }
      if (turn !== undefined) await turn;
      // Work that waits for the database must not keep other work from waiting too.
      if (monitor.isDown()) {
        quota.leave(use, key);
        continue;
      }
      const attempt = { isSent: false };
      try {
        return await work(attempt);
      } catch (error) {
        failed = { error, attempt };
      } finally {
        quota.leave(use, key);
      }
    }
  }
}

/** What came of one attempt. */
interface Failure {
  readonly error: unknown;
  readonly attempt: Attempt;
}
