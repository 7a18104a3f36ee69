import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { isPublicAddress } from "@org/http";
import ipaddr from "ipaddr.js";

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
