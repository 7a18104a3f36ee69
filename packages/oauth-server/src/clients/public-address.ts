import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether an IP address is one host on the public internet: no private, local, shared, multicast or documentation network, and
 * none that is translated to IPv4 on the way. An IPv4-mapped address counts as what it maps to.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // Of IPv6 only 2000::/3 has been given out (RFC 4291 §2.4); what lies outside could come to mean anything.
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
