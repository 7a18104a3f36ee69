import {
  contentAfterEnd,
  type SessionChange,
  type SessionRecord,
  type SessionStore,
  sessionBytes,
} from "../../connecting/session-store.js";
import { requireClient } from "../connections/clients.js";
import { compareText, insert, isIn, requireTenant, type TenantState } from "../state.js";

/** Sessions of a tenant that are open at a moment. */
export function openSessions(state: TenantState, at: Date) {
  return [...state.sessions.values()].filter(
    ({ status, expires_at }) => !status.startsWith("Finished:") && expires_at > at,
  );
}

/** Bytes of the sessions of a tenant that are open at a moment. */
export function openSessionBytes(state: TenantState, at: Date): number {
  return openSessions(state, at).reduce((sum, session) => sum + sessionBytes(session), 0);
}

/** A session after a move. */
export function movedSession(session: SessionRecord, change: SessionChange): SessionRecord {
  const ends = change.status?.startsWith("Finished:");
  return { ...session, ...change, ...(ends && contentAfterEnd(session)), version: session.version + 1 };
}

/** {@link SessionStore} over a draft. */
export function memorySessions(state: TenantState): SessionStore {
  return {
    async create(record) {
      requireTenant(state);
      requireClient(state, record.client_ref);
      insert(state.sessions, record.session_id, { ...record });
    },

    async countOpen(at) {
      const ends = openSessions(state, at).map((session) => session.expires_at.getTime());
      return {
        open: ends.length,
        bytes: openSessionBytes(state, at),
        first_ends: ends.length === 0 ? null : new Date(Math.min(...ends)),
      };
    },

    async find(sessionId) {
      return state.sessions.get(sessionId) ?? null;
    },

    async move(sessionId, expected, change) {
      const session = state.sessions.get(sessionId);
      if (session?.version !== expected) return false;
      state.sessions.set(sessionId, movedSession(session, change));
      return true;
    },

    async redeemCallback({ session_id, callback_hash, owner_hash, now }, change) {
      const session = state.sessions.get(session_id);
      if (session?.status !== "Waiting:Challenge" || session.expires_at <= now) return false;
      if (session.challenge?.kind !== "redirect" || session.callback_hash !== callback_hash) return false;
      if (session.owner_hash !== owner_hash) return false;
      state.sessions.set(session_id, movedSession(session, change));
      return true;
    },

    async reservePoll({ session_id, version, poll_after }, until) {
      const session = state.sessions.get(session_id);
      if (session?.version !== version || session.poll_after?.getTime() !== poll_after?.getTime()) return false;
      state.sessions.set(session_id, { ...session, poll_after: until });
      return true;
    },

    async keepWorking({ session_id, version }, working_until) {
      const session = state.sessions.get(session_id);
      if (session?.version !== version) return false;
      state.sessions.set(session_id, { ...session, working_until });
      return true;
    },

    async keepAccesses({ session_id, version }, sealed_accesses) {
      const session = state.sessions.get(session_id);
      if (session?.version !== version) return false;
      state.sessions.set(session_id, { ...session, sealed_accesses });
      return true;
    },

    async withAccesses(after, limit) {
      return [...state.sessions.values()]
        .filter((one) => one.sealed_accesses !== null && (after === null || compareText(one.session_id, after) > 0))
        .sort((a, b) => compareText(a.session_id, b.session_id))
        .slice(0, limit)
        .map(({ session_id, sealed_accesses }) => ({ session_id, sealed_accesses }));
    },

    async list(query) {
      const way = query.order === "newest" ? -1 : 1;
      return [...state.sessions.values()]
        .sort((a, b) => way * compareText(a.session_id, b.session_id))
        .filter(
          (session) =>
            isIn(query.session_id_in, session.session_id) &&
            isIn(query.status_in, session.status) &&
            isIn(query.connection_id_in, session.connection_id) &&
            isIn(query.error_code_in, session.error_code) &&
            isIn(query.client_ref_in, session.client_ref) &&
            (query.is_opened === null || query.is_opened === (session.opened_at !== null)) &&
            (query.after === null || way * compareText(session.session_id, query.after) > 0),
        )
        .slice(0, query.limit)
        .map(({ connector_filter: _, ...listed }) => listed);
    },
  };
}
