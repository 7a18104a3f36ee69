import { type EventType, INSTALLATION_LOG, type NewEvent, type Uuid } from "@org/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventQuery, EventStore } from "../ports/event-store.js";

/** The backend under test of {@link describeEventStore}. */
export interface EventStoreFixture {
  readonly store: EventStore;
  /** Appends events of a tenant at a given time, as one transaction of core would. */
  readonly append: (tenantId: string, events: readonly NewEvent[], at?: Date) => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** Registers every vitest case that a backend of {@link EventStore} must pass. */
export function describeEventStore(name: string, make: () => Promise<EventStoreFixture> | EventStoreFixture): void {
  describe(`log of events: ${name}`, () => {
    let fixture: EventStoreFixture;
    beforeAll(async () => {
      fixture = await make();
    });
    afterAll(() => fixture?.close?.());

    let ids = 0;
    const newId = () => {
      ids += 1;
      return `01990000-0000-7000-b000-${ids.toString(16).padStart(12, "0")}` as Uuid;
    };
    const ended = (grant_id = newId()): NewEvent => ({
      type: "grant.ended",
      object_id: grant_id,
      data: { grant_id, client_id: "c", reason: "revoked" },
    });
    const changed = (connection_id = newId()): NewEvent => ({
      type: "data.changed",
      object_id: connection_id,
      data: { connection_id, client_ref: null, snapshot_revision: 1, products: ["holdings"] },
    });
    const degraded = (): NewEvent => ({
      type: "provider.degraded",
      object_id: newId(),
      data: { tenant_id: null, provider: "sandbox", connector_id: null },
    });
    const query = (over: Partial<EventQuery> = {}): EventQuery => ({
      type_in: null,
      object_id: null,
      client_ref_in: null,
      from: null,
      until: null,
      after: null,
      before: null,
      place: null,
      order: "asc",
      limit: 100,
      ...over,
    });
    const sequences = async (log: string, over: Partial<EventQuery> = {}) =>
      (await fixture.store.page(log, query(over))).events.map(({ sequence }) => sequence);

    it("[C-14.883] a log of some clients has their events alone, and knows no other", async () => {
      const store = fixture.store;
      const of = (client_ref: string | null): NewEvent => {
        const event = changed();
        return { ...event, data: { ...event.data, client_ref } } as NewEvent;
      };
      const tenant = newId();
      await fixture.append(tenant, [of("A"), of("B"), of(null), of("A"), ended(), of("B")]);
      const found = async (client_ref_in: string[] | null, over: Partial<EventQuery> = {}) =>
        (await store.page(tenant, query({ ...over, client_ref_in }))).events.map(({ sequence }) => sequence);
      expect(await found(["A"])).toEqual([1, 4]);
      expect(await found(["B", "A"], { order: "desc" })).toEqual([6, 4, 2, 1]);
      expect(await found(["B", "A"], { place: 2, limit: 2 })).toEqual([4, 6]);
      expect(await found(["A"], { type_in: ["grant.ended"] })).toEqual([]);
      expect(await found(["A"], { type_in: ["data.changed"] })).toEqual([1, 4]);
      expect(await found([])).toEqual([]);
      const all = (await store.page(tenant, query())).events;
      const [a, b] = [all[0]?.event_id as Uuid, all[1]?.event_id as Uuid];
      expect(await found(["A"], { after: a })).toEqual([4]);
      expect(await store.page(tenant, query({ client_ref_in: ["A"], after: b }))).toMatchObject({ unknown: ["after"] });
    });

    it("[C-11.3] numbers each log from 1 without gaps, in the order of a transaction, and shows what was committed", async () => {
      const { store, append } = fixture;
      const [tenant, other] = [newId(), newId()];
      const events = Array.from({ length: 12 }, () => ended());
      await append(tenant, events.slice(0, 7));
      await append(other, [ended()]);
      const first = await store.page(tenant, query());
      expect(first.numbered.reduce((sum, numbered) => sum + numbered.events, 0)).toBe(7);
      await append(tenant, events.slice(7));
      const { events: found, head } = await store.page(tenant, query());
      expect(found.map(({ sequence, object_id, data }) => [sequence, object_id, data])).toEqual(
        events.map(({ object_id, data }, index) => [index + 1, object_id, data]),
      );
      expect(head).toBe(12);
      expect(await sequences(other)).toEqual([1]);
    });

    it("[C-11.3] numbers what waits in all logs, and says of which types it was", async () => {
      const { store, append } = fixture;
      const [tenant, other] = [newId(), newId()];
      await append(tenant, [ended(), changed(), ended()]);
      await append(other, [ended()]);
      expect(await store.backlog()).toMatchObject({ events: 4, oldest: expect.any(Date) });
      const counts = new Map<EventType, number>();
      for (const { type, events } of await store.number({ logs: 10, limit: 100 }))
        counts.set(type, (counts.get(type) ?? 0) + events);
      expect([...counts].sort()).toEqual([
        ["data.changed", 1],
        ["grant.ended", 3],
      ]);
      expect(await store.number({ logs: 10, limit: 100 })).toEqual([]);
      expect(await store.backlog()).toEqual({ events: 0, oldest: null });
      const nobody = newId();
      expect(Object.fromEntries(await store.heads([tenant, other, nobody]))).toEqual({
        [tenant]: 3,
        [other]: 1,
        [nobody]: 0,
      });
    });

    it("[C-11.4] pages in both orders, from and up to events, by type, object and time, all conditions together", async () => {
      const { store, append } = fixture;
      const tenant = newId();
      const connection = newId();
      const days = (count: number) => new Date(Date.UTC(2026, 2, 1 + count));
      // 1 ended, 2 changed, 3 changed (connection), 4 ended, 5 changed (connection), 6 ended: one per day
      const all = [ended(), changed(), changed(connection), ended(), changed(connection), ended()];
      for (const [day, event] of all.entries()) {
        await append(tenant, [event], days(day));
        await store.number({ logs: 10, limit: 10 });
      }
      const ids = (await store.page(tenant, query())).events.map(({ event_id }) => event_id);
      const id = (sequence: number) => ids[sequence - 1] ?? null;
      const cases: [Partial<EventQuery>, number[]][] = [
        [{}, [1, 2, 3, 4, 5, 6]],
        [{ order: "desc" }, [6, 5, 4, 3, 2, 1]],
        [{ limit: 2 }, [1, 2]],
        [{ limit: 2, place: 2 }, [3, 4]],
        [{ order: "desc", limit: 2, place: 3 }, [2, 1]],
        [{ after: id(4) }, [5, 6]],
        [{ after: id(6) }, []],
        [{ after: id(2), before: id(5) }, [3, 4]],
        [{ before: id(3), order: "desc" }, [2, 1]],
        [{ type_in: ["data.changed"] }, [2, 3, 5]],
        [{ type_in: ["data.changed", "grant.ended"], order: "desc", limit: 4 }, [6, 5, 4, 3]],
        [{ type_in: ["letter.moved"] }, []],
        [{ type_in: [] }, []],
        [{ object_id: connection }, [3, 5]],
        [{ object_id: connection, type_in: ["grant.ended"] }, []],
        [{ object_id: "nothing of this name" }, []],
        [{ from: days(2) }, [3, 4, 5, 6]],
        [{ until: days(2) }, [1, 2]],
        [{ from: days(1), until: days(4), order: "desc" }, [4, 3, 2]],
        [{ from: days(1), type_in: ["grant.ended"], after: id(4) }, [6]],
        [{ from: days(9) }, []],
      ];
      for (const [over, expected] of cases) expect([over, await sequences(tenant, over)]).toEqual([over, expected]);
    });

    it("[C-11.5] says which cursor names nothing that is kept, be it another log's", async () => {
      const { store, append } = fixture;
      const [tenant, other] = [newId(), newId()];
      await append(tenant, [ended()]);
      await append(other, [ended()]);
      const first = async (log: string) => (await store.page(log, query())).events[0]?.event_id as Uuid;
      const [own, foreign] = [await first(tenant), await first(other)];
      expect(await store.page(tenant, query({ after: foreign }))).toMatchObject({ events: [], unknown: ["after"] });
      expect(await store.page(tenant, query({ after: own, before: newId() }))).toMatchObject({ unknown: ["before"] });
    });

    it("[C-11.2] keeps a log of the installation apart from those of tenants", async () => {
      const { append } = fixture;
      const tenant = newId();
      const before = (await sequences(INSTALLATION_LOG)).length;
      await append(tenant, [degraded(), ended()]);
      expect(await sequences(tenant)).toEqual([1]);
      expect(await sequences(INSTALLATION_LOG)).toHaveLength(before + 1);
    });

    it("[C-11.6] deletes what is old enough, batch by batch, and numbers on", async () => {
      const { store, append } = fixture;
      const tenant = newId();
      const [old, young] = [new Date("2001-01-01T00:00:00Z"), new Date("2001-03-01T00:00:00Z")];
      await append(tenant, [ended(), ended(), ended()], old);
      await append(tenant, [ended()], young);
      const cutoff = new Date("2001-02-01T00:00:00Z");
      // An event without a number has not been shown to anyone, so it stays.
      expect(await store.reap(cutoff, 100)).toBe(0);
      expect(await sequences(tenant)).toEqual([1, 2, 3, 4]);
      expect([await store.reap(cutoff, 2), await store.reap(cutoff, 2), await store.reap(cutoff, 2)]).toEqual([
        2, 1, 0,
      ]);
      await append(tenant, [ended()]);
      expect(await sequences(tenant)).toEqual([4, 5]);
    });
  });
}
