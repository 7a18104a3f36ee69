import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether an IP address is one host on the public internet: no private, local, shared, multicast or documentation network, and
 * none that is translated to IPv4 on the way. An IPv4-mapped address counts as what it maps to. What clouds tell their own
 * machines about themselves is private too, wherever its address comes from.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (METADATA_OF_CLOUDS.has(parsed.toString())) return false;
  if (parsed.range() !== "unicast") return false;
  // Of IPv6 only 2000::/3 has been given out (RFC 4291 §2.4); what lies outside could come to mean anything.
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST);
}

const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Azure's, which lies among public addresses. Others are in networks that are refused: 169.254.169.254, 100.100.100.200 … */
const METADATA_OF_CLOUDS: ReadonlySet<string> = new Set(["168.63.129.16"]);
