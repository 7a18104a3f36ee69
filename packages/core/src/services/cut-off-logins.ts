import type { Runtime } from "../ports/runtime.js";
import type { SessionRecord } from "../ports/session-store.js";
import type { Storage } from "../ports/storage.js";
import { sleep } from "../retry.js";
import type { Uuid } from "../schemas/identifier.js";
import { nextSessionStatus, nothingAsked } from "./session-machine.js";

/**
 * For how long a server has a session while it asks the bank. Longer than work that has its data waits for a database that is away,
 * and, with the job's interval, less than the minute within which a customer may try again.
 */
export const LOGIN_LEASE_MS = 45_000;

/** A login whose server was killed while it talked to the bank. */
export interface CutOffLogin {
  readonly tenant_id: string;
  readonly session_id: Uuid;
}

/**
 * Does work on a session whose `working_until` was set by the move that began it, and says again and again, until the work is over,
 * that this server has the session.
 */
export async function holdWhile(
  { storage, runtime, leaseMs }: { storage: Storage; runtime: Pick<Runtime, "clock">; leaseMs: number },
  { tenant_id, session }: { tenant_id: string; session: SessionRecord },
  work: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const held = hold();
  try {
    await work();
  } finally {
    over.abort();
    await held;
  }

  async function hold(): Promise<void> {
    for (;;) {
      const waited = await sleep(leaseMs / 3, over.signal).then(
        () => true,
        () => false,
      );
      if (!waited) return;
      const until = new Date(runtime.clock().getTime() + leaseMs);
      const stillThere = await storage
        .inTenant(tenant_id, ({ sessions }) => sessions.keepWorking(session, until))
        // A database that is away does not end the work, and may be back before the lease ends.
        .catch(() => true);
      if (!stillThere) return;
    }
  }
}

/**
 * Gives sessions back to their customers whose server has not been heard of: they log in again from the start, for an answer that the
 * bank has seen may not be good twice. It counts as no attempt. Returns those given back, `limit` at most.
 */
export async function releaseCutOffLogins(
  { storage, runtime }: { storage: Storage; runtime: Pick<Runtime, "clock"> },
  limit: number,
): Promise<readonly CutOffLogin[]> {
  const released: CutOffLogin[] = [];
  for (const found of await storage.upkeep.cutOffLogins(runtime.clock(), limit)) {
    const { tenant_id, session_id } = found;
    const moved = await storage.inTenant(tenant_id, async ({ sessions }) => {
      const session = await sessions.find(session_id);
      const now = runtime.clock();
      // It may have been heard of since, or have gone on.
      if (!session?.working_until || session.working_until > now || session.expires_at <= now) return false;
      const status = nextSessionStatus(session.status, "cut_off");
      if (status === null) return false;
      return sessions.move(session_id, session.version, {
        status,
        error_code: "InternalError",
        ...nothingAsked,
        working_until: null,
        updated_at: now,
      });
    });
    if (moved) released.push(found);
  }
  return released;
}
