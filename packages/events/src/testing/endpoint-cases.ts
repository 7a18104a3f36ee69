import type { EventType, ListOrder, Uuid } from "@org/core";
import { expect, it } from "vitest";
import { TEST_EVENT } from "../asks-for.js";
import type { EndpointSettings, EndpointStore } from "../ports/endpoint-store.js";
import {
  connected,
  connectionEvent,
  entryOf,
  grantEnded,
  later,
  letterEvent,
  NOBODY,
  newId,
  outcomeOf,
  sessionFinished,
  type WebhookSteps,
} from "./webhook-steps.js";

/** Settings of an endpoint, and which of the events below it gets. */
const askings: readonly [Partial<EndpointSettings>, readonly string[]][] = [
  [{}, ["letter.moved ch", "letter.created", "grant.ended", "session.finished"]],
  [{ types: ["letter.moved"] }, ["letter.moved ch"]],
  [{ types: ["letter.*"] }, ["letter.moved ch", "letter.created"]],
  [{ types: ["letter.created", "grant.*"] }, ["letter.created", "grant.ended"]],
  [{ types: ["connection.*"] }, []],
  [{ labels: { desk: "ch" } }, ["letter.moved ch"]],
  [{ labels: { desk: "ch", team: "a=b" } }, ["letter.moved ch"]],
  [{ labels: { desk: "ch", team: "a" } }, []],
  [{ labels: { desk: "de" } }, []],
  [{ types: ["grant.*"], labels: { desk: "ch" } }, []],
];

