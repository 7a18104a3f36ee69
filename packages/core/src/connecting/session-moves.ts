import { auditEntry } from "../audit-entry.js";
import { conflict } from "../errors.js";
import type { TenantActor } from "../ports/actor.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import { retryWhileUnavailable, sleep, withRenewedLease } from "../retry.js";
import type { NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import type { SessionErrorCode, SessionRemark, SessionStatus } from "../schemas/session.js";
import type { SessionChange, SessionRecord } from "./session-store.js";
import type { ConnectingStorage, ConnectingStores } from "./storage.js";

/** What can happen to a Connect session. */
export type SessionEvent =
  | "submit"
  | "challenge"
  | "decline"
  | "restart"
  | "reject"
  | "give_up"
  | "succeed"
  | "fail"
  | "cut_off"
  | "expire"
  | "abort";

/**
 * The moves of a Connect session (contract §5); a move that is not in the table cannot happen.
 * - `submit` hands in credentials, an answer, or what the customer brings back from the bank's own page.
 * - `challenge`, `reject`, `succeed` and `fail` are the bank's verdicts; `give_up` is the last refused attempt.
 * - `decline` is the customer's refusal at the bank's page.
 * - `restart` begins the login again, because the bank's page may accept a visit only once.
 * - `cut_off` is the death of the server that was talking to the bank. The login begins again, because the bank may have seen an
 *   answer that is valid only once.
 */
export const sessionTransitions = {
  "Waiting:ProvideCredentials": {
    submit: "Processing:ProvideCredentials",
    expire: "Finished:Expired",
    abort: "Finished:Aborted",
  },
  "Processing:ProvideCredentials": {
    challenge: "Waiting:Challenge",
    reject: "Waiting:ProvideCredentials",
    give_up: "Finished:Error",
    succeed: "Finished:OK",
    fail: "Finished:Error",
    cut_off: "Waiting:ProvideCredentials",
    expire: "Finished:Expired",
    abort: "Finished:Aborted",
  },
  "Waiting:Challenge": {
    submit: "Processing:Challenge",
    decline: "Waiting:Challenge",
    give_up: "Finished:Error",
    restart: "Waiting:ProvideCredentials",
    expire: "Finished:Expired",
    abort: "Finished:Aborted",
  },
  "Processing:Challenge": {
    challenge: "Waiting:Challenge",
    reject: "Waiting:Challenge",
    restart: "Waiting:ProvideCredentials",
    give_up: "Finished:Error",
    succeed: "Finished:OK",
    fail: "Finished:Error",
    cut_off: "Waiting:ProvideCredentials",
    expire: "Finished:Expired",
    abort: "Finished:Aborted",
  },
  "Finished:OK": {},
  "Finished:Error": {},
  "Finished:Expired": {},
  "Finished:Aborted": {},
} as const satisfies Record<SessionStatus, Partial<Record<SessionEvent, SessionStatus>>>;

/** Returns the status to which `event` takes a session in `status`, or null if it cannot happen there. */
export function nextSessionStatus(status: SessionStatus, event: SessionEvent): SessionStatus | null {
  const moves: Partial<Record<SessionEvent, SessionStatus>> = sessionTransitions[status];
  return moves[event] ?? null;
}

/** Returns whether a session in `status` can still continue. */
export function isOpen(status: SessionStatus): status is Exclude<SessionStatus, `Finished:${string}`> {
  return !status.startsWith("Finished:");
}

/** Returns the status of a session at `now`: an open session past its expiry is expired even before the clean-up has changed it. */
export function statusAt(
  { status, expires_at }: { status: SessionStatus; expires_at: Date },
  now: Date,
): SessionStatus {
  return isOpen(status) && expires_at <= now ? "Finished:Expired" : status;
}

/** Returns the events of a move: the one that opens the session has one, and the one that ends it. */
export function eventsOfMove(
  { session_id, labels, client_ref, ...before }: SessionRecord,
  change: Pick<SessionChange, "status" | "error_code" | "connection_id" | "opened_at">,
): readonly NewEvent[] {
  const { status, error_code, connection_id, connector_id } = { ...before, ...change };
  if (before.opened_at === null && change.opened_at)
    return [
      { type: "session.opened", object_id: session_id, data: { session_id, connection_id, connector_id, client_ref } },
    ];
  if (isOpen(status)) return [];
  const data = { session_id, status, error_code, connection_id, client_ref };
  return [{ type: "session.finished", object_id: session_id, labels, data }];
}

/** The challenge fields after the customer has completed a step. */
export const noChallenge = { challenge: null, sealed_challenge: null, sealed_state: null } as const;
/** The secrets that are cleared when a session finishes. */
export const clearedSecrets = { ...noChallenge, sealed_link: null } as const;
/**
 * Ends a session whose link is not to be used any more. Returns the change, or null when the session has moved on since it was read.
 * @throws CoreError CONFLICT when it has ended
 */
export async function endSession(
  { sessions, audit, events }: Pick<ConnectingStores, "sessions" | "audit" | "events">,
  runtime: Runtime,
  actor: TenantActor,
  found: SessionRecord,
): Promise<SessionChange | null> {
  const now = runtime.clock();
  const status = nextSessionStatus(statusAt(found, now), "abort");
  if (status === null) throw conflict("session_ended", "the session has ended already");
  const change = { status, error_code: null, ...clearedSecrets, updated_at: now };
  if (!(await sessions.move(found.session_id, found.version, change))) return null;
  await audit.append(auditEntry(runtime, actor, "session.end", "session", found.session_id));
  await events.append(eventsOfMove(found, change));
  return change;
}

/** Refused attempts after which the session ends, counted over all steps and banks (contract §9, §11). */
export const MAX_ATTEMPTS = 3;

/** Thrown inside a transaction to roll it back when the session has moved on concurrently. */
export class SessionMovedError extends Error {}

/** Moves sessions on from `Processing:*` according to the bank's verdict. */
export function createSessionVerdicts({
  storage,
  runtime,
  ...deps
}: {
  storage: ConnectingStorage;
  runtime: Runtime;
  sleep?: Sleep;
}) {
  const pause = deps.sleep ?? sleep;
  return { settle, reject, finish, settling, moveIn };

  /**
   * Lets the customer try again, {@link MAX_ATTEMPTS} times in all. They repeat the same step, except after the bank's own page:
   * then they start over, because the link to that page may be valid only once.
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
    return settle(tenantId, session, "restart", { ...change, ...noChallenge });
  }

  function finish(
    tenantId: string,
    session: SessionRecord,
    event: "fail" | "give_up",
    errorCode: SessionErrorCode,
    remark: SessionRemark | null = null,
  ): Promise<void> {
    return settle(tenantId, session, event, { error_code: errorCode, remark, ...clearedSecrets });
  }

  function settle(
    tenantId: string,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ): Promise<void> {
    return settling(tenantId, (stores) => moveIn(stores, session, event, change));
  }

  /** Waits for a database that is temporarily unavailable, because the customer has already done their part. */
  function settling<T>(tenantId: string, work: (stores: ConnectingStores) => Promise<T>): Promise<T> {
    return retryWhileUnavailable(pause, () => storage.inTenant(tenantId, work));
  }

  /** @throws SessionMovedError when the session has moved on or has expired */
  async function moveIn(
    stores: ConnectingStores,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ): Promise<void> {
    const status = nextSessionStatus(session.status, event);
    if (status === null) throw new Error(`a session in ${session.status} cannot ${event}`);
    const now = runtime.clock();
    // Expired even if the clean-up has not changed it yet: a session that was shown as expired must stay so.
    if (session.expires_at <= now) throw new SessionMovedError();
    const moved = await stores.sessions.move(session.session_id, session.version, {
      ...change,
      status,
      working_until: null,
      updated_at: now,
    });
    if (!moved) throw new SessionMovedError();
    const told = eventsOfMove(session, { ...change, status });
    if (told.length > 0) await stores.events.append(told);
  }
}

/**
 * How long a server holds a session while it talks to the bank. It is longer than finished work waits for an unavailable database.
 * Together with the job's interval it is shorter than the minute within which a customer can try again.
 */
export const LOGIN_LEASE_MS = 45_000;

/** A login whose server was killed while it talked to the bank. */
export interface CutOffLogin {
  readonly tenant_id: string;
  readonly session_id: Uuid;
}

/** Does work on a session whose `working_until` was set by the move that began it, and extends `working_until` until the work has ended. */
export async function renewLeaseDuring(
  { storage, runtime, leaseMs }: { storage: ConnectingStorage; runtime: Pick<Runtime, "clock">; leaseMs: number },
  { tenant_id, session }: { tenant_id: string; session: SessionRecord },
  work: () => Promise<void>,
): Promise<void> {
  return withRenewedLease(
    leaseMs,
    () =>
      storage.inTenant(tenant_id, ({ sessions }) =>
        sessions.keepWorking(session, new Date(runtime.clock().getTime() + leaseMs)),
      ),
    work,
  );
}

/**
 * Releases sessions whose server has not extended its lease. Their customers log in again from the start, because an answer that
 * the bank has seen may not be valid twice. This does not count as an attempt. Returns the released sessions, at most `limit`.
 */
export async function releaseCutOffLogins(
  { storage, runtime }: { storage: ConnectingStorage; runtime: Pick<Runtime, "clock"> },
  limit: number,
): Promise<readonly CutOffLogin[]> {
  const released: CutOffLogin[] = [];
  for (const found of await storage.upkeep.cutOffLogins(runtime.clock(), limit)) {
    const { tenant_id, session_id } = found;
    const moved = await storage.inTenant(tenant_id, async ({ sessions }) => {
      const session = await sessions.find(session_id);
      const now = runtime.clock();
      // The server may have extended its lease meanwhile, or the session may have moved on.
      if (!session?.working_until || session.working_until > now || session.expires_at <= now) return false;
      const status = nextSessionStatus(session.status, "cut_off");
      if (status === null) return false;
      return sessions.move(session_id, session.version, {
        status,
        error_code: "InternalError",
        ...noChallenge,
        working_until: null,
        updated_at: now,
      });
    });
    if (moved) released.push(found);
  }
  return released;
}
