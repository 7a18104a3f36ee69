import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * All addresses of a host by the name servers of the system, or by these. Nothing when it has none, or when none of them answers
 * within two seconds of its own; rejects once the signal aborts.
 *
 * It asks the network directly (c-ares). `dns.lookup` would occupy one of the few threads of this process for as long as a name
 * server keeps silent, and a stranger who picks the names could stop every other look-up, those of the database included. Names
 * that only `/etc/hosts` knows are not found: none of them is on the public internet.
 */
export async function resolveHost(
  host: string,
  signal: AbortSignal,
  nameServers?: readonly string[],
): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: ANSWER_MILLISECONDS, tries: 1 });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    return answers.flatMap((answer, index) =>
      answer.status === "rejected" ? [] : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
    );
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

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

const ANSWER_MILLISECONDS = 2000;
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Azure's, which lies among public addresses. Others are in networks that are refused: 169.254.169.254, 100.100.100.200 … */
const METADATA_OF_CLOUDS: ReadonlySet<string> = new Set(["168.63.129.16"]);
