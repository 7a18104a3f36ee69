import type { AuditEntry, Uuid } from "@org/core";
import { asksFor, isOneOf, TEST_EVENT } from "../asks-for.js";
import { endpointState } from "../endpoint-views.js";
import { eventView } from "../event-reading.js";
import type { DeliveryQueue, EndpointLease } from "../ports/delivery-queue.js";
import type {
  DeliveryRecord,
  DisabledReason,
  EndpointRecord,
  EndpointStore,
  Replayed,
} from "../ports/endpoint-store.js";
import type { KeptEvent, MemoryEventStore } from "./memory-event-store.js";

interface Endpoint extends EndpointRecord {
  readonly tenant_id: string;
  readonly sealed_secret: string;
  readonly sealed_previous_secret: string | null;
  readonly sealed_earlier_secret: string | null;
  readonly earlier_until: Date | null;
  readonly removed_at: Date | null;
  readonly due_at: Date | null;
  readonly not_before: Date | null;
  readonly lease: string | null;
  readonly lease_until: Date | null;
  readonly is_proven: boolean;
}

type Delivery = DeliveryRecord & { readonly endpoint_id: Uuid };

/** Endpoints and their deliveries in memory, for tests. */
export interface MemoryWebhookStores {
  readonly endpoints: EndpointStore;
  readonly queue: DeliveryQueue;
  /** The entries of the audit trail. */
  entriesOf(tenantId: string): readonly AuditEntry[];
}

