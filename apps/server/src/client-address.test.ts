import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { clientAddress } from "./client-address.js";

function request(forwarded: string | undefined): IncomingMessage {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return { headers, socket: { remoteAddress: "10.0.0.1" } } as unknown as IncomingMessage;
}

it.each([
  [undefined, "198.51.100.1", "10.0.0.1"],
  [1, undefined, "10.0.0.1"],
  [1, "198.51.100.1", "198.51.100.1"],
  [1, "198.51.100.1, 203.0.113.9:1234", "203.0.113.9"],
  [1, "[2001:db8::1]:443", "2001:db8::1"],
  [1, "<b>operator at console</b>", ""],
  ["10.0.0.0/8", "198.51.100.1, 203.0.113.9:1234", "203.0.113.9"],
  [true, "198.51.100.1, 203.0.113.9", "198.51.100.1"],
  [true, "unknown", ""],
] as const)("[C-1.17] TRUST_PROXY=%s, X-Forwarded-For: %s: the client is at %j", (trustProxy, forwarded, address) => {
  expect(clientAddress(trustProxy)(request(forwarded))).toBe(address);
});

it("a socket without an address has none", () => {
  const closed = { headers: {}, socket: {} } as unknown as IncomingMessage;
  expect(clientAddress(undefined)(closed)).toBe("");
});