/** Cases of endpoints: what is stored, which events they get and how these are replayed. */
export function endpointCases(steps: WebhookSteps): void {
  const {
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
  } = steps;

  it("keeps an endpoint with its audit lines, and shows it to its tenant only", async () => {
    const [tenant, other] = [await fixture().newTenant(), await fixture().newTenant()];
    const id = await add(tenant, { types: ["letter.*", "grant.ended"], labels: { desk: "x=y", "a.b": "ü'\"\\" } });
    const second = await add(tenant);
    const made = await endpoints().find(tenant, id);
    expect(made).toEqual({
      endpoint_id: id,
      url: `https://${id}.test/`,
      types: ["letter.*", "grant.ended"],
      description: null,
      labels: { desk: "x=y", "a.b": "ü'\"\\" },
      is_enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      delivered_at: null,
      last_failure: null,
      previous_until: null,
      created_at: later(0),
      changed_at: later(0),
    });
    const change = { url: "https://new.test/", description: "new", labels: {}, types: undefined };
    expect(await endpoints().change(tenant, id, change, later(3), entryOf("update", id))).toEqual({
      ...made,
      url: "https://new.test/",
      description: "new",
      labels: {},
      changed_at: later(3),
    });
    // [C-14.126] A caller that saw another version changes nothing.
    const unseen = endpoints().change(
      tenant,
      id,
      change,
      later(4),
      entryOf("update", id),
      (there) => there?.url === "",
    );
    expect(await unseen).toBe("overtaken");
    expect(await endpoints().find(tenant, id)).toMatchObject({ changed_at: later(3) });
    const rotation = { sealed_secret: "second", previous_until: later(500) };
    expect(await endpoints().rotate(tenant, id, rotation, entryOf("rotate", id))).toBe(true);
    expect((await endpoints().list(tenant)).map(({ endpoint_id }) => endpoint_id).sort()).toEqual([id, second].sort());

    expect(await endpoints().find(other, id)).toBeNull();
    expect(await endpoints().list(other)).toEqual([]);
    expect(await endpoints().change(other, id, { url: "https://evil.test/" }, later(3), entryOf("x", id))).toBeNull();
    expect(await endpoints().rotate(other, id, rotation, entryOf("x", id))).toBe(false);
    expect(await endpoints().remove(other, id, later(3), entryOf("x", id))).toBe(false);
    expect(await endpoints().test(other, id, newId(), entryOf("x", id))).toBe("unknown");
    expect(await replay(other, id)).toBe("unknown");
    expect(await list(other, id)).toEqual([]);

    expect(await endpoints().remove(tenant, id, later(4), entryOf("delete", id))).toBe(true);
    expect(await endpoints().remove(tenant, id, later(4), entryOf("delete", id))).toBe(false);
    expect(await endpoints().find(tenant, id)).toBeNull();
    const lines = (await fixture().auditOf(tenant)).filter(({ object_id }) => object_id === id);
    expect(lines.map(({ action }) => action).sort()).toEqual(["create", "delete", "rotate", "update"]);
    expect(await fixture().auditOf(other)).toEqual([]);
  });

  it("[C-11.41] a tenant has so many endpoints and no more, however many are made at the same moment", async () => {
    const tenant = await fixture().newTenant();
    await add(tenant);
    const made = Array.from({ length: 6 }, () => {
      const endpoint_id = newId();
      const settings = { url: "https://a.test/", types: ["*"], labels: {}, description: null, is_enabled: false };
      const endpoint = { ...settings, endpoint_id, created_at: later(0), sealed_secret: "s" };
      return endpoints().create(tenant, endpoint, 3, entryOf("create", endpoint_id));
    });
    expect((await Promise.all(made)).sort()).toEqual(["created", "created", ...Array(4).fill("no_room")]);
    const [first] = await endpoints().list(tenant);
    if (first) await endpoints().remove(tenant, first.endpoint_id, later(1), entryOf("delete", first.endpoint_id));
    expect(await endpoints().list(tenant)).toHaveLength(2);
    expect(await add(tenant)).toBeDefined();
  });

  it("[C-11.40] queues each event once for each endpoint that asks for its type and its labels", async () => {
    const [tenant, other] = [await fixture().newTenant(), await fixture().newTenant()];
    const ids = await Promise.all(askings.map(([settings]) => add(tenant, settings)));
    const [off, foreign] = [await add(tenant, { is_enabled: false }), await add(other)];
    const labelled = letterEvent("letter.moved", { desk: "ch", team: "a=b" });
    await happens(tenant, labelled, letterEvent("letter.created"), grantEnded(), sessionFinished());
    await fixture().number();
    const names = new Map(
      ["letter.moved ch", "letter.created", "grant.ended", "session.finished"].map((n, i) => [i + 1, n]),
    );
    for (const [index, [settings, expected]] of askings.entries()) {
      const found = await list(tenant, ids[index] as Uuid);
      expect([settings, found.map(({ sequence }) => names.get(sequence)).reverse()]).toEqual([settings, expected]);
    }
    expect(await list(tenant, off)).toEqual([]);
    expect(await list(other, foreign)).toEqual([]);
    const [delivery] = await list(tenant, ids[1] as Uuid);
    expect(delivery).toEqual({
      delivery_id: expect.any(String),
      event_id: expect.any(String),
      sequence: 1,
      type: "letter.moved",
      created_at: expect.any(Date),
      state: "pending",
      attempts: 0,
      attempted_at: null,
      status: null,
      ms: null,
      error: null,
      answer: null,
      due_at: expect.any(Date),
    });
  });

  it("[C-11.89] an endpoint with labels gets the last event of a connection, and each again, after its labels are gone", async () => {
    const tenant = await fixture().newTenant();
    const [asking, other] = [
      await add(tenant, { labels: { desk: "ch" } }),
      await add(tenant, { labels: { desk: "de" } }),
    ];
    const off = await add(tenant, { labels: { desk: "ch" }, is_enabled: false });
    const [gone, stays] = [newId(), newId()];
    const labels = { desk: "ch", client: "42" };
    await happens(tenant, connectionEvent("connection.created", gone, labels), connected(gone, labels));
    await happens(
      tenant,
      connected(gone, { desk: "de" }),
      connectionEvent("connection.created", stays, labels),
      connectionEvent("connection.removed", gone, labels),
    );
    const all = (...sequences: number[]) => sequences.map((sequence) => `${sequence} pending`);
    expect(await statesOf(tenant, asking)).toEqual(all(5, 4, 2, 1));
    expect(await statesOf(tenant, other)).toEqual(all(3));
    expect(await statesOf(tenant, off)).toEqual([]);
    await endpoints().change(tenant, off, { is_enabled: true }, later(5), entryOf("update", off));
    expect(await replay(tenant, off)).toEqual({ queued: 4, next_after: null });
    expect(await statesOf(tenant, off)).toEqual(all(5, 4, 2, 1));
    await deliver(await lease(tenant, asking));
    expect(await replay(tenant, asking, { types: ["connection.*"] })).toMatchObject({ queued: 3 });
    expect(await statesOf(tenant, await add(tenant, { labels: { desk: "it" } }))).toEqual([]);
  });

  it("[C-11.42] a test goes to the endpoint that it is of, whatever that asks for, and to no other", async () => {
    const tenant = await fixture().newTenant();
    const [tested, all] = [await add(tenant, { types: ["grant.*"], labels: { desk: "ch" } }), await add(tenant)];
    const off = await add(tenant, { is_enabled: false });
    const event_id = newId();
    expect(await endpoints().test(tenant, tested, event_id, entryOf("test", tested))).toBe("appended");
    expect(await endpoints().test(tenant, off, newId(), entryOf("test", off))).toBe("disabled");
    expect(await endpoints().test(tenant, NOBODY, newId(), entryOf("test", NOBODY))).toBe("unknown");
    await fixture().number();
    expect(await list(tenant, tested)).toMatchObject([{ event_id, type: "webhook.test", state: "pending" }]);
    expect(await list(tenant, all)).toEqual([]);
    const [due] = await queue().due(await lease(tenant, tested), { now: later(1), limit: 9 });
    expect(due?.event).toEqual({
      id: event_id,
      type: "webhook.test",
      created_at: expect.any(String),
      tenant_id: tenant,
      sequence: 1,
      data: { endpoint_id: tested },
    });
  });

  it("[C-14.1056] pages through deliveries, newest or oldest event first, and finds those of one event", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    await happens(tenant, ...Array.from({ length: 5 }, () => grantEnded()));
    const query = {
      endpoint_id: id,
      event_id: null,
      state_in: null,
      type_in: null,
      order: "newest",
      limit: 2,
    } as const;
    const page = async (after: number | null, order: ListOrder = "newest") =>
      (await endpoints().deliveries(tenant, { ...query, order, after })).map(({ sequence }) => sequence);
    expect([await page(null), await page(4), await page(2)]).toEqual([[5, 4], [3, 2], [1]]);
    expect([await page(null, "oldest"), await page(2, "oldest"), await page(4, "oldest")]).toEqual([
      [1, 2],
      [3, 4],
      [5],
    ]);
    const [, second] = await list(tenant, id);
    const event_id = second?.event_id as Uuid;
    expect(await endpoints().deliveries(tenant, { ...query, event_id, after: null })).toEqual([second]);
    expect(await endpoints().deliveries(tenant, { ...query, event_id: newId(), after: null })).toEqual([]);
  });

  it("[C-14.1003] finds deliveries of some types of events, newest first over all of them, page by page", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    await happens(tenant, grantEnded());
    await endpoints().test(tenant, id, newId(), entryOf("test", id));
    await happens(tenant, grantEnded(), grantEnded());
    const found = async (
      type_in: readonly EventType[],
      over: { order?: ListOrder; after?: number; limit?: number } = {},
    ) => (await list(tenant, id, { type_in, ...over })).map(({ sequence }) => sequence);
    expect(await found([TEST_EVENT])).toEqual([2]);
    expect(await found([TEST_EVENT, "grant.ended"])).toEqual([4, 3, 2, 1]);
    expect(await found([TEST_EVENT, "grant.ended"], { limit: 2 })).toEqual([4, 3]);
    expect(await found([TEST_EVENT, "grant.ended"], { limit: 2, after: 3 })).toEqual([2, 1]);
    expect(await found([TEST_EVENT, "grant.ended"], { order: "oldest", limit: 2, after: 1 })).toEqual([2, 3]);
    expect(await found(["letter.moved"])).toEqual([]);
    expect(await found([])).toEqual([]);
  });

  it("[C-11.45] each replaced secret signs until its time is over; with two of them another rotation has to wait", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    await happens(tenant, grantEnded());
    const secretsAt = async (now: Date) => {
      const leased = await lease(tenant, id, now);
      await release(leased);
      return leased.sealed_secrets;
    };
    const rotate = (sealed_secret: string, previous_until: Date) =>
      endpoints().rotate(tenant, id, { sealed_secret, previous_until }, entryOf("rotate", id));
    await rotate("second", later(50));
    expect([await secretsAt(later(49)), await secretsAt(later(50))]).toEqual([["second", "first"], ["second"]]);
    await rotate("third", later(90));
    expect(await secretsAt(later(49))).toEqual(["third", "second", "first"]);
    expect(await rotate("fourth", later(99))).toEqual(later(50));
    await endpoints().reap(later(50), 100);
    expect(await endpoints().find(tenant, id)).toMatchObject({ previous_until: later(90) });
    expect(await secretsAt(later(49))).toEqual(["third", "second"]);
    expect(await rotate("fourth", later(99))).toBe(true);
    expect(await secretsAt(later(89))).toEqual(["fourth", "third", "second"]);
    expect([await secretsAt(later(90)), await secretsAt(later(99))]).toEqual([["fourth", "third"], ["fourth"]]);
    await endpoints().reap(later(99), 100);
    expect(await endpoints().find(tenant, id)).toMatchObject({ previous_until: null });
    expect(await secretsAt(later(60))).toEqual(["fourth"]);
  });

  it("[C-11.51] operators list endpoints of one tenant or of all, by how they stand, and find whose one is", async () => {
    const [first, second] = [await fixture().newTenant(), await fixture().newTenant()].sort() as [string, string];
    const failing = await add(first);
    const [well, off, gone] = [await add(second), await add(second, { is_enabled: false }), await add(second)];
    await happens(first, grantEnded());
    await settle(await lease(first, failing), [outcomeOf(1)], { failing_since: later(3) });
    await endpoints().remove(second, gone, later(4), entryOf("delete", gone));
    const all = async (over: Partial<Parameters<EndpointStore["listOfAll"]>[0]> = {}) =>
      (await endpoints().listOfAll({ tenant_id: null, state_in: null, after: null, limit: 1_000, ...over }))
        .filter(({ tenant_id }) => [first, second].includes(tenant_id))
        .map(({ endpoint_id }) => endpoint_id);
    const ofSecond = [well, off].sort();
    expect(await all()).toEqual([failing, ...ofSecond]);
    expect(await all({ tenant_id: second })).toEqual(ofSecond);
    expect(await all({ tenant_id: second, limit: 1 })).toEqual(ofSecond.slice(0, 1));
    expect(await all({ after: { tenant_id: second, endpoint_id: ofSecond[0] as Uuid } })).toEqual(ofSecond.slice(1));
    expect(await all({ state_in: ["failing"] })).toEqual([failing]);
    expect(await all({ state_in: ["enabled", "disabled"], tenant_id: second })).toEqual(ofSecond);
    expect(await all({ state_in: ["enabled"], tenant_id: second })).toEqual([well]);
    expect(await endpoints().tenantOf(off)).toBe(second);
    expect(await endpoints().tenantOf(gone)).toBeNull();
    expect(await endpoints().tenantOf(NOBODY)).toBeNull();
    await endpoints().reap(later(5), 100);
  });

  it("[C-11.54] another address ends the lease: what waits goes there, and nothing more to the one before", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    await happens(tenant, grantEnded(), grantEnded());
    const leased = await lease(tenant, id);
    const change = (url: string) => endpoints().change(tenant, id, { url }, later(3), entryOf("update", id));
    await change(leased.url);
    expect(await queue().renew(leased, later(60))).toBe(true);
    await change("https://elsewhere.test/");
    expect(await settle(leased, [outcomeOf(1)])).toBe(false);
    const next = await lease(tenant, id);
    expect([next.url, await dueOf(next)]).toEqual(["https://elsewhere.test/", [1, 2]]);
  });

  it("[C-11.46] disabling withdraws what waits and loses the lease; enabling begins anew with what happens then", async () => {
    const tenant = await fixture().newTenant();
    const id = await add(tenant);
    await happens(tenant, grantEnded(), grantEnded());
    const leased = await lease(tenant, id);
    await settle(leased, [outcomeOf(1)], { failing_since: later(3) });
    const off = await endpoints().change(tenant, id, { is_enabled: false }, later(4), entryOf("update", id));
    expect(off).toMatchObject({ is_enabled: false, disabled_reason: "request", disabled_at: later(4) });
    expect(await settle(leased, [outcomeOf(2)])).toBe(false);
    await happens(tenant, grantEnded());
    expect(await statesOf(tenant, id)).toEqual(["2 withdrawn", "1 delivered"]);
    expect(await replay(tenant, id)).toBe("disabled");
    const on = await endpoints().change(tenant, id, { is_enabled: true }, later(5), entryOf("update", id));
    expect(on).toMatchObject({ is_enabled: true, disabled_reason: null, disabled_at: null, failing_since: null });
    expect(await claim([tenant])).toEqual([]);
    await happens(tenant, grantEnded());
    expect(await dueOf(await lease(tenant, id))).toEqual([4]);
  });

  it("[C-11.47] a replay queues what is kept and asked for once more, in bounds; what waits already is left alone", async () => {
    const tenant = await fixture().newTenant();
    await happens(tenant, grantEnded(), letterEvent("letter.created"), letterEvent("letter.moved"), sessionFinished());
    const id = await add(tenant, { types: ["letter.*", "grant.*"] });
    await happens(tenant, grantEnded());
    const [fifth] = await list(tenant, id);
    expect(await replay(tenant, id)).toEqual({ queued: 3, next_after: null });
    expect(await statesOf(tenant, id)).toEqual(["5 pending", "3 pending", "2 pending", "1 pending"]);
    expect(await replay(tenant, id)).toEqual({ queued: 0, next_after: null });
    const all = await list(tenant, id);
    expect(all[0]).toEqual(fifth);
    await deliver(await lease(tenant, id, later(3)));
    expect(await replay(tenant, id, { types: ["letter.*"] })).toMatchObject({ queued: 2 });
    const idOf = (sequence: number) => all.find((delivery) => delivery.sequence === sequence)?.event_id as Uuid;
    expect(await replay(tenant, id, { event_ids: [idOf(1), idOf(2), newId()] })).toMatchObject({ queued: 1 });
    const again = (await list(tenant, id)).find(({ sequence }) => sequence === 1);
    expect(again).toMatchObject({ state: "pending", attempts: 0, due_at: later(2), status: 200 });
    await deliver(await lease(tenant, id, later(3)));
    expect(await replay(tenant, id, { since: new Date("2999-01-01") })).toMatchObject({ queued: 0 });
    expect(await replay(tenant, id, { until: new Date("2001-01-01") })).toMatchObject({ queued: 0 });
    const first = await replay(tenant, id, { limit: 3, since: new Date(0), until: new Date("2999-01-01") });
    expect(first).toEqual({ queued: 3, next_after: idOf(3) });
    expect(await endpoints().placesOf(tenant, [idOf(3), newId()])).toEqual(new Map([[idOf(3), 3]]));
    expect(await endpoints().placesOf(await fixture().newTenant(), [idOf(3)])).toEqual(new Map());
    expect(await replay(tenant, id, { limit: 3, after: 3 })).toEqual({ queued: 1, next_after: null });
    expect(await statesOf(tenant, id)).toEqual(["5 pending", "3 pending", "2 pending", "1 pending"]);
    const lines = (await fixture().auditOf(tenant)).filter(({ action }) => action === "replay");
    expect(lines.map(({ facts }) => facts.queued)).toContain(3);
  });
}
