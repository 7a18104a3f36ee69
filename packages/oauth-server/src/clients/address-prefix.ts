import { isIPv4, isIPv6 } from "node:net";

/**
 * The network that guesses are counted for: /24 of IPv4, /64 of IPv6, since one household or host can use any address in it.
 * IPv4-mapped IPv6 counts as IPv4; what is no address is one network of its own.
 */
export function addressPrefix(address: string): string {
  const [plain = ""] = address.split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain;
  if (isIPv4(mapped)) return `${mapped.split(".").slice(0, 3).join(".")}.0/24`;
  if (isIPv6(plain)) return `${firstGroups(plain).join(":")}::/64`;
  return "unknown";
}

function firstGroups(address: string): readonly string[] {
  const [head = "", tail] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : Math.max(8 - before.length - after.length, 0);
  const groups = [...before, ...Array<string>(missing).fill("0"), ...after].slice(0, 4);
  return groups.map((group) => (group.includes(".") ? "0" : Number.parseInt(group, 16).toString(16)));
}
