import {
  CONSENT_RENEWAL_MS,
  type RefreshBacklog,
  type RefreshQueue,
  type RefreshRecord,
  type RefreshStore,
} from "../../ports/refresh-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { StoredRefresh, TenantState } from "./state.js";

/** {@link RefreshStore} over a draft, which nobody else changes meanwhile: a lease that stands is held. */
export function memoryRefreshes(state: TenantState): RefreshStore {
  return {
    async find(connectionId) {
      const found = state.refreshes.get(connectionId);
      if (!found) return null;
      const { user_hash: _, reference_hash: __, consent_expires_at: ___, ...record } = found;
      return record;
    },
    async plan(connectionId, plan) {
      if (!state.connections.has(connectionId)) return false;
      const { attempted_at = null, outcome = null, notified_at = null } = state.refreshes.get(connectionId) ?? {};
      state.refreshes.set(connectionId, { ...plan, lease: null, failures: 0, attempted_at, outcome, notified_at });
      return true;
    },
    take: async (connectionId, lease) => claimIn(state, connectionId, lease),
    hold: async (connectionId, lease) => state.refreshes.get(connectionId)?.lease === lease,
    async settle(connectionId, next) {
      const plan = state.refreshes.get(connectionId);
      if (plan) state.refreshes.set(connectionId, { ...plan, ...next, lease: null });
    },
  };
}

/** `RefreshQueue.hurry` in one tenant. */
export function hurryIn(state: TenantState, told: Parameters<RefreshQueue["hurry"]>[0]): number {
  const { now, pause_ms } = told;
  const isNamed = ({ due_at, user_hash, reference_hash }: StoredRefresh) =>
    due_at !== null &&
    ((user_hash !== null && told.user_hashes.includes(user_hash)) ||
      (reference_hash !== null && told.reference_hashes.includes(reference_hash)));
  const named = [...state.refreshes].filter(([, plan]) => isNamed(plan));
  for (const [connectionId, plan] of named) {
    const due = plan.due_at ?? now;
    const waits = (plan.lease !== null && due > now) || plan.outcome === "throttled";
    const earliest = Math.max(now.getTime(), (plan.attempted_at?.getTime() ?? 0) + pause_ms);
    const due_at = waits ? due : new Date(Math.min(due.getTime(), earliest));
    state.refreshes.set(connectionId, { ...plan, notified_at: now, due_at });
  }
  return named.length;
}

/** Leases one connection of a draft, if nobody has it. */
export function claimIn(
  state: TenantState,
  connectionId: Uuid,
  { lease, now, until }: { lease: string; now: Date; until: Date },
): boolean {
  const plan = state.refreshes.get(connectionId);
  if (!plan || (plan.lease !== null && plan.due_at !== null && plan.due_at > now)) return false;
  state.refreshes.set(connectionId, { ...plan, lease, due_at: until, attempted_at: now, outcome: null });
  return true;
}

/** Connections of a tenant that are due. */
export function dueOf(state: TenantState, now: Date): { connection_id: Uuid; due_at: Date }[] {
  return [...state.refreshes].flatMap(([connection_id, { due_at }]) =>
    due_at !== null && due_at <= now ? [{ connection_id, due_at }] : [],
  );
}

/** What waits in all tenants. */
export function backlogOf(states: readonly TenantState[], now: Date): RefreshBacklog {
  const due = states.flatMap((state) => dueOf(state, now)).sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
  const isWaiting = ({ due_at }: RefreshRecord) => due_at === null;
  const waiting = states.flatMap((state) => [...state.refreshes.values()].filter(isWaiting));
  const consents = states.flatMap((state) =>
    [...state.refreshes.values()].filter(
      ({ due_at, consent_expires_at: end }) =>
        due_at !== null && end !== null && end.getTime() < now.getTime() + CONSENT_RENEWAL_MS,
    ),
  );
  return {
    due: due.length,
    oldest_due_at: due[0]?.due_at ?? null,
    relogin_needed: waiting.length,
    consents_to_renew: consents.length,
  };
}
