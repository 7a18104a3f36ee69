import type { Runtime, Sleep } from "../ports/runtime.js";
import type { SessionChange, SessionRecord } from "../ports/session-store.js";
import type { Storage, TenantStores } from "../ports/storage.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
import type { SessionErrorCode, SessionRemark } from "../schemas/session.js";
import { eventsOfMove, nextSessionStatus, nothingAsked, nothingSecret, type SessionEvent } from "./session-machine.js";

/** Refused attempts until the session ends, at whichever steps and banks they were (contract §9, §11). */
export const MAX_ATTEMPTS = 3;

/** Thrown inside a transaction to undo it when the session has moved on meanwhile. */
export class Overtaken extends Error {}

/** Moves sessions that are in `Processing:*` on by what their bank said. */
export function createSessionVerdicts({
  storage,
  runtime,
  ...deps
}: {
  storage: Storage;
  runtime: Runtime;
  sleep?: Sleep;
}) {
  const pause = deps.sleep ?? sleep;
  return { settle, reject, finish, settling, moveIn };

  /**
   * The customer may try again, {@link MAX_ATTEMPTS} times in all: at the same step, but after the bank's own page from the start, for
   * whatever leads there may be good once.
   */
  async function reject(
    tenantId: string,
    session: SessionRecord,
    code?: SessionErrorCode,
    remark: SessionRemark | null = null,
  ): Promise<void> {
    const wasAway = session.challenge?.kind === "redirect";
    const wasAnswered = session.status === "Processing:Challenge" && !wasAway;
    const errorCode = code ?? (wasAnswered ? "InvalidChallengeResponse" : "InvalidCredentials");
    const attempts = session.attempts + 1;
    if (attempts >= MAX_ATTEMPTS) return finish(tenantId, session, "give_up", errorCode, remark);
    const change = { error_code: errorCode, remark, attempts };
    if (!wasAway) return settle(tenantId, session, "reject", change);
    return settle(tenantId, session, "restart", { ...change, ...nothingAsked });
  }

  function finish(
    tenantId: string,
    session: SessionRecord,
    event: "fail" | "give_up",
    errorCode: SessionErrorCode,
    remark: SessionRemark | null = null,
  ): Promise<void> {
    return settle(tenantId, session, event, { error_code: errorCode, remark, ...nothingSecret });
  }

  function settle(
    tenantId: string,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ): Promise<void> {
    return settling(tenantId, (stores) => moveIn(stores, session, event, change));
  }

  /** The customer has done their part: a database that is away for a moment is waited for. */
  function settling<T>(tenantId: string, work: (stores: TenantStores) => Promise<T>): Promise<T> {
    return retryWhileUnavailable(pause, () => storage.inTenant(tenantId, work));
  }

  /** @throws Overtaken when the session has moved on, or its time is over */
  async function moveIn(
    stores: TenantStores,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ): Promise<void> {
    const status = nextSessionStatus(session.status, event);
    if (status === null) throw new Error(`a session in ${session.status} cannot ${event}`);
    const now = runtime.clock();
    // Its time is over, even if the clean-up has not come to it yet: what reads as expired stays so.
    if (session.expires_at <= now) throw new Overtaken();
    const moved = await stores.sessions.move(session.session_id, session.version, {
      ...change,
      status,
      working_until: null,
      updated_at: now,
    });
    if (!moved) throw new Overtaken();
    const told = eventsOfMove(session, { ...change, status });
    if (told.length > 0) await stores.events.append(told);
  }
}
