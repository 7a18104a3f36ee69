import { createWebhookClient } from "@org/events";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type HostileBehaviour,
  type HostileReceiver,
  hostileBehaviours,
  startHostileReceiver,
} from "./hostile-receiver.js";

/** The client's result for each: status, error, and how many ms to wait if the receiver says so. */
const outcomes: Readonly<
  Record<HostileBehaviour, readonly [number | null, string | null, (number | "a day and more")?]>
> = {
  hangs: [null, "timeout"],
  "drips-its-headers": [null, "timeout"],
  "drips-its-body": [200, null],
  resets: [null, "connection_lost"],
  closes: [null, "connection_lost"],
  "answers-garbage": [null, "invalid_answer"],
  "redirects-to-metadata": [301, "redirect"],
  "redirects-to-private": [307, "redirect"],
  "fails-forever": [500, null],
  "asks-for-seconds": [429, null, 3_600_000],
  "asks-for-a-date": [503, null, "a day and more"],
  "asks-for-nonsense": [429, null],
  "is-unavailable": [503, null],
  "is-gone": [410, null],
  "answers-megabytes": [500, null],
  "takes-and-answers-megabytes": [200, null],
  "has-huge-headers": [null, "invalid_answer"],
  "breaks-kept-connections": [204, null],
  "never-shakes-hands": [null, "timeout"],
  "has-a-wrong-certificate": [null, "tls"],
};

let hostile: HostileReceiver;
const client = createWebhookClient({
  privateNetworks: ["127.0.0.0/8"],
  clock: () => new Date(),
  maxMs: 1_000,
  maxBodyMs: 200,
});
beforeAll(async () => {
  hostile = await startHostileReceiver();
});
afterAll(async () => {
  client.close();
  await hostile?.close();
});

const deliver = (way: HostileBehaviour) => {
  const headers = { "content-type": "application/json", "webhook-id": "one" };
  return client.post({ url: hostile.url(way), headers, body: "{}", signal: new AbortController().signal });
};

it.each(hostileBehaviours)(
  "[C-11.87] a delivery to a receiver that %s ends, with what can be said of it",
  async (way) => {
    const [status, error, wait = null] = outcomes[way];
    const { retry_after_ms, answer, ...ended } = await deliver(way);
    expect(ended).toMatchObject({ status, error });
    if (wait === "a day and more") expect(retry_after_ms).toBeGreaterThan(86_400_000);
    else expect(retry_after_ms).toBe(wait);
    expect(Buffer.byteLength(answer ?? "")).toBeLessThanOrEqual(1_024);
  },
);

it("a kept connection that breaks under a delivery costs at most that delivery", async () => {
  const statuses = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await deliver("breaks-kept-connections")).status);
  expect(statuses.filter((status) => status === 204).length).toBeGreaterThanOrEqual(2);
});
