import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Resolves all addresses of a host with the system's name servers, or with the given ones. Returns an empty list when there are none or
 * no server answers within two seconds. Rejects when the signal aborts.
 *
 * It queries the network directly (c-ares). `dns.lookup` would occupy one of the process's few threads for as long as a name
 * server keeps silent, so an outside party who chooses the names could block every other look-up, including the database's. Names
 * that only `/etc/hosts` has are not found; none of them is on the public internet.
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
 * Whether an IP address is a single host on the public internet: not in a private, local, shared, multicast or documentation network,
 * nor in one that is translated to IPv4 on the way. An IPv4-mapped address counts as the IPv4 address. The metadata addresses of
 * cloud providers count as private, wherever they are.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (METADATA_OF_CLOUDS.has(parsed.toString())) return false;
  if (parsed.range() !== "unicast") return false;
  // Only 2000::/3 of IPv6 is allocated (RFC 4291 §2.4). Anything outside it could get a meaning later.
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST);
}

const ANSWER_MILLISECONDS = 2000;
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
/** Azure's, which is a public address. The others are in refused networks: 169.254.169.254, 100.100.100.200 … */
const METADATA_OF_CLOUDS: ReadonlySet<string> = new Set(["168.63.129.16"]);
