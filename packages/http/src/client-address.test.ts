import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { addressNetworks, addressPrefix, clientAddress, ipAddressOf, networkOf } from "./client-address.js";

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
  [1, "<b>operator at console</b>", null],
  ["10.0.0.0/8", "198.51.100.1, 203.0.113.9:1234", "203.0.113.9"],
  ["loopback, 2001:db8::/32, 10.0.0.0/255.255.0.0", "198.51.100.1, 203.0.113.9:1234", "203.0.113.9"],
  [true, "198.51.100.1, 203.0.113.9", "198.51.100.1"],
  [true, "unknown", null],
] as const)("[C-1.17] TRUST_PROXY=%s, X-Forwarded-For: %s: the client is at %j", (trustProxy, forwarded, address) => {
  expect(clientAddress(trustProxy)(request(forwarded))).toBe(address);
});

it("a socket without an address has none", () => {
  const closed = { headers: {}, socket: {} } as unknown as IncomingMessage;
  expect(clientAddress(undefined)(closed)).toBeNull();
});

it.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["203.0.113.255", "203.0.113.0/24"],
  ["::ffff:203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["fe80::1%br-1", "unknown"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0::/64"],
  ["203.0.113.7:1234", "203.0.113.0/24"],
  ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
  ["[::ffff:203.0.113.7]:1", "203.0.113.0/24"],
  ["203.0.113.7:", "unknown"],
  ["", "unknown"],
  ["::ffff:cb00:7107", "203.0.113.0/24"],
  ["unix:", "unknown"],
  ["300.1.1.1", "unknown"],
])("[C-9.13] guesses from %j are counted for %s", (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix);
});

it.each([
  ["203.0.113.7", 16, 32, "203.0.0.0/16"],
  ["203.0.113.7", 20, 32, "203.0.112.0/20"],
  ["2001:db8:1:2ff::1", 24, 56, "2001:db8:1:200::/56"],
  ["2001:db8:1:2ff::1", 24, 48, "2001:db8:1::/48"],
  ["2001:db8:1:2ff::1", 24, 32, "2001:db8::/32"],
  ["unix:", 16, 32, "unknown"],
])("the network of %j with %i or %i bits is %s", (address, ipv4, ipv6, network) => {
  expect(addressPrefix(address, { ipv4, ipv6 })).toBe(network);
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:1234", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["2001:db8::1:443", "2001:db8::1:443"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1", null],
  ["300.1.1.1:1", null],
  ["<b>operator</b>", null],
  ["unknown", null],
  ["", null],
])("[security.md] the IP address in %j is %j", (text, address) => expect(ipAddressOf(text)).toBe(address));

it.each([
  ["203.0.113.7", ["203.0.113.0/24", "203.0.0.0/16"]],
  ["::ffff:203.0.113.7", ["203.0.113.0/24", "203.0.0.0/16"]],
  ["2001:db8:1:2a3b::1", ["2001:db8:1:2a3b::/64", "2001:db8:1:2a00::/56", "2001:db8:1::/48"]],
  ["2001:db8::1", ["2001:db8:0:0::/64", "2001:db8:0:0::/56", "2001:db8:0::/48"]],
  ["unix:", ["unknown"]],
  [null, ["unknown"]],
])("[scale.md] %j lies in the networks %j", (address, networks) => expect(addressNetworks(address)).toEqual(networks));

it("[C-9.13] guesses from nowhere are counted together", () => expect(addressPrefix(null)).toBe("unknown"));

it.each([
  ["203.0.113.9", "203.0.113.0/24"],
  ["::ffff:203.0.113.9", "203.0.113.0/24"],
  ["2001:db8:1:2:3::4", "2001:db8:1::/48"],
  [null, "unknown"],
])("[C-9.454] unproven callers from %s take turns with those of %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
