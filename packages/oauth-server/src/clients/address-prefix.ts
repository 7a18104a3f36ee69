import { isIP, isIPv4, isIPv6 } from "node:net";

/**
 * The network that guesses are counted for: /24 of IPv4, /64 of IPv6, since one household or host can use any address in it.
 * IPv4-mapped IPv6 counts as IPv4; what is no address is one network of its own.
 */
export function addressPrefix(address: string): string {
  const [plain = ""] = (ipAddressOf(address) ?? "").split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
  if (isIPv4(mapped)) return `${mapped.split(".").slice(0, 3).join(".")}.0/24`;
  if (isIPv6(plain)) return `${firstGroups(plain).join(":")}::/64`;
  return "unknown";
}

/**
 * The IP address in what names where a request came from; null when there is none. Some proxies, as Azure's gateway, write the
 * port along: `203.0.113.9:1234`, `[2001:db8::1]:443`. It changes with each connection, and is dropped.
 */
export function ipAddressOf(text: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  return isIP(address) === 0 ? null : address;
}

function firstGroups(address: string): readonly string[] {
  const [head = "", tail] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(8 - before.length - after.length, 0);
  const groups = [...before, ...Array<string>(missing).fill("0"), ...after].slice(0, 4);
  return groups.map((group) => (group.includes(".") ? "0" : Number.parseInt(group, 16).toString(16)));
}
