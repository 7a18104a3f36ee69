import type { RefreshBacklog, RefreshRecord, RefreshStore } from "../../ports/refresh-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { TenantState } from "./state.js";

/** {@link RefreshStore} over a draft, which nobody else changes meanwhile: a lease that stands is held. */
export function memoryRefreshes(state: TenantState): RefreshStore {
  return {
    find: async (connectionId) => state.refreshes.get(connectionId) ?? null,
    async plan(connectionId, due_at) {
      if (!state.connections.has(connectionId)) return false;
      const { attempted_at = null, outcome = null } = state.refreshes.get(connectionId) ?? {};
      state.refreshes.set(connectionId, { due_at, lease: null, failures: 0, attempted_at, outcome });
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
  return { due: due.length, oldest_due_at: due[0]?.due_at ?? null, relogin_needed: waiting.length };
}
