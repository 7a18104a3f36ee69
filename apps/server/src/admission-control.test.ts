import type { Exchange } from "@org/http";
import { expect, it, onTestFinished, vi } from "vitest";
import { createAdmissionControl } from "./admission-control.js";

function create() {
  return createAdmissionControl({
    config: { bodyBytesInFlight: 1, letterMaxBytes: 1, shedDelayMs: 0 },
    countMs: 60_000,
  });
}

function admission() {
  const { refusalOf, isHealthCheck } = create();
  /** A request that stays open until it is closed. */
  return (address: string, url = "/token") => {
    let close = () => {};
    const atClose = (work: () => void) => {
      close = work;
    };
    const route = { path: url, scopes: url === "/mcp" ? ["read"] : [] };
    const exchange = { request: { method: "POST", url, headers: {} }, atClose, address, route } as unknown as Exchange;
    const limit = isHealthCheck(exchange) ? null : (refusalOf(exchange, null)?.name ?? null);
    return { limit, close: () => close() };
  };
}

it("[C-9.75] requests that prove nothing are bounded at once, those of a network and of its neighbours in a /48 too", () => {
  const ask = admission();
  const held = Array.from({ length: 1_024 }, (_, index) => ask(`2001:db8:0:${(index % 100).toString(16)}::1`));
  expect(held.every(({ limit }) => limit === null)).toBe(true);
  expect(ask("2001:db8:0:ffff::1").limit).toBe("unproven_requests_of_network");
  expect(ask("2001:db8:0:ffff::1", "/mcp").limit).toBeNull();
  expect(ask("2001:db8:1::1").limit).toBeNull();
  held[0]?.close();
  expect(ask("2001:db8:0:ffff::1").limit).toBeNull();
});

it("[C-9.75] of all of them whoever has few gets in, whoever has many does not", () => {
  const ask = admission();
  for (let network = 0; network < 4; network += 1)
    for (let index = 0; index < 1_024; index += 1) expect(ask(`10.0.${network}.1`).limit).toBeNull();
  expect(ask("192.0.2.1").limit).toBeNull();
  expect(ask("10.0.1.1").limit).toBe("unproven_requests_of_network");
});

it("[C-9.75] health is always answered, and no way around the limits for whoever asks for it thousands of times", () => {
  // With the clock stopped, the bucket does not refill.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const ask = admission();
  for (let index = 0; index < 3_000 + 1_024; index += 1) expect(ask("192.0.2.1", "/healthz").limit).toBeNull();
  expect(ask("192.0.2.1", "/healthz").limit).toBe("unproven_requests_of_network");
  expect(ask("198.51.100.1", "/healthz").limit).toBeNull();
});

it("[C-9.75] nor do requests that are answered fill the log, when they come by the hundred from one network", () => {
  const { shouldLogIndividually, takeCounted } = create();
  const answered = { address: "192.0.2.1", kind: "200 /healthz", isRefused: false };
  const told = Array.from({ length: 650 }, () => shouldLogIndividually(answered)).filter(Boolean);
  expect(told).toHaveLength(600);
  expect(takeCounted(true)).toMatchObject([
    { isRefused: false, network: "192.0.2.0/24", kind: "200 /healthz", count: 50 },
  ]);
});
