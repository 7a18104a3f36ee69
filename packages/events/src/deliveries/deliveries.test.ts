import type { EventView, Uuid } from "@org/core";
import { describe, expect, it } from "vitest";
import type { DeliveryOutcome, DeliveryQueue, EndpointLease } from "../ports/delivery-queue.js";
import { createMemoryEventStore } from "../testing/memory-event-store.js";
import { createMemoryWebhookStores } from "../testing/memory-webhook-stores.js";
import { createDeliveries } from "./deliveries.js";
import type { PostWebhook, WebhookAnswer, WebhookRequest } from "./post-webhook.js";

const NOW = new Date("2026-03-01T12:00:00Z");
const TENANT = "0198a000-0000-7000-8000-000000000001";
const ENDPOINT = "0198a000-0000-7000-8000-000000000002" as Uuid;
const lease: EndpointLease = {
  tenant_id: TENANT,
  endpoint_id: ENDPOINT,
  lease: "lease",
  url: "https://receiver.example/hooks?key=secret",
  sealed_secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  failing_since: null,
  is_proven: true,
};
const delivered: WebhookAnswer = { status: 200, error: null, answer: "ok", retry_after_ms: null, ms: 1 };
const refused: WebhookAnswer = { ...delivered, status: 500 };

const event = (sequence: number): EventView => ({
  id: `0198a000-0000-7000-8000-${String(sequence).padStart(12, "0")}`,
  type: "webhook.test",
  created_at: "2026-03-01T12:00:00Z",
  tenant_id: TENANT,
  sequence,
  data: { endpoint_id: ENDPOINT },
});

/** A queue of one endpoint with this many deliveries, and a record of the calls to it. */
function stage({ waiting = 10, post, isOurs = true }: { waiting?: number; post?: PostWebhook; isOurs?: boolean } = {}) {
  const left = new Set(Array.from({ length: waiting }, (_, index) => index + 1));
  const settled: DeliveryOutcome[][] = [];
  const calls: { name: string; with: unknown }[] = [];
  const posted: WebhookRequest[] = [];
  const note = (name: string, what: unknown) => calls.push({ name, with: what });
  const queue: DeliveryQueue = {
    claim: async (claim) => {
      note("claim", claim);
      return [lease];
    },
    due: async (_lease, { limit }) =>
      [...left].slice(0, limit).map((sequence) => ({ delivery_id: ENDPOINT, attempts: 0, event: event(sequence) })),
    async settle(_lease, { outcomes }) {
      if (!isOurs) return false;
      settled.push([...outcomes]);
      for (const { sequence } of outcomes) left.delete(sequence);
      return true;
    },
    renew: async () => isOurs,
    release: async (_lease, next) => void note("release", next),
    withdraw: async (claimed) => void note("withdraw", claimed),
    async disable(_lease, { reason, event }) {
      note("disable", { reason, event });
      return true;
    },
    backlog: async () => ({ pending: left.size, oldest_due_at: null, failing: 0, disabled: 0 }),
  };
  const disabled: unknown[] = [];
  const deliveries = createDeliveries({
    queue,
    runtime: {
      clock: () => NOW,
      newId: () => ENDPOINT,
      vault: { open: async (sealed: string) => sealed } as never,
    },
    keys: { signing: () => [] },
    async post(request) {
      posted.push(request);
      return post ? post(request) : delivered;
    },
    exceptTenants: async () => [],
    places: 8,
    leaseMs: 30_000,
    userAgent: "wealth-connect/1",
    chance: () => 0.5,
    onDisabled: (endpoint) => disabled.push(endpoint),
  });
  return { deliveries, queue, settled, calls, posted, disabled };
}

