import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "./host-addresses.js";

/** Limit for a look-up when the connection has no shorter timeout. */
const LOOKUP_MS = 15_000;

/** Which addresses a server may connect to when an outside party chooses the host. */
export interface AddressRule {
  /** True for addresses on the public internet or in a network that the operator allows. */
  mayReach(address: string): boolean;
  /** Whether plain text without TLS is allowed: only to this machine, if the operator allows loopback. */
  mayReachInClear(address: string): boolean;
}

/** Returns the addresses of `localhost` and its subdomains without asking a name server (RFC 6761 §6.3). Null for other hosts. */
export function loopbackOf(host: string): readonly LookupAddress[] | null {
  return /(^|\.)localhost\.?$/i.test(host) ? LOOPBACK : null;
}

const LOOPBACK: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** @param privateNetworks CIDR blocks that are allowed besides the public internet */
export function addressRule(privateNetworks: readonly string[]): AddressRule {
  const networks = privateNetworks.map((block) => ipaddr.parseCIDR(block));
  const mayReach = (address: string): boolean => {
    if (isPublicAddress(address)) return true;
    if (isIP(address) === 0) return false;
    // An IPv4-mapped address is treated as the IPv4 address.
    const parsed = ipaddr.process(address);
    return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
  };
  return {
    mayReach,
    mayReachInClear: (address) =>
      mayReach(address) && isIP(address) !== 0 && ipaddr.process(address).range() === "loopback",
  };
}

/**
 * Makes the `lookup` of a connection. It resolves the host and allows only the addresses found then; one forbidden address refuses them
 * all. It fails with a {@link LookupError}.
 */
export function checkedLookup(
  lookup: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>,
  mayReach: AddressRule["mayReach"],
): LookupFunction {
  return (host, { all }, done) => {
    addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) done(new LookupError("host_not_found"), "");
        else if (!addresses.every(({ address }) => mayReach(address))) done(new LookupError("address_not_allowed"), "");
        else if (all) done(null, [...addresses]);
        else done(null, first.address, first.family);
      },
      () => done(new LookupError("host_not_found"), ""),
    );
  };

  async function addressesOf(host: string): Promise<readonly LookupAddress[]> {
    const loopback = loopbackOf(host);
    if (loopback === null) return lookup(host, AbortSignal.timeout(LOOKUP_MS));
    const allowed = loopback.filter(({ address }) => mayReach(address));
    return allowed.length > 0 ? allowed : loopback;
  }
}

/** Why a host cannot be connected to. */
export class LookupError extends Error {
  override readonly name = "LookupError";

  constructor(readonly code: "host_not_found" | "address_not_allowed") {
    super(code);
  }
}
