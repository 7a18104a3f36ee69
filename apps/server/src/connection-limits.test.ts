import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { limitConnections } from "./connection-limits.js";

/** Connections to a server with these limits, and the limit that each exceeds. */
function connections(limits: { total: number; perAddress: number }, own: ReadonlySet<unknown> = new Set()) {
  const server = new EventEmitter();
  const limitOf = limitConnections(server as Server, limits, vi.fn(), (socket) => own.has(socket));
  return (remoteAddress: string, socket: object = new EventEmitter()) => {
    server.emit("connection", Object.assign(socket, { remoteAddress, destroy: vi.fn() }));
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
  const connect = connections({ total: 1, perAddress: 1 }, new Set([operator]));
  expect([connect("192.0.2.1"), connect("192.0.2.2"), connect("192.0.2.1", operator)]).toEqual([
    null,
    "connections",
    null,
  ]);
});
