import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { limitConnections } from "./connection-limits.js";

/** Connections to a server with these limits, and the limit that each exceeds. */
function connections(limits: { total: number; perAddress: number | null }, own: ReadonlySet<unknown> = new Set()) {
  const server = new EventEmitter();
  const limitOf = limitConnections(server as Server, limits, vi.fn(), (socket) => own.has(socket));
  return (remoteAddress: string, socket: object = new EventEmitter()) => {
    server.emit("connection", Object.assign(socket, { remoteAddress, destroy: vi.fn() }));
    if (vi.mocked((socket as Socket).destroy).mock.calls.length > 0) return "closed";
    return limitOf(socket as Socket)?.name ?? null;
  };
}

it("[C-9.77] a host with an IPv6 /64 has no more connections than one with an IPv4 address", () => {
  const connect = connections({ total: 100, perAddress: 2 });
  expect(["2001:db8::1", "2001:db8::2", "2001:db8::3"].map((address) => connect(address))).toEqual([
    null,
    null,
    "connections_per_address",
  ]);
  expect(connect("2001:db8:0:1::1")).toBeNull();
  expect(["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.1"].map((address) => connect(address))).toEqual([
    null,
    null,
    "connections_per_address",
  ]);
  expect(connect("192.0.2.2")).toBeNull();
});

it("[C-9.77] whoever comes over an address of the operator's own gets in, however many connections there are", () => {
  const operator = new EventEmitter();
  const connect = connections({ total: 2, perAddress: 1 }, new Set([operator]));
  expect([connect("192.0.2.1"), connect("192.0.2.2"), connect("192.0.2.1", operator)]).toEqual([
    null,
    "connections",
    null,
  ]);
});

it.each([
  ["nine addresses of one /24", (n: number) => `192.0.2.${n % 9}`],
  ["nine /64s of one /48", (n: number) => `2001:db8:7:${n % 9}::1`],
])("[C-9.516] %s have half of all connections, and other networks still get one", (_name, addressOf) => {
  const connect = connections({ total: 8_192, perAddress: 1_024 });
  const outcomes: Record<string, number> = {};
  for (let n = 0; n < 9_000; n += 1) {
    const outcome = String(connect(addressOf(n)));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  expect(outcomes).toEqual({ null: 4_096, connections: 32, closed: 9_000 - 4_096 - 32 });
  for (let n = 0; n < 60; n += 1) expect(connect(`198.51.${n}.1`)).toBeNull();
});

it("[C-9.516] a connection that closes makes room, and behind a proxy all of them are its clients'", () => {
  const connect = connections({ total: 4, perAddress: null });
  const first = new EventEmitter();
  expect([connect("192.0.2.1", first), ...[2, 3, 4, 5].map(() => connect("192.0.2.1"))]).toEqual([
    ...[null, null, null, null],
    "connections",
  ]);
  first.emit("close");
  expect(connect("192.0.2.1")).toBeNull();
});
