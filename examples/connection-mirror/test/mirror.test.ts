import type { WebhookEvent } from "@org/webhook-verifier";
import fc from "fast-check";
import { expect, it } from "vitest";
import { apply, type Condition, type Mirror } from "../src/mirror.js";

const empty: Mirror = { begun_at: 0, read_up_to: null, connections: {} };
const verbs = { ready: "refreshed", needs_relogin: "needs_relogin", blocked: "blocked", removed: "removed" } as const;

function eventOf(sequence: number, connection_id: string, status: keyof typeof verbs): WebhookEvent {
  const data = { connection_id, connector_id: "esp:one", client_ref: null, status, letter_id: null };
  const id = `event-${sequence}`;
  return {
    id,
    type: `connection.${verbs[status]}`,
    created_at: "2026-11-22T12:00:00Z",
    tenant_id: "t",
    sequence,
    data,
  };
}

it("ends in the same state however often and in whatever order events come", () => {
  const change = fc.tuple(
    fc.constantFrom("a", "b", "c"),
    fc.constantFrom(...(Object.keys(verbs) as (keyof typeof verbs)[])),
  );
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 12 }).chain((changes) => {
        const events = changes.map(([id, status], index) => eventOf(index + 1, id, status));
        const repeated = fc.shuffledSubarray([...events, ...events], { minLength: events.length });
        return fc.tuple(fc.constant(events), repeated);
      }),
      ([events, some]) => {
        const last: Record<string, Condition> = {};
        for (const event of events) if ("status" in event.data) Object.assign(last, statusOf(event));
        const mirror = [...some, ...events.toReversed()].reduce(apply, empty);
        expect(Object.fromEntries(Object.entries(mirror.connections).map(([id, { status }]) => [id, status]))).toEqual(
          last,
        );
      },
    ),
  );
});

it("passes over what the list of connections knew already, and events that are about something else", () => {
  const begun: Mirror = { begun_at: 5, read_up_to: "event-5", connections: { a: { status: "ready", sequence: 5 } } };
  expect(apply(begun, eventOf(5, "a", "blocked"))).toBe(begun);
  expect(apply(begun, eventOf(4, "gone", "ready"))).toBe(begun);
  expect(apply(begun, { ...eventOf(6, "a", "ready"), type: "webhook.test", data: { endpoint_id: "e" } })).toBe(begun);
  expect(apply(begun, eventOf(6, "a", "blocked")).connections.a).toEqual({ status: "blocked", sequence: 6 });
});

function statusOf({ data }: WebhookEvent): Record<string, Condition> {
  const { connection_id, status } = data as { connection_id: string; status: Condition };
  return { [connection_id]: status };
}
