import type { Runtime, Sleep } from "../ports/runtime.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
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
 * The moves of a Connect session (contract §5): what is not in the table cannot happen. `submit` hands in credentials or an
 * answer, or what the customer brings back from the bank's own page; `challenge`, `reject`, `succeed` and `fail` are the bank's
 * verdicts, `decline` is that of the customer at the bank's page, `give_up` the last refused attempt, `restart` begins the login
 * anew because that page may be good once only, `cut_off` is the end of the server that asked the bank: the login begins again, for the bank may have seen an answer that is good once.
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

/** Where `event` takes a session in `status`, or null when it cannot happen there. */
export function nextSessionStatus(status: SessionStatus, event: SessionEvent): SessionStatus | null {
  const moves: Partial<Record<SessionEvent, SessionStatus>> = sessionTransitions[status];
  return moves[event] ?? null;
}

/** Whether a session in `status` can still go on. */
export function isOpen(status: SessionStatus): status is Exclude<SessionStatus, `Finished:${string}`> {
  return !status.startsWith("Finished:");
}

/** Where a session stands at a moment: an open one past its time is expired before the clean-up has got to it. */
export function statusAt(
  { status, expires_at }: { status: SessionStatus; expires_at: Date },
  now: Date,
): SessionStatus {
  return isOpen(status) && expires_at <= now ? "Finished:Expired" : status;
}

/** What is told of a move: nothing but of the one that ends the session. */
export function eventsOfMove(
  { session_id, labels, ...before }: SessionRecord,
  change: Pick<SessionChange, "status" | "error_code" | "connection_id">,
): readonly NewEvent[] {
  const { status, error_code, connection_id } = { ...before, ...change };
  if (isOpen(status)) return [];
  const data = { session_id, status, error_code, connection_id };
  return [{ type: "session.finished", object_id: session_id, labels, data }];
}

/** What is left of a step that the customer has done with. */
export const noChallenge = { challenge: null, sealed_challenge: null, sealed_state: null } as const;
/** What a finished session no longer keeps. */
export const clearedSecrets = { ...noChallenge, sealed_link: null } as const;
/** Refused attempts until the session ends, at whichever steps and banks they were (contract §9, §11). */
export const MAX_ATTEMPTS = 3;

/** Thrown inside a transaction to undo it when the session has moved on meanwhile. */
export class SessionMovedError extends Error {}

/** Moves sessions that are in `Processing:*` on by what their bank said. */
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

  /** The customer has done their part: a database that is away for a moment is waited for. */
  function settling<T>(tenantId: string, work: (stores: ConnectingStores) => Promise<T>): Promise<T> {
    return retryWhileUnavailable(pause, () => storage.inTenant(tenantId, work));
  }

  /** @throws Overtaken when the session has moved on, or its time is over */
  async function moveIn(
    stores: ConnectingStores,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ): Promise<void> {
    const status = nextSessionStatus(session.status, event);
    if (status === null) throw new Error(`a session in ${session.status} cannot ${event}`);
    const now = runtime.clock();
    // Its time is over, even if the clean-up has not come to it yet: what reads as expired stays so.
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
export async function renewLeaseDuring(
  { storage, runtime, leaseMs }: { storage: ConnectingStorage; runtime: Pick<Runtime, "clock">; leaseMs: number },
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
  { storage, runtime }: { storage: ConnectingStorage; runtime: Pick<Runtime, "clock"> },
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
        ...noChallenge,
        working_until: null,
        updated_at: now,
      });
    });
    if (moved) released.push(found);
  }
  return released;
}
