import type { SessionChange, SessionRecord } from "../ports/session-store.js";
import type { NewEvent } from "../schemas/event.js";
import type { SessionStatus } from "../schemas/session.js";

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
export const nothingAsked = { challenge: null, sealed_challenge: null, sealed_state: null } as const;
/** What a finished session no longer keeps. */
export const nothingSecret = { ...nothingAsked, sealed_link: null } as const;
/** Context under which a provider's state between two exchanges is sealed. */
export const stateContext = ({ session_id }: { readonly session_id: string }) => ({
  purpose: "session-state",
  row: session_id,
});
/** Context under which the words of a challenge or an ask are sealed. */
export const challengeContext = ({ session_id }: { readonly session_id: string }) => ({
  purpose: "session-challenge",
  row: session_id,
});
