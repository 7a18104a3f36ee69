import {
  CONSENT_RENEWAL_MS,
  consentNoticeDue,
  type PlannedConnection,
  postponedUntil,
  type RefreshBacklog,
  type RefreshQueue,
  type RefreshRecord,
  type RefreshShares,
  type RefreshStore,
} from "../../connections/refresh-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import { allLatestIn } from "../data/snapshots.js";
import type { StoredRefresh, TenantState } from "../state.js";

/** {@link RefreshStore} over a draft. Nobody else changes the draft meanwhile, so a lease that matches is held. */
export function memoryRefreshes(state: TenantState): RefreshStore {
  return {
    find: async (connectionId) => recordOf(state, connectionId),
    referenceOf: async (connectionId) => state.refreshes.get(connectionId)?.reference_hash ?? null,
    async plan(connectionId, plan) {
      if (!state.connections.has(connectionId)) return false;
      const before = state.refreshes.get(connectionId);
      const { attempted_at = null, outcome = null, notified_at = null } = before ?? {};
      const { consent_told_end = null, consent_told_days = null } = before ?? {};
      state.refreshes.set(connectionId, {
        ...plan,
        consent_told_end,
        consent_told_days,
        lease: null,
        failures: 0,
        lost_leases: 0,
        attempted_at,
        outcome,
        notified_at,
      });
      return true;
    },
    take: async (connectionId, lease) => claimIn(state, connectionId, lease),
    async hold(connectionId, lease) {
      const held = plannedIn(state, connectionId);
      return held?.plan.lease === lease ? held : null;
    },
    async noteConsentEnd(connectionId, now) {
      const plan = state.refreshes.get(connectionId);
      const days = plan?.due_at ? consentNoticeDue(plan, now) : null;
      if (!plan?.consent_expires_at || days === null) return null;
      const end = plan.consent_expires_at;
      state.refreshes.set(connectionId, { ...plan, consent_told_end: end, consent_told_days: days });
      return { end, days };
    },
    async settle(connectionId, next) {
      const plan = state.refreshes.get(connectionId);
      if (plan) state.refreshes.set(connectionId, { ...plan, ...next, lease: null, lost_leases: 0 });
    },
  };
}

/** `RefreshQueue.known` for one tenant. */
export function knownIn(state: TenantState, connectionId: Uuid) {
  const found = plannedIn(state, connectionId);
  return found && { ...found, latest: allLatestIn(state, connectionId) };
}

function plannedIn(state: TenantState, connectionId: Uuid): PlannedConnection | null {
  const connection = state.connections.get(connectionId);
  const plan = recordOf(state, connectionId);
  return connection && plan ? { connection, plan } : null;
}

function recordOf(state: TenantState, connectionId: Uuid): RefreshRecord | null {
  const found = state.refreshes.get(connectionId);
  if (!found) return null;
  const { due_at, lease, failures, attempted_at, outcome, pending, notified_at, lost_leases } = found;
  return { due_at, lease, failures, attempted_at, outcome, pending, notified_at, lost_leases };
}

/** `RefreshQueue.expedite` for one tenant. */
export function expediteIn(state: TenantState, told: Parameters<RefreshQueue["expedite"]>[0]): number {
  const { now, pause_ms } = told;
  const isNamed = ({ due_at, outcome, user_hash, reference_hash }: StoredRefresh) =>
    (due_at !== null || outcome !== "already_exists") &&
    ((user_hash !== null && told.user_hashes.includes(user_hash)) ||
      (reference_hash !== null && told.reference_hashes.includes(reference_hash)));
  const named = [...state.refreshes].filter(([, plan]) => isNamed(plan));
  for (const [connectionId, plan] of named) {
    const due = plan.due_at?.getTime() ?? Number.POSITIVE_INFINITY;
    const waits = (plan.lease !== null && due > now.getTime()) || plan.outcome === "throttled" || plan.lost_leases > 1;
    const earliest = Math.max(now.getTime(), (plan.attempted_at?.getTime() ?? 0) + pause_ms);
    const due_at = waits ? plan.due_at : new Date(Math.min(due, earliest));
    state.refreshes.set(connectionId, { ...plan, notified_at: now, due_at });
  }
  return named.length;
}

