import { setTimeout as delay } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { type DatabaseFault, explainDriverError, faultOf } from "../storage-error.js";
import type { Line } from "./line.js";
import type { Shares, Use } from "./shares.js";

/** A connection, for as long as somebody works on it. */
export interface Lease {
  readonly client: PoolClient;
  /** Set before something is sent that must not happen twice: a commit, a statement that changes something. */
  isSent: boolean;
}

/** Lends connections, each use and each tenant its share. */
export interface Leases {
  /**
   * Works on a connection. While the database is away it waits for it, and begins again when the connection is lost before
   * anything was sent that must not happen twice, both for a limited time.
   * @throws StorageError `unavailable`, `limited`
   */
  lend<T>(use: Use, party: string, work: (lease: Lease) => Promise<T>): Promise<T>;
}

/** After which faults work is begun again, and after what pause. A fault that is not there is final. */
const pauses: Readonly<Partial<Record<DatabaseFault, number>>> = {
  lost: 20,
  full: 100,
  // A new connection may lead to the new primary.
  read_only: 250,
  collided: 10,
};
/** Attempts at work that collides. After each one of the others is through, so that it ends well before. */
const MOST_COLLISIONS = 10;

/** @param waitMs how long work waits for a database that is away */
export function createLeases({
  pool,
  shares,
  line,
  waitMs,
  onNoRoom,
}: {
  pool: Pool;
  shares: Shares;
  line: Line;
  waitMs: number;
  onNoRoom?: ((error: Error) => void) | undefined;
}): Leases {
  return {
    async lend(use, party, work) {
      /** When the first fault was met. */
      let since: number | null = null;
      let collisions = 0;
      for (;;) {
        if (line.isDown()) {
          since ??= performance.now();
          await line.untilUp(Math.max(0, since + waitMs - performance.now()));
        }
        const turn = shares.enter(use, party);
        if (turn !== undefined) await turn;
        // Whoever waits for the database does not keep others from waiting.
        if (line.isDown()) {
          shares.leave(use, party);
          continue;
        }
        const outcome = await attempt(work).finally(() => shares.leave(use, party));
        if ("result" in outcome) return outcome.result;
        const { fault, error, isSent } = outcome;
        if (fault === "lost") line.suspect();
        if (fault === "no_room") onNoRoom?.(error as Error);
        const pause = fault === null ? undefined : pauses[fault];
        if (fault === "collided") collisions += 1;
        else since ??= performance.now();
        const isOver = collisions >= MOST_COLLISIONS || (since !== null && performance.now() >= since + waitMs);
        // Of a connection that was lost nobody knows whether what was sent has happened; everything else says that it has not.
        if (pause === undefined || (fault === "lost" && isSent) || isOver) throw explainDriverError(error);
        await delay(pause);
      }
    },
  };

  type Outcome<T> = { result: T } | { fault: DatabaseFault | null; error: unknown; isSent: boolean };

  async function attempt<T>(work: (lease: Lease) => Promise<T>): Promise<Outcome<T>> {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      return { fault: faultOf(error), error, isSent: false };
    }
    const lease = { client, isSent: false };
    try {
      const result = await work(lease);
      client.release();
      return { result };
    } catch (error) {
      const fault = faultOf(error);
      // A connection to a standby leads nowhere; one that is gone the pool drops by itself.
      client.release(fault === "read_only" || fault === "lost");
      return { fault, error, isSent: lease.isSent };
    }
  }
}
