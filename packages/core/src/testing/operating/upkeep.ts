import { clearedSecrets, eventsOfMove } from "../../connecting/session-moves.js";
import type { SessionRecord } from "../../connecting/session-store.js";
import type { LetterRecord } from "../../letters/letter-store.js";
import type { ReapCutoffs } from "../../ports/upkeep.js";
import type { Uuid } from "../../schemas/identifier.js";
import { movedSession } from "../connecting/sessions.js";
import { latestFileOf } from "../data/snapshots.js";
import { compareText, type TenantState } from "../state.js";

/** Expires at most `limit` sessions of a draft whose time is over; returns how many. */
export function expireSessions(state: TenantState, now: Date, limit: number): number {
  const late = [...state.sessions.values()].filter((session) => isOpen(session) && session.expires_at <= now);
  for (const session of late.slice(0, limit)) {
    const end = { status: "Finished:Expired", error_code: "SessionExpired" } as const;
    state.newEvents.push(...eventsOfMove(session, end));
    state.sessions.set(session.session_id, movedSession(session, { ...end, ...clearedSecrets, updated_at: now }));
  }
  return Math.min(late.length, limit);
}

/** Deletes at most `left[kind]` rows of each kind from a draft, and lowers `left` by the number deleted. */
export function reap(
  tenantId: string,
  state: TenantState,
  cutoffs: ReapCutoffs,
  left: Record<ReapedKind, number>,
): void {
  const before = cutoffs.tenant_valuations_before?.[tenantId] ?? cutoffs.valuations_before;
  left.idempotency_keys -= deleteWhere(
    state.idempotency,
    (record) => record.expires_at < cutoffs.now,
    left.idempotency_keys,
  );
  left.sessions -= deleteWhere(
    state.sessions,
    (session) => !isOpen(session) && session.updated_at < cutoffs.finished_sessions_before,
    left.sessions,
  );
  left.mails -= deleteWhere(
    state.mails,
    ({ state: outcome, settled_at }) =>
      (outcome === "sent" || outcome === "withdrawn") &&
      settled_at !== null &&
      settled_at < cutoffs.settled_mails_before,
    left.mails,
  );
  const gone = state.snapshots
    .filter(({ replaced_at }) => replaced_at !== null && replaced_at < cutoffs.replaced_snapshots_before)
    .slice(0, left.snapshots);
  state.snapshots = state.snapshots.filter((snapshot) => !gone.includes(snapshot));
  state.pruned = Math.max(state.pruned, ...gone.map((snapshot) => snapshot.until ?? 0));
  left.snapshots -= gone.length;
  for (const [key, days] of state.valuations) {
    const last = [...days.keys()].sort(compareText).at(-1);
    const old = [...days.keys()].filter((day) => day < before && day !== last).slice(0, left.valuations);
    state.valuations.set(key, new Map([...days].filter(([day]) => !old.includes(day))));
    state.formerValuations = state.formerValuations.filter(
      ({ connection_id, portfolio_id, day }) => key !== `${connection_id} ${portfolio_id}` || !old.includes(day),
    );
    left.valuations -= old.length;
  }
  const replaced = state.formerValuations
    .filter(({ replaced_at }) => replaced_at < cutoffs.former_versions_before)
    .slice(0, left.replaced_valuations);
  state.formerValuations = state.formerValuations.filter((one) => !replaced.includes(one));
  left.replaced_valuations -= replaced.length;
  const old = state.formerTransactions
    .filter(({ until, ended_at }) => ended_at < cutoffs.former_versions_before && until <= state.pruned)
    .slice(0, left.transactions);
  state.formerTransactions = state.formerTransactions.filter((one) => !old.includes(one));
  left.transactions -= old.length;
}

/** Connected letters that had neither a file nor a `connect` or `resolve` move since a moment. */
export function silentLetters(state: TenantState, since: Date): Uuid[] {
  const isQuiet = ({ letter_id, connection_id, status }: LetterRecord) => {
    if (status !== "Connected") return false;
    const file = connection_id && latestFileOf(state, connection_id);
    if (file && file >= since) return false;
    return ![...state.moves.values()].some(
      (move) =>
        move.letter_id === letter_id && move.at >= since && (move.event === "connect" || move.event === "resolve"),
    );
  };
  return [...state.letters.values()].filter(isQuiet).map(({ letter_id }) => letter_id);
}

/** Sessions in a login step whose server let `working_until` pass. */
export function cutOffLogins(state: TenantState, now: Date): Uuid[] {
  const isCutOff = ({ status, working_until, expires_at }: SessionRecord) =>
    status.startsWith("Processing:") && working_until !== null && working_until <= now && expires_at > now;
  return [...state.sessions.values()].filter(isCutOff).map(({ session_id }) => session_id);
}

/** Sessions that wait for a challenge and whose bank was not polled lately. */
export function unpolledChallenges(state: TenantState, before: Date, now: Date): SessionRecord[] {
  const isDue = ({ status, poll_after, expires_at }: SessionRecord) =>
    status === "Waiting:Challenge" && poll_after !== null && poll_after <= before && expires_at > now;
  return [...state.sessions.values()].filter(isDue);
}

/** Ended sessions with accesses that may be revoked now. */
export function savedAccesses(state: TenantState, now: Date, idleSince: Date): SessionRecord[] {
  const isPast = (time: Date | null, limit: Date) => time === null || time <= limit;
  return [...state.sessions.values()].filter(
    (one) =>
      !isOpen(one) &&
      one.sealed_accesses !== null &&
      isPast(one.poll_after, now) &&
      isPast(one.working_until, idleSince),
  );
}

/** The kinds of rows that {@link reap} deletes. */
export type ReapedKind = (typeof reapedKinds)[number];
export const reapedKinds = [
  "idempotency_keys",
  "sessions",
  "snapshots",
  "valuations",
  "replaced_valuations",
  "transactions",
  "mails",
] as const;

function isOpen(session: SessionRecord): boolean {
  return !session.status.startsWith("Finished:");
}

function deleteWhere<V>(rows: Map<string, V>, isPast: (row: V) => boolean, limit: number): number {
  const keys = [...rows].filter(([, row]) => isPast(row)).map(([key]) => key);
  for (const key of keys.slice(0, limit)) rows.delete(key);
  return Math.min(keys.length, limit);
}