/** Leases one connection of a draft, unless someone has it. */
export function claimIn(
  state: TenantState,
  connectionId: Uuid,
  { lease, now, until }: { lease: string; now: Date; until: Date },
): boolean {
  const plan = state.refreshes.get(connectionId);
  if (!plan || (plan.lease !== null && plan.due_at !== null && plan.due_at > now)) return false;
  const lost_leases = plan.lost_leases + (plan.lease === null ? 0 : 1);
  state.refreshes.set(connectionId, { ...plan, lease, due_at: until, attempted_at: now, outcome: null, lost_leases });
  return true;
}

/** Postpones a connection that has lost several leases; null if it has not, or if someone has it. */
export function postponeIn(
  state: TenantState,
  connectionId: Uuid,
  now: Date,
): { lost_leases: number; until: Date } | null {
  const plan = state.refreshes.get(connectionId);
  if (!plan || plan.lease === null || plan.due_at === null || plan.due_at > now) return null;
  const lost_leases = plan.lost_leases + 1;
  const until = postponedUntil(lost_leases, now);
  if (until === null) return null;
  state.refreshes.set(connectionId, { ...plan, lease: null, due_at: until, outcome: "postponed", lost_leases });
  return { lost_leases, until };
}

/** Connections of a tenant that are due. */
export function dueOf(state: TenantState, now: Date): { connection_id: Uuid; connector_id: string; due_at: Date }[] {
  return [...state.refreshes].flatMap(([connection_id, { due_at }]) => {
    const connector_id = state.connections.get(connection_id)?.connector_id;
    return due_at !== null && due_at <= now && connector_id !== undefined
      ? [{ connection_id, connector_id, due_at }]
      : [];
  });
}

/** What is due, in the order that shares allow: first what has the fewest places, then what has been due longest. */
export function inTurn<Due extends { tenant_id: string; connector_id: string; due_at: Date }>(
  due: readonly Due[],
  { each, held, served, at_most, closed }: RefreshShares,
): Due[] {
  const counts = new Map<string, number>();
  const next = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
  for (const { tenant_id, connector_id } of held) {
    next(`tenant ${tenant_id}`);
    next(`connector ${connector_id}`);
  }
  const heldAt = (connectorId: string) => held.filter(({ connector_id }) => connector_id === connectorId).length;
  const maxOf = (connectorId: string) => at_most[connectorId] ?? each;
  const isFull = new Set(
    due.flatMap(({ connector_id }) => {
      const name = `connector ${connector_id}`;
      return (counts.get(name) ?? 0) >= maxOf(connector_id) ? [name] : [];
    }),
  );
  const isClosed = ({ tenant_id, connector_id }: Due) =>
    closed.some(
      (one) =>
        one.connector_id === connector_id &&
        (one.tenant_id === null || one.tenant_id === tenant_id) &&
        !one.except_tenants.includes(tenant_id),
    );
  return due
    .filter((one) => !isClosed(one) && !isFull.has(`connector ${one.connector_id}`))
    .map((one) => ({ one, ofBoth: next(`both ${one.tenant_id} ${one.connector_id}`) + heldAt(one.connector_id) }))
    .sort((a, b) => a.ofBoth - b.ofBoth)
    .map(({ one }) => ({ one, ofTenant: next(`tenant ${one.tenant_id}`) }))
    .filter(({ ofTenant }) => ofTenant <= each)
    .map(({ one, ofTenant }) => ({ one, ofTenant: ofTenant + served.filter((id) => id === one.tenant_id).length }))
    .sort((a, b) => a.ofTenant - b.ofTenant)
    .map(({ one, ofTenant }) => ({ one, ofTenant, ofConnector: next(`connector ${one.connector_id}`) }))
    .filter(({ one, ofConnector }) => ofConnector <= maxOf(one.connector_id))
    .sort((a, b) => Math.max(a.ofConnector, a.ofTenant) - Math.max(b.ofConnector, b.ofTenant))
    .map(({ one }) => one);
}

/** Connections of a tenant whose consent ends soon and whose notice is due. */
export function endingConsents(state: TenantState, now: Date): Uuid[] {
  return [...state.refreshes].flatMap(([connection_id, plan]) =>
    plan.due_at !== null && consentNoticeDue(plan, now) !== null ? [connection_id] : [],
  );
}

/** The backlog of all tenants. */
export function backlogOf(states: readonly TenantState[], now: Date): RefreshBacklog {
  const due = states.flatMap((state) => dueOf(state, now)).sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
  const isWaiting = ({ due_at, outcome }: RefreshRecord) => due_at === null && outcome !== "already_exists";
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
