import { randomBytes } from "node:crypto";
import type { Keyring } from "@org/keyring";
import type { ServerKeys } from "@org/storage-postgres";

/** The installation's own keys: independent of ENCRYPTION_KEYS and stored wrapped under them, so that rotating those invalidates nothing (contract §9). */
export interface InstallationKeys {
  /** Hashes of client secrets and refresh tokens. */
  readonly secretHash: Uint8Array;
  /** MCP session ids. */
  readonly mcpSession: Uint8Array;
  /** Identities of bank users, page tokens. */
  readonly identity: Uint8Array;
}

/** Loads the installation's keys, making each once; of replicas that start together all get the same. */
export async function loadInstallationKeys(store: ServerKeys, keyring: Keyring): Promise<InstallationKeys> {
  const load = async (name: string) => {
    const context = { purpose: "server-key", row: name };
    const sealed = await store.loadOrCreate(name, () => keyring.seal(randomBytes(32).toString("base64"), context));
    return Buffer.from(await keyring.open(sealed, context), "base64");
  };
  return {
    secretHash: await load("secret-hash"),
    mcpSession: await load("mcp-session"),
    identity: await load("identity"),
  };
}
