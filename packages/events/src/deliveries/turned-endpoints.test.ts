import type { Uuid } from "@org/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DeliveryOutcome, DeliveryQueue, EndpointLease } from "../ports/delivery-queue.js";
import { createDeliveries } from "./deliveries.js";
import type { WebhookAnswer } from "./post-webhook.js";

const PLACES = 8;
const NOW = new Date("2026-03-01T12:00:00Z");
const idOf = (index: number) => `0198a000-0000-7000-8000-${String(index).padStart(12, "0")}` as Uuid;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("[C-9.570] proven endpoints that hang leave their places after a second, half of them to attempts that go on", async () => {
  const leases = Array.from(
    { length: PLACES },
    (_, index): EndpointLease => ({
      tenant_id: idOf(index),
      endpoint_id: idOf(index),
      lease: "lease",
      url: "https://receiver.example/",
      sealed_secrets: ["whsec_AAAA"],
      failing_since: null,
      is_proven: true,
    }),
  );
  const claims: Parameters<DeliveryQueue["claim"]>[0][] = [];
  const settled: { outcomes: readonly DeliveryOutcome[]; is_proven: boolean }[] = [];
  const queue: Partial<DeliveryQueue> = {
    claim: async (claim) => {
      claims.push(claim);
      return leases;
    },
    due: async ({ tenant_id }) => [
      {
        delivery_id: idOf(1),
        attempts: 0,
        event: {
          id: idOf(1),
          created_at: "2026-03-01T12:00:00Z",
          tenant_id,
          sequence: 1,
          type: "grant.ended",
          data: {},
        },
      },
    ],
    settle: async (_lease, outcome) => settled.push(outcome) > 0,
    renew: async () => true,
    release: async () => undefined,
  };
  const answers: (() => void)[] = [];
  const answer: WebhookAnswer = { status: 204, error: null, answer: null, retry_after_ms: null, ms: 14_000 };
  const deliveries = createDeliveries({
    queue: queue as DeliveryQueue,
    runtime: { clock: () => NOW, newId: () => idOf(1), vault: { open: async (sealed: string) => sealed } as never },
    keys: { signing: () => [] },
    post: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ...answer, status: null, error: "cut_off", ms: 1_000 }));
        answers.push(() => resolve(answer));
      }),
    exceptTenants: async () => [],
    places: PLACES,
    leaseMs: 60_000,
    userAgent: "wealth-connect/1",
    chance: () => 0.5,
  });
  const work = (await deliveries.claim(PLACES)).map((lease) => deliveries.work(lease));
  await vi.advanceTimersByTimeAsync(900);
  expect([answers.length, settled.length]).toEqual([PLACES, 0]);
  await vi.advanceTimersByTimeAsync(200);
  expect(settled.map(({ is_proven, outcomes }) => [is_proven, outcomes[0]?.state, outcomes[0]?.error])).toEqual(
    Array.from({ length: PLACES / 2 }, () => [false, "pending", "timeout"]),
  );
  await deliveries.claim(PLACES / 2);
  const held = (uses: Readonly<Record<string, number>> = {}) => Object.values(uses).filter((places) => places >= 1);
  const { used, unproven } = claims.at(-1) as (typeof claims)[number];
  expect([held(used.proven).length, held(used.unproven).length, unproven]).toEqual([0, PLACES / 2, 0]);
  for (const end of answers) end();
  await Promise.all(work);
  expect(settled.slice(PLACES / 2).map(({ is_proven, outcomes }) => [is_proven, outcomes[0]?.state])).toEqual(
    Array.from({ length: PLACES / 2 }, () => [false, "delivered"]),
  );
});
