import type { VaultContext } from "../ports/vault.js";

/** Context under which a connection's access is sealed. */
export function accessContext(connectionId: string): VaultContext {
  return { purpose: "connection-access", row: connectionId };
}
