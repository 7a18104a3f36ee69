import type { Connectors } from "../catalogue/connectors.js";
import { type ProviderDirectory, termsOf } from "../providers/provider-directory.js";

/** Says how customers of the banks log in. If one is omitted, nobody has a key. */
export interface LoginKinds {
  readonly connectors?: Pick<Connectors, "find">;
  readonly providers?: Pick<ProviderDirectory, "for">;
}

/**
 * Returns whether the customer of a connection connects it with a key that they made at the bank, instead of a login. A bank that is no
 * longer in the catalogue, or has no provider now, counts as one with a login.
 */
export async function usesKey(
  { connectors, providers }: LoginKinds,
  connectorId: string,
  tenantId: string,
): Promise<boolean> {
  const connector = providers && (await connectors?.find(connectorId));
  return connector ? termsOf(providers, connector, tenantId)?.howTo !== undefined : false;
}
