import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";

/**
 * Which proxies are trusted, as in express's `trust proxy`: a number of hops, networks separated by commas, all (`true`) or none
 * (`false` or left out).
 */
export type TrustProxy = string | number | boolean | undefined;

/** Finds the client's IP address; null when there is none, for example when a proxy forwards arbitrary text from the client. */
export function clientAddress(trustProxy: TrustProxy): (request: IncomingMessage) => string | null {
  const trust = trustFunction(trustProxy);
  return (request) =>
    request.socket.remoteAddress === undefined
      ? null
      : ipAddressOf(trust ? proxyAddr(request, trust) : request.socket.remoteAddress);
}

/**
 * Returns the IP address in a text that names a request's origin; null when there is none. Some proxies, such as Azure's gateway,
 * append the port: `203.0.113.9:1234`, `[2001:db8::1]:443`. It changes with each connection and is dropped.
 */
export function ipAddressOf(text: string): string | null {
  if (isIPv4(text)) return text;
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  // IPv6 zones (RFC 4007) are names, and Node accepts more of them than ipaddr.js does.
  return isIP(address) === 0 || !ipaddr.isValid(address) ? null : address;
}

/**
 * Returns the network that attempts are counted for: /24 of IPv4, /64 of IPv6, since one household or host can use any address in it.
 * Other lengths can be given, in bits. IPv4-mapped IPv6 counts as IPv4. Anything that is not an address belongs to one network, `unknown`.
 */
export function addressPrefix(
  address: string | null,
  { ipv4, ipv6 }: { readonly ipv4: number; readonly ipv6: number } = { ipv4: 24, ipv6: 64 },
): string {
  const known = address === null ? null : ipAddressOf(address);
  if (known === null) return "unknown";
  const parsed = ipaddr.process(known);
  if (parsed instanceof ipaddr.IPv4) return `${masked(parsed.octets, 8, ipv4).join(".")}/${ipv4}`;
  const groups = masked(parsed.parts, 16, ipv6).slice(0, Math.ceil(ipv6 / 16));
  return `${groups.map((group) => group.toString(16)).join(":")}::/${ipv6}`;
}

/**
 * Returns the network whose callers share one queue until they have proven who they are: /24 of IPv4, and /48 of IPv6, which is what one
 * customer of a provider has at most.
 */
export function networkOf(address: string | null): string {
  return addressPrefix(address, { ipv4: 24, ipv6: 48 });
}

/** Keeps the first `bits` bits of an address given in parts of `size` bits. */
function masked(parts: readonly number[], size: number, bits: number): number[] {
  return parts.map((part, index) => {
    const dropped = Math.min(Math.max((index + 1) * size - bits, 0), size);
    return (part >> dropped) << dropped;
  });
}

/**
 * Returns the networks that contain an address, starting with the narrowest, its {@link addressPrefix}: /24 and /16 of IPv4; /64, /56 and
 * /48 of IPv6, because one customer of a provider may have that much. Anything that is not an address is in `unknown` alone.
 */
export function addressNetworks(address: string | null): readonly string[] {
  const narrowest = addressPrefix(address);
  const known = address === null ? null : ipAddressOf(address);
  if (known === null) return [narrowest];
  const parsed = ipaddr.process(known);
  if (parsed instanceof ipaddr.IPv4) return [narrowest, `${parsed.octets.slice(0, 2).join(".")}.0.0/16`];
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  const site = [a, b, c].map((group) => group.toString(16)).join(":");
  return [narrowest, `${site}:${(d & 0xff00).toString(16)}::/56`, `${site}::/48`];
}

function trustFunction(setting: TrustProxy): ((address: string, hop: number) => boolean) | null {
  if (setting === undefined || setting === false) return null;
  if (setting === true) return () => true;
  if (typeof setting === "number") return (_address, hop) => hop < setting;
  return proxyAddr.compile(setting.split(",").map((part) => part.trim()));
}
