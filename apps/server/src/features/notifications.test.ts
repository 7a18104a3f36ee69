import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Storage } from "@org/core";
import { createTestRuntime } from "@org/core/testing";
import type { NotifyRequest } from "@org/provider-kit";
import type { ProviderRegistry } from "@org/provider-registry";
import express from "express";
import { afterEach, expect, it } from "vitest";
import { notifications } from "./notifications.js";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Receives notifications for one provider, whose clock stands still. */
async function receiver(notify: (request: NotifyRequest) => Promise<unknown>) {
  const lines: unknown[] = [];
  const note = (...line: unknown[]) => lines.push(line);
  const log = { info: note, warn: note, error: note, debug: note };
  const { routes } = notifications({
    storage: { refreshQueue: { expedite: async () => 1 } } as unknown as Storage,
    runtime: createTestRuntime(),
    clock: () => new Date("2026-03-10T18:00:00Z"),
    log: log as never,
    providers: {
      has: (name: string) => name === "bank",
      for: () => ({ name: "bank", notify }),
      ownOf: () => null,
      owners: () => [],
    } as unknown as ProviderRegistry,
  });
  const app = express();
  if (routes) app.use(routes.handle as express.Handler);
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/providers/bank/notifications`;
  const send = async (query = "") => (await fetch(url + query, { method: "POST", body: "x" })).status;
  return { send, lines };
}

it("[C-5.66] a tenant that is none is unknown, and no failure of ours", async () => {
  const { send, lines } = await receiver(async () => ({ kind: "unverified" }));
  for (const query of [
    "?tenant=nobody",
    "?tenant=",
    "?tenant=a&tenant=b",
    "?tenant=%00",
    `?tenant=${"a".repeat(5_000)}`,
    `?tenant=${crypto.randomUUID()}`,
  ])
    expect(await send(query)).toBe(404);
  expect(lines).toEqual([]);
});

it.each([
  ["cannot be verified", async () => ({ kind: "unverified" }), 401, 0],
  ["make a provider fail", () => Promise.reject(new RangeError("of other length")), 503, 600],
])(
  "[C-5.66] a network's notifications that %s are 600 a minute",
  { timeout: 120_000 },
  async (_, notify, status, logged) => {
    const { send, lines } = await receiver(notify);
    for (let sent = 0; sent < 600; sent += 1) expect(await send()).toBe(status);
    expect(await send()).toBe(429);
    expect(lines).toHaveLength(logged);
  },
);
