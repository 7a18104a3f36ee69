import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { isPublicAddress } from "./host-addresses.js";

/** For a look-up whose connection has no shorter time. */
const LOOKUP_MS = 15_000;

/** Which addresses a server connects to when strangers name the hosts. */
export interface AddressRule {
  /** On the public internet, or in one of the networks that the operator allows. */
  mayReach(address: string): boolean;
  /** Without TLS: of this machine only, where the operator allows that. */
  mayReachInClear(address: string): boolean;
}

/** What `localhost` and the names below it lead to: no name server is to say where this machine is (RFC 6761 §6.3). Null for other hosts. */
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
    // An IPv4-mapped address is what it maps to.
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
 * The `lookup` of a connection: it looks a host up, and lets the connection go only to what was found then. One address that is not allowed
 * refuses them all. What it fails with is a {@link LookupError}.
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

/** Why a host leads nowhere that may be connected to. */
export class LookupError extends Error {
  override readonly name = "LookupError";

  constructor(readonly code: "host_not_found" | "address_not_allowed") {
    super(code);
  }
}
