import { randomUUID } from "node:crypto";
import type { AuditEntry, Labels, NewEvent, Uuid } from "@org/core";
import { expect } from "vitest";
import type { DeliveryOutcome, DeliveryQueue, EndpointLease } from "../ports/delivery-queue.js";
import type { EndpointSettings, EndpointStore, Replay } from "../ports/endpoint-store.js";

/** What a backend provides for the cases. */
export interface WebhookStoresFixture {
  readonly endpoints: EndpointStore;
  readonly queue: DeliveryQueue;
  /** Creates a tenant. */
  newTenant(): Promise<string>;
  /** Appends events of a tenant, as one transaction of core would. */
  append(tenantId: string, events: readonly NewEvent[]): Promise<void>;
  /** Numbers waiting events, which queues their deliveries. */
  number(): Promise<void>;
  /** Deletes the events of all logs, as if they had expired. */
  forgetEvents(): Promise<void>;
  auditOf(tenantId: string): Promise<readonly Pick<AuditEntry, "action" | "object_id" | "facts">[]>;
  close?(): Promise<unknown>;
}

/** A new id that nothing has. */
export const newId = () => randomUUID() as Uuid;
/** A time later than anything in the cases, whatever clock a backend has. */
export const later = (seconds: number) => new Date(Date.UTC(2099, 0, 1, 0, 0, seconds));
/** An id that no endpoint has. */
export const NOBODY = newId();

/** Steps shared by the cases of both stores, over the current fixture. */
export type WebhookSteps = ReturnType<typeof webhookSteps>;

/** See {@link WebhookSteps}. */
export function webhookSteps(fixture: () => WebhookStoresFixture) {
  const endpoints = () => fixture().endpoints;
  const queue = () => fixture().queue;
  const add = async (tenantId: string, over: Partial<EndpointSettings> & { is_enabled?: boolean } = {}, most = 20) => {
    const endpoint_id = newId();
    const settings = { url: `https://${endpoint_id}.test/`, types: ["*"], labels: {}, description: null, ...over };
    const made = { is_enabled: true, created_at: later(0), sealed_secret: "first", ...settings, endpoint_id };
    expect(await endpoints().create(tenantId, made, most, entryOf("create", endpoint_id))).toBe("created");
    return endpoint_id;
  };
  const happens = async (tenantId: string, ...events: readonly NewEvent[]) => {
    await fixture().append(tenantId, events);
    await fixture().number();
  };
  const claim = async (tenantIds: readonly string[], over: Partial<Parameters<DeliveryQueue["claim"]>[0]> = {}) => {
    const found = await queue().claim({
      lease: newId(),
      now: later(1),
      until: later(60),
      limit: 100,
      unproven: 100,
      used: { proven: {}, unproven: {} },
      except_tenants: [],
      ...over,
    });
    return found.filter(({ tenant_id }) => tenantIds.includes(tenant_id));
  };
  const lease = async (tenantId: string, endpointId: string, now = later(1)) => {
    const found = (await claim([tenantId], { now })).find(({ endpoint_id }) => endpoint_id === endpointId);
    if (!found) throw new Error("the endpoint is not due");
    return found;
  };
  const dueOf = async (leased: EndpointLease, now = later(1)) =>
    (await queue().due(leased, { now, limit: 100 })).map(({ event }) => event.sequence);
  const list = (tenantId: string, endpoint_id: Uuid, over: Partial<Parameters<EndpointStore["deliveries"]>[1]> = {}) =>
    endpoints().deliveries(tenantId, {
      endpoint_id,
      event_id: null,
      state_in: null,
      type_in: null,
      order: "newest",
      after: null,
      limit: 100,
      ...over,
    });
  const statesOf = async (tenantId: string, endpointId: Uuid) =>
    (await list(tenantId, endpointId)).map(({ sequence, state }) => `${sequence} ${state}`);
  const replay = (tenantId: string, endpointId: Uuid, over: Partial<Replay> = {}) =>
    endpoints().replay(
      tenantId,
      endpointId,
      { since: null, until: null, event_ids: null, types: null, after: 0, limit: 1_000, ...over },
      later(2),
      ({ queued }) => entryOf("replay", endpointId, { queued }),
    );
  const settle = (
    leased: EndpointLease,
    outcomes: readonly DeliveryOutcome[],
    over: Partial<Pick<EndpointLease, "failing_since" | "is_proven">> = {},
  ) => queue().settle(leased, { outcomes, failing_since: null, is_proven: false, ...over });
  const release = (leased: EndpointLease, over: Partial<Parameters<DeliveryQueue["release"]>[1]> = {}) =>
    queue().release(leased, { now: later(1), not_before: null, ...over });
  const deliver = async (leased: EndpointLease) => {
    const due = await queue().due(leased, { now: later(9), limit: 100 });
    const outcomes = due.map(({ event, attempts }) => outcomeOf(event.sequence, { attempts: attempts + 1 }));
    expect(await settle(leased, outcomes)).toBe(true);
    await release(leased);
  };

  return {
    endpoints,
    queue,
    add,
    happens,
    claim,
    lease,
    dueOf,
    list,
    statesOf,
    replay,
    settle,
    release,
    deliver,
    fixture,
  };
}

/** An entry for the audit trail. */
export function entryOf(action: string, object_id: string, facts: AuditEntry["facts"] = {}): AuditEntry {
  const who = { actor: "somebody", action, object_type: "webhook_endpoint", object_id };
  return { audit_id: randomUUID(), at: later(0), ...who, trace_id: null, address: null, facts };
}

/** A successful attempt, changed by `over`. */
export function outcomeOf(sequence: number, over: Partial<DeliveryOutcome> = {}): DeliveryOutcome {
  const delivered = { state: "delivered", attempts: 1, status: 200, error: null, answer: "ok", due_at: null } as const;
  return { sequence, at: later(5), ms: 7, ...delivered, ...over };
}

/** The event that a grant has ended. */
export function grantEnded(): NewEvent {
  const grant_id = newId();
  return { type: "grant.ended", object_id: grant_id, data: { grant_id, client_id: "c", reason: "revoked" } };
}

/** The event that a session was finished. */
export function sessionFinished(): NewEvent {
  const session_id = newId();
  const data = { session_id, status: "Finished:OK", error_code: null, connection_id: null, client_ref: null } as const;
  return { type: "session.finished", object_id: session_id, data };
}

/** The event that a session with labels has made or repaired a connection. */
export function connected(connection_id: Uuid, labels: Labels): NewEvent {
  const session_id = newId();
  const data = { session_id, status: "Finished:OK", error_code: null, connection_id, client_ref: null } as const;
  return { type: "session.finished", object_id: session_id, labels, data };
}

/** An event about a connection with labels. */
export function connectionEvent(
  type: "connection.created" | "connection.removed",
  connection_id: Uuid,
  labels: Labels,
): NewEvent {
  const status = type === "connection.removed" ? "removed" : "ready";
  return {
    type,
    object_id: connection_id,
    labels,
    data: { connection_id, connector_id: "bank", client_ref: null, status, letter_id: null },
  };
}

/** An event about a letter with labels. */
export function letterEvent(type: "letter.created" | "letter.moved", labels: Labels = {}): NewEvent {
  const letter_id = newId();
  const about = { letter_id, connector_id: "bank", client_ref: null } as const;
  const data = { ...about, status: "Signed", from: null, to: "Signed", labels } as const;
  return { type, object_id: letter_id, labels, data };
}