/** @param log the log whose events are delivered */
export function createMemoryWebhookStores(log: MemoryEventStore): MemoryWebhookStores {
  const endpoints = new Map<string, Endpoint>();
  const deliveries = new Map<string, Delivery>();
  const entries: (AuditEntry & { readonly tenant_id: string })[] = [];
  const note = (tenant_id: string, entry: AuditEntry) => entries.push({ ...entry, tenant_id });
  let ids = 0;

  const keyOf = (endpointId: string, sequence: number) => `${endpointId} ${sequence}`;
  const change = (endpoint: Endpoint, values: Partial<Endpoint>) =>
    endpoints.set(endpoint.endpoint_id, { ...endpoint, ...values });
  const found = (tenantId: string, endpointId: string) => {
    const endpoint = endpoints.get(endpointId);
    return endpoint?.tenant_id === tenantId && endpoint.removed_at === null ? endpoint : undefined;
  };
  const held = ({ tenant_id, endpoint_id, lease }: EndpointLease) => {
    const endpoint = found(tenant_id, endpoint_id);
    return endpoint?.lease === lease ? endpoint : undefined;
  };
  const deliveriesOf = (endpointId: string) =>
    [...deliveries.values()].filter(({ endpoint_id }) => endpoint_id === endpointId);
  const pendingOf = (endpointId: string) => deliveriesOf(endpointId).filter(({ state }) => state === "pending");
  const put = (delivery: Delivery) => deliveries.set(keyOf(delivery.endpoint_id, delivery.sequence), delivery);

  function queue(endpoint: Endpoint, { event_id, sequence, type, created_at }: KeptEvent, due_at: Date): boolean {
    const before = deliveries.get(keyOf(endpoint.endpoint_id, sequence));
    if (before?.state === "pending") return false;
    ids += 1;
    const delivery_id = `01990000-0000-7000-d000-${ids.toString(16).padStart(12, "0")}` as Uuid;
    const fresh = { delivery_id, attempted_at: null, status: null, ms: null, error: null, answer: null };
    const { endpoint_id } = endpoint;
    const event = { event_id, sequence, type, created_at };
    put({ ...fresh, ...before, ...event, endpoint_id, state: "pending", attempts: 0, due_at });
    const { due_at: wasDue, not_before } = endpoints.get(endpoint_id) as Endpoint;
    const due = latest(due_at, not_before);
    if (wasDue === null || wasDue > due) change(endpoints.get(endpoint_id) as Endpoint, { due_at: due });
    return true;
  }

  function disable(endpoint: Endpoint, disabled_reason: DisabledReason, now: Date): void {
    const off = { is_enabled: false, disabled_reason, disabled_at: now, due_at: null, lease: null, lease_until: null };
    change(endpoint, off);
    for (const delivery of pendingOf(endpoint.endpoint_id)) put({ ...delivery, state: "withdrawn", due_at: null });
  }

  log.onNumbered((events) => {
    for (const event of events)
      for (const endpoint of [...endpoints.values()])
        if (endpoint.tenant_id === event.log && endpoint.is_enabled && asksFor(endpoint, event))
          queue(endpoint, event, event.created_at);
  });

  return {
    entriesOf: (tenantId) => entries.filter(({ tenant_id }) => tenant_id === tenantId),
    endpoints: {
      list: async (tenantId) =>
        [...endpoints.values()]
          .filter((endpoint) => endpoint.tenant_id === tenantId && endpoint.removed_at === null)
          .sort((a, b) => Number(a.created_at) - Number(b.created_at) || (a.endpoint_id < b.endpoint_id ? -1 : 1))
          .map(recordOf),
      async listOfAll({ tenant_id, state_in, after, limit }) {
        const place = (endpoint: { tenant_id: string; endpoint_id: string }) =>
          `${endpoint.tenant_id} ${endpoint.endpoint_id}`;
        return [...endpoints.values()]
          .filter(
            (endpoint) => endpoint.removed_at === null && (tenant_id ?? endpoint.tenant_id) === endpoint.tenant_id,
          )
          .filter((endpoint) => state_in === null || state_in.includes(endpointState(endpoint)))
          .sort((a, b) => (place(a) < place(b) ? -1 : 1))
          .filter((endpoint) => after === null || place(endpoint) > place(after))
          .slice(0, limit)
          .map((endpoint) => ({ ...recordOf(endpoint), tenant_id: endpoint.tenant_id }));
      },
      async tenantOf(endpointId) {
        const endpoint = endpoints.get(endpointId);
        return endpoint?.removed_at === null ? endpoint.tenant_id : null;
      },
      async find(tenantId, endpointId) {
        const endpoint = found(tenantId, endpointId);
        return endpoint ? recordOf(endpoint) : null;
      },
      async create(tenantId, endpoint, most, entry) {
        const own = [...endpoints.values()].filter((each) => each.tenant_id === tenantId && each.removed_at === null);
        if (own.length >= most) return "no_room";
        const { is_enabled, created_at } = endpoint;
        endpoints.set(endpoint.endpoint_id, {
          ...endpoint,
          tenant_id: tenantId,
          changed_at: created_at,
          disabled_reason: is_enabled ? null : "request",
          disabled_at: is_enabled ? null : created_at,
          failing_since: null,
          is_proven: false,
          delivered_at: null,
          last_failure: null,
          sealed_previous_secret: null,
          previous_until: null,
          sealed_earlier_secret: null,
          earlier_until: null,
          removed_at: null,
          due_at: null,
          not_before: null,
          lease: null,
          lease_until: null,
        });
        note(tenantId, entry);
        return "created";
      },
      async change(tenantId, endpointId, { is_enabled, ...settings }, now, entry, precondition = () => true) {
        const before = found(tenantId, endpointId);
        if (!before) return null;
        if (!precondition(recordOf(before))) return "overtaken";
        if (is_enabled === false && before.is_enabled) disable(before, "request", now);
        const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
        const isEnabledAgain = is_enabled === true && !before.is_enabled;
        const enabled = { is_enabled: true, disabled_reason: null, disabled_at: null, failing_since: null };
        const current = endpoints.get(endpointId) as Endpoint;
        const elsewhere = { lease: null, lease_until: null, is_proven: false };
        const isElsewhere = settings.url !== undefined && settings.url !== before.url;
        const changes = { ...given, ...(isElsewhere && elsewhere), changed_at: now };
        change(current, { ...changes, ...(isEnabledAgain && { ...enabled, not_before: null }) });
        note(tenantId, entry);
        return recordOf(endpoints.get(endpointId) as Endpoint);
      },
      async rotate(tenantId, endpointId, { sealed_secret, previous_until }, entry) {
        const endpoint = found(tenantId, endpointId);
        if (!endpoint) return false;
        if (isLater(endpoint.earlier_until, entry.at)) return endpoint.earlier_until;
        const earlier = {
          sealed_earlier_secret: endpoint.sealed_previous_secret,
          earlier_until: endpoint.previous_until,
        };
        const previous = { sealed_previous_secret: endpoint.sealed_secret, previous_until };
        const kept = isLater(endpoint.previous_until, entry.at) ? { ...previous, ...earlier } : previous;
        change(endpoint, { sealed_secret, ...kept, changed_at: entry.at });
        note(tenantId, entry);
        return true;
      },
      async remove(tenantId, endpointId, now, entry) {
        const endpoint = found(tenantId, endpointId);
        if (!endpoint) return false;
        change(endpoint, { removed_at: now, is_enabled: false, due_at: null, lease: null, lease_until: null });
        note(tenantId, entry);
        return true;
      },
      async test(tenantId, endpointId, eventId, entry) {
        const endpoint = found(tenantId, endpointId);
        if (!endpoint) return "unknown";
        if (!endpoint.is_enabled) return "disabled";
        const event = { type: TEST_EVENT, object_id: endpointId, data: { endpoint_id: endpointId } } as const;
        await log.append(tenantId, [event], undefined, eventId);
        note(tenantId, entry);
        return "appended";
      },
      async deliveries(tenantId, { endpoint_id, event_id, state_in, type_in, order, after, limit }) {
        if (!found(tenantId, endpoint_id)) return [];
        const behind = (a: number, b: number) => (order === "newest" ? b - a : a - b);
        return deliveriesOf(endpoint_id)
          .filter((delivery) => event_id === null || delivery.event_id === event_id)
          .filter(({ state }) => state_in === null || state_in.includes(state))
          .filter(({ type }) => type_in === null || (type_in as readonly string[]).includes(type))
          .filter(({ sequence }) => after === null || behind(sequence, after) > 0)
          .sort((a, b) => behind(a.sequence, b.sequence))
          .slice(0, limit)
          .map(({ endpoint_id: _, ...delivery }) => delivery);
      },
      placesOf: async (tenantId, eventIds) =>
        new Map(
          log
            .kept(tenantId)
            .filter(({ event_id }) => eventIds.includes(event_id))
            .map(({ event_id, sequence }) => [event_id, sequence]),
        ),
      async replay(tenantId, endpointId, { since, until, event_ids, types, after, limit }, now, entryOf) {
        const endpoint = found(tenantId, endpointId);
        if (!endpoint) return "unknown";
        if (!endpoint.is_enabled) return "disabled";
        const wanted = log
          .kept(tenantId)
          .filter(({ sequence, type }) => sequence > after && type !== TEST_EVENT)
          .filter((event) => asksFor(endpoint, event) && (types === null || isOneOf(types, event.type)))
          .filter(({ created_at: at }) => (since === null || at >= since) && (until === null || at < until))
          .filter(({ event_id }) => event_ids === null || event_ids.includes(event_id));
        const queued = wanted.slice(0, limit).filter((event) => queue(endpoint, event, now)).length;
        const last = wanted[limit - 1];
        const replayed: Replayed = { queued, next_after: last && wanted.length > limit ? last.event_id : null };
        note(tenantId, entryOf(replayed));
        return replayed;
      },
      async reap(now, limit) {
        const isGone = ({ endpoint_id, event_id }: Delivery) => {
          const endpoint = endpoints.get(endpoint_id);
          return (
            !endpoint ||
            endpoint.removed_at !== null ||
            !log.kept(endpoint.tenant_id).some((event) => event.event_id === event_id)
          );
        };
        const gone = [...deliveries.values()].filter(isGone).slice(0, limit);
        // As in the database: an endpoint is deleted in the round after its last delivery.
        const empty = [...endpoints.values()].filter(
          ({ removed_at, endpoint_id }) => removed_at !== null && deliveriesOf(endpoint_id).length === 0,
        );
        for (const { endpoint_id, sequence } of gone) deliveries.delete(keyOf(endpoint_id, sequence));
        for (const { endpoint_id } of empty) endpoints.delete(endpoint_id);
        for (const { endpoint_id, previous_until, earlier_until } of [...endpoints.values()]) {
          const endpoint = () => endpoints.get(endpoint_id) as Endpoint;
          if (!isLater(earlier_until, now)) change(endpoint(), { sealed_earlier_secret: null, earlier_until: null });
          if (!isLater(previous_until, now)) change(endpoint(), { sealed_previous_secret: null, previous_until: null });
        }
        return { deliveries: gone.length, endpoints: empty.length };
      },
    },
    queue: {
      async claim({ lease, now, until, limit, unproven, used, except_tenants }) {
        const due = [...endpoints.values()]
          .filter(({ is_enabled, due_at }) => is_enabled && due_at !== null && due_at <= now)
          .filter(({ lease: other, lease_until }) => other === null || !isLater(lease_until, now))
          .filter(({ tenant_id }) => !except_tenants.includes(tenant_id))
          .sort(
            (a, b) =>
              Number(a.failing_since !== null) - Number(b.failing_since !== null) ||
              Number(a.lease_until) - Number(b.lease_until) ||
              Number(a.due_at) - Number(b.due_at),
          );
        const turnsOf = (is_proven: boolean, free: number) => {
          const turns = new Map(Object.entries(used[is_proven ? "proven" : "unproven"]));
          return due
            .filter((endpoint) => endpoint.is_proven === is_proven)
            .map((endpoint) => {
              const turn = (turns.get(endpoint.tenant_id) ?? 0) + 1;
              turns.set(endpoint.tenant_id, turn);
              return { endpoint, turn };
            })
            .sort(byTurn)
            .filter(({ turn }, place) => turn - 1 < free - place);
        };
        const chosen = [...turnsOf(true, limit), ...turnsOf(false, unproven)].sort(byTurn);
        return chosen.slice(0, limit).map(({ endpoint }) => {
          change(endpoint, { lease, lease_until: until });
          const { tenant_id, endpoint_id, url, failing_since, is_proven } = endpoint;
          const sealed_secrets = [
            endpoint.sealed_secret,
            ...(isLater(endpoint.previous_until, now) ? [endpoint.sealed_previous_secret ?? ""] : []),
            ...(isLater(endpoint.earlier_until, now) ? [endpoint.sealed_earlier_secret ?? ""] : []),
          ];
          return { tenant_id, endpoint_id, lease, url, sealed_secrets, failing_since, is_proven };
        });
      },
      async due(lease, { now, limit }) {
        if (!held(lease)) return [];
        const kept = new Map(log.kept(lease.tenant_id).map((event) => [event.event_id, event]));
        return pendingOf(lease.endpoint_id)
          .filter(({ due_at }) => due_at !== null && due_at <= now)
          .sort((a, b) => Number(a.due_at) - Number(b.due_at) || a.sequence - b.sequence)
          .flatMap(({ delivery_id, attempts, event_id }) => {
            const event = kept.get(event_id);
            return event ? [{ delivery_id, attempts, event: eventView(lease.tenant_id, event) }] : [];
          })
          .slice(0, limit);
      },
      async settle(lease, { outcomes, failing_since, is_proven }) {
        const endpoint = held(lease);
        if (!endpoint) return false;
        let { delivered_at, last_failure } = endpoint;
        for (const { sequence, at, ms, ...outcome } of outcomes) {
          if (outcome.state === "delivered" && (delivered_at === null || delivered_at < at)) delivered_at = at;
          const { status, error } = outcome;
          if (error !== null && (last_failure === null || last_failure.at <= at)) last_failure = { at, status, error };
          const delivery = deliveries.get(keyOf(lease.endpoint_id, sequence));
          if (delivery?.state === "pending") put({ ...delivery, ...outcome, attempted_at: at, ms: Math.round(ms) });
        }
        change(endpoint, { failing_since, is_proven, delivered_at, last_failure });
        return true;
      },
      async renew(lease, until) {
        const endpoint = held(lease);
        if (endpoint) change(endpoint, { lease_until: until });
        return endpoint !== undefined;
      },
      async release(lease, { now, not_before }) {
        const endpoint = held(lease);
        if (!endpoint) return;
        const times = pendingOf(lease.endpoint_id).flatMap(({ due_at }) => due_at ?? []);
        const due_at = times.length === 0 ? null : latest(new Date(Math.min(...times.map(Number))), not_before);
        change(endpoint, { lease: null, lease_until: now, not_before, due_at });
      },
      async withdraw(lease) {
        for (const endpoint of [...endpoints.values()])
          if (endpoint.lease === lease) change(endpoint, { lease: null, lease_until: null });
      },
      async disable(lease, { reason, now, event, entry }) {
        const endpoint = held(lease);
        if (!endpoint) return false;
        disable(endpoint, reason, now);
        await log.append(lease.tenant_id, [event]);
        note(lease.tenant_id, entry);
        return true;
      },
      async backlog(now) {
        const all = [...endpoints.values()].filter(({ removed_at }) => removed_at === null);
        const due = all.flatMap(({ is_enabled, due_at }) =>
          is_enabled && due_at !== null && due_at <= now ? [due_at] : [],
        );
        return {
          pending: [...deliveries.values()].filter(({ state }) => state === "pending").length,
          oldest_due_at: due.length === 0 ? null : new Date(Math.min(...due.map(Number))),
          failing: all.filter(({ is_enabled, failing_since }) => is_enabled && failing_since !== null).length,
          disabled: all.filter(({ disabled_reason: why }) => why === "gone" || why === "failing").length,
        };
      },
    },
  };
}

function recordOf(endpoint: Endpoint): EndpointRecord {
  const { endpoint_id, url, types, labels, description, is_enabled, disabled_reason, disabled_at } = endpoint;
  const { failing_since, delivered_at, last_failure, previous_until, created_at, changed_at } = endpoint;
  return {
    endpoint_id,
    url,
    types,
    labels,
    description,
    is_enabled,
    disabled_reason,
    disabled_at,
    failing_since,
    delivered_at,
    last_failure,
    previous_until,
    created_at,
    changed_at,
  };
}

function byTurn(a: Turn, b: Turn): number {
  return a.turn - b.turn || Number(a.endpoint.due_at) - Number(b.endpoint.due_at);
}

interface Turn {
  readonly endpoint: Endpoint;
  readonly turn: number;
}

function isLater(until: Date | null, now: Date): until is Date {
  return until !== null && until > now;
}

function latest(one: Date, other: Date | null): Date {
  return other !== null && other > one ? other : one;
}