describe("deliveries to one endpoint", () => {
  it("[C-11.61] are posted with the headers of Standard Webhooks, the body being the event", async () => {
    const { deliveries, posted } = stage({ waiting: 1 });
    await deliveries.work(lease);
    expect(posted).toMatchObject([{ url: lease.url, body: JSON.stringify(event(1)) }]);
    expect(posted[0]?.headers).toEqual({
      "content-type": "application/json",
      "user-agent": "wealth-connect/1",
      "webhook-id": event(1).id,
      "webhook-timestamp": "1772366400",
      "webhook-signature": expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
  });

  it("[C-11.67] four are under way at once after outcomes were written, too", async () => {
    const underWayAt: number[] = [];
    let underWay = 0;
    const { deliveries, queue, settled } = stage({
      waiting: 200,
      async post() {
        underWay += 1;
        underWayAt.push(underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return delivered;
      },
    });
    const { settle } = queue;
    queue.settle = async (...given) => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return settle(...given);
    };
    await deliveries.work(lease);
    expect(settled.flat()).toHaveLength(200);
    expect(Math.max(...underWayAt.slice(60))).toBe(4);
  });

  it("[C-11.67] at most four are under way at once, in the order of their sequence; outcomes are written many at a time", async () => {
    let [underWay, most] = [0, 0];
    const { deliveries, posted, settled, calls } = stage({
      waiting: 300,
      async post() {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return delivered;
      },
    });
    await deliveries.work(lease);
    expect(most).toBe(4);
    // Only a slice, so that other endpoints get their turn.
    expect(posted.map(({ body }) => JSON.parse(body).sequence)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    expect(settled.map((outcomes) => outcomes.length)).toEqual([50, 50, 50, 50]);
    expect(calls).toEqual([{ name: "release", with: { now: NOW, not_before: null } }]);
  });

  it("[C-11.64] one that fails waits for its next try, and the endpoint is left alone after ten", async () => {
    const { deliveries, posted, settled, calls } = stage({ waiting: 50, post: async () => refused });
    await deliveries.work(lease);
    expect(posted.length).toBeLessThanOrEqual(13);
    expect(settled.flat()[0]).toEqual({
      sequence: 1,
      state: "pending",
      attempts: 1,
      at: NOW,
      ms: 1,
      status: 500,
      error: "status",
      answer: "ok",
      due_at: new Date("2026-03-01T12:00:05Z"),
    });
    expect(calls).toEqual([{ name: "release", with: { now: NOW, not_before: new Date("2026-03-01T12:00:01Z") } }]);
  });

  it("[C-11.66] one that took nothing is asked with one delivery, and has the rest when it took that", async () => {
    const failing = { ...lease, failing_since: new Date("2026-03-01T11:00:00Z") };
    const still = stage({ post: async () => refused });
    await still.deliveries.work(failing);
    expect(still.posted).toHaveLength(1);
    expect(still.calls).toEqual([
      { name: "release", with: { now: NOW, not_before: new Date("2026-03-01T12:05:00Z") } },
    ]);
    const back = stage();
    await back.deliveries.work(failing);
    expect(back.posted).toHaveLength(10);
  });

  it("[C-11.65] 410 disables it, with an event that names no address", async () => {
    const { deliveries, calls, disabled } = stage({ post: async () => ({ ...refused, status: 410 }) });
    await deliveries.work(lease);
    const data = { endpoint_id: ENDPOINT, reason: "gone" };
    const appended = { type: "webhook.endpoint_disabled", object_id: ENDPOINT, data };
    expect(calls).toEqual([{ name: "disable", with: { reason: "gone", event: appended } }]);
    expect(disabled).toEqual([
      {
        tenant_id: TENANT,
        endpoint_id: ENDPOINT,
        host: "receiver.example",
        reason: "gone",
        failing_since: NOW,
      },
    ]);
  });

  it("[C-11.68] nothing more is sent once the lease is another server's, and nothing released", async () => {
    const { deliveries, posted, calls } = stage({ waiting: 200, isOurs: false });
    await deliveries.work(lease);
    expect(posted.length).toBeLessThanOrEqual(53);
    expect(calls).toEqual([]);
  });

  it("[C-11.68] a server that stops begins nothing more, writes what has ended, and cuts off what does not end", async () => {
    const hang: PostWebhook = ({ signal, body }) =>
      JSON.parse(body).sequence === 1
        ? Promise.resolve(delivered)
        : new Promise((resolve) =>
            signal.addEventListener("abort", () => resolve({ ...delivered, status: null, error: "cut_off" })),
          );
    const { deliveries, posted, settled, calls } = stage({ waiting: 100, post: hang });
    const work = deliveries.work(lease);
    await expect.poll(() => posted.length).toBe(5);
    await deliveries.close(1);
    await work;
    expect(posted).toHaveLength(5);
    expect(settled.flat().map(({ sequence, state }) => [sequence, state])).toEqual([[1, "delivered"]]);
    expect(calls).toEqual([{ name: "release", with: { now: NOW, not_before: null } }]);
  });
});

describe("[C-11.68] leases are given up as soon as the database is back", () => {
  const away = () => Promise.reject(Object.assign(new Error("away"), { code: "unavailable" }));

  it("by a slice that could not write its outcomes", async () => {
    const { deliveries, queue, calls } = stage();
    queue.settle = away;
    const { release } = queue;
    let tries = 0;
    queue.release = (...released) => {
      tries += 1;
      return tries < 3 ? away() : release(...released);
    };
    await deliveries.work(lease);
    expect([tries, calls]).toEqual([3, [{ name: "release", with: { now: NOW, not_before: null } }]]);
  });

  it("of a claim whose answer was lost", async () => {
    const { deliveries, queue, calls } = stage();
    let claimed = "";
    queue.claim = (claim) => {
      claimed = claim.lease;
      return away();
    };
    await expect(deliveries.claim(8)).rejects.toThrow("away");
    await expect.poll(() => calls).toEqual([{ name: "withdraw", with: claimed }]);
  });

  it("but not after a defect, which would only come again", async () => {
    const { deliveries, queue, calls } = stage();
    queue.settle = () => Promise.reject(new Error("a defect"));
    await deliveries.work(lease);
    expect(calls).toEqual([]);
  });
});

it("[C-11.90] unproven endpoints have half of the places; of each kind it is known how many places a tenant uses", async () => {
  const { deliveries, queue, calls } = stage({ waiting: 0 });
  const leased = [false, false, true].map((is_proven) => ({ ...lease, is_proven }));
  queue.claim = async (claim) => {
    calls.push({ name: "claim", with: claim });
    return leased;
  };
  const first = await deliveries.claim(8);
  await deliveries.claim(5);
  await deliveries.claim(1);
  for (const each of first) await deliveries.work(each);
  queue.claim = async (claim) => {
    calls.push({ name: "claim", with: claim });
    return [];
  };
  await deliveries.claim(8);
  const used = (proven: number, unproven: number) => ({
    proven: { [TENANT]: proven },
    unproven: { [TENANT]: unproven },
  });
  expect(calls.filter(({ name }) => name === "claim").map((call) => call.with)).toMatchObject([
    { limit: 8, unproven: 4, used: { proven: {}, unproven: {} }, except_tenants: [] },
    { limit: 5, unproven: 2, used: used(1, 2) },
    { limit: 1, unproven: 0, used: used(2, 4) },
    { limit: 8, unproven: 0, used: used(2, 4) },
  ]);
});

describe("[C-11.90] who gets the next place", () => {
  const [slow, silent, honest] = ["slow.test", "silent.test", "honest.test"];

  /** A server with 16 places; receivers answer at once, or, once they `hang`, when the test lets them. */
  function server() {
    let now = NOW;
    const clock = () => now;
    const log = createMemoryEventStore(clock);
    const { endpoints, queue } = createMemoryWebhookStores(log);
    const hanging = new Map<string, (answer: WebhookAnswer) => void>();
    let [ids, running] = [0, 0];
    const newId = () => `0198a000-0000-7000-8000-${String(++ids).padStart(12, "0")}` as Uuid;
    const ended = () => new Promise((resolve) => setTimeout(resolve, 5));
    let hangs: readonly string[] = [];
    const deliveries = createDeliveries({
      queue,
      runtime: { clock, newId, vault: { open: async (sealed: string) => sealed } as never },
      keys: { signing: () => [] },
      post: async ({ url }) =>
        hangs.includes(new URL(url).host) ? new Promise((answer) => hanging.set(newId(), answer)) : delivered,
      exceptTenants: async () => [],
      places: 16,
      leaseMs: 1_000_000,
      userAgent: "wealth-connect/1",
      chance: () => 0.5,
    });
    return {
      hang(...tenants: readonly string[]) {
        hangs = tenants;
      },
      async add(tenant: string, count: number) {
        for (let made = 0; made < count; made += 1) {
          const settings = { url: `https://${tenant}/`, types: ["*"], labels: {}, description: null };
          const made = { endpoint_id: newId(), is_enabled: true, created_at: now, sealed_secret: "whsec_AAAA" };
          await endpoints.create(tenant, { ...settings, ...made }, 20, { at: now } as never);
        }
      },
      async removeAll(tenant: string) {
        for (const { endpoint_id } of await endpoints.list(tenant))
          await endpoints.remove(tenant, endpoint_id, now, { at: now } as never);
      },
      async happens(...tenants: readonly string[]) {
        for (const tenant of tenants)
          await log.append(tenant, [{ type: "grant.ended", object_id: "g", data: {} as never }]);
        await log.number({ logs: 10, limit: 100 });
      },
      /** Starts what may be started; resolves to the number of places that each tenant got. */
      async claim() {
        const got: Record<string, number> = {};
        for (const each of await deliveries.claim(16 - running)) {
          got[each.tenant_id] = (got[each.tenant_id] ?? 0) + 1;
          running += 1;
          void deliveries.work(each).finally(() => {
            running -= 1;
          });
        }
        await ended();
        return got;
      },
      /** Every hanging receiver answers, this late. */
      async answerAll(answer: WebhookAnswer) {
        now = new Date(now.getTime() + answer.ms);
        for (const [id, end] of hanging) {
          hanging.delete(id);
          end(answer);
        }
        await ended();
      },
    };
  }

  async function attacked() {
    const here = server();
    await here.add(honest, 1);
    await here.happens(honest);
    await here.claim();
    for (const tenant of [slow, silent]) await here.add(tenant, 20);
    return here;
  }

  it.each([
    ["answer late", { ...delivered, ms: 14_000 }, false],
    ["never answer", { ...refused, status: null, error: "timeout", ms: 15_000 }, false],
    ["are made anew each time", { ...refused, status: null, error: "timeout", ms: 15_000 }, true],
  ] as const)(
    "20 endpoints each of two tenants that %s leave others a place of each kind",
    async (_, answer, isAnew) => {
      const here = await attacked();
      here.hang(slow, silent);
      for (let round = 0; round < 3; round += 1) {
        await here.happens(slow, silent);
        const places = Object.values(await here.claim());
        expect([Math.max(...places) <= 3, places.length]).toEqual([true, 2]);
        await here.happens(honest);
        expect(await here.claim()).toMatchObject({ [honest]: 1 });
        const newcomer = `newcomer${round}.test`;
        await here.add(newcomer, 1);
        await here.happens(newcomer);
        expect(await here.claim()).toMatchObject({ [newcomer]: 1 });
        for (const tenant of isAnew ? [slow, silent] : []) {
          await here.removeAll(tenant);
          await here.add(tenant, 20);
          await here.happens(tenant);
        }
        await here.answerAll(answer);
      }
    },
  );

  it("20 endpoints each of two tenants that were proven and all hang at once leave others a place", async () => {
    const here = await attacked();
    for (let round = 0; round < 20; round += 1) {
      await here.happens(slow, silent);
      await here.claim();
    }
    here.hang(slow, silent);
    await here.happens(slow, silent);
    expect(await here.claim()).toEqual({ [slow]: 6, [silent]: 5 });
    await here.happens(honest);
    expect(await here.claim()).toEqual({ [honest]: 1 });
  });
});
