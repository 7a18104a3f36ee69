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
    const route = { path: url, methods: ["POST"], scopes: url === "/mcp" ? ["read"] : [] };
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
  for (let index = 0; index < 50 + 1_024; index += 1) expect(ask("192.0.2.1", "/healthz").limit).toBeNull();
  expect(ask("192.0.2.1", "/healthz").limit).toBe("unproven_requests_of_network");
  expect(ask("198.51.100.1", "/healthz").limit).toBeNull();
});

it("[C-9.463] health is answered to so many a second in all, and to a network of /48 like to one", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { isHealthCheck } = create();
  const healthOf = (address: string, method = "GET") =>
    isHealthCheck({
      request: { method },
      route: { path: "/healthz", methods: ["GET"] },
      address,
    } as unknown as Exchange);
  const answered = (networks: number, addressOf: (network: number, index: number) => string) =>
    Array.from({ length: networks * 60 }, (_, index) => healthOf(addressOf(index % networks, index))).filter(Boolean)
      .length;
  expect(healthOf("192.0.2.1", "POST")).toBe(false);
  expect(answered(1, (_, index) => `2001:db8:7:${index}::1`)).toBe(50);
  expect(answered(40, (network) => `10.0.${network}.1`)).toBe(150);
  vi.setSystemTime(Date.now() + 1_000);
  expect(healthOf("10.0.0.1")).toBe(true);
});

/** Sends requests with a token one after another; each result is whose share the next such request would use. */
function askWith(authorization: string) {
  const { shareOf, refusalOf } = create();
  const request = { method: "POST", headers: { authorization } };
  return (scopes: string[], statusCode: number, tenant: string | null, address = "192.0.2.1") => {
    let close = () => {};
    const exchange = {
      request,
      response: { statusCode },
      route: { path: "/mcp", scopes },
      address,
      principal: tenant === null ? null : { tenant_id: tenant },
      atClose: (work: () => void) => {
        const before = close;
        close = () => {
          before();
          work();
        };
      },
    } as unknown as Exchange;
    expect(refusalOf(exchange, null)).toBeNull();
    close();
    return shareOf(exchange);
  };
}

it("[C-9.463] a token names its tenant until the token is refused, and only where the token has proven it", () => {
  const ask = askWith("Bearer one");
  expect(ask([], 200, "tenant")).toMatchObject({ isKnown: false });
  expect(ask(["scope"], 200, "tenant")).toEqual({ name: "tenant", isKnown: true });
  expect(ask(["scope"], 401, null)).toMatchObject({ isKnown: false });
});

it("[C-3.69] a bound token names its tenant only for the network that has proven its key", () => {
  const ask = askWith("DPoP one");
  const tenants = { name: "tenant", isKnown: true };
  expect(ask(["scope"], 200, "tenant")).toEqual(tenants);
  expect(ask(["scope"], 401, null, "198.51.100.1")).toMatchObject({ isKnown: false });
  expect(ask([], 200, null)).toEqual(tenants);
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
