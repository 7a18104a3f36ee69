import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createKeyring, type Keyring, parseKeyring } from "@org/keyring";
import type { SecretHashKey } from "@org/oauth-server";
import type { ServerKeys } from "@org/storage-postgres";
import type { Config } from "./config.js";

type KeySettings = Pick<Config, "dataDir" | "encryptionKeys">;

/**
 * The keyring of `ENCRYPTION_KEYS`. An embedded installation that has no keys yet gets its first one, in `DATA_DIR` (mode 0600).
 * @throws KeyringError when the keys are not usable
 */
export function keyringOf(config: KeySettings): Keyring {
  return createKeyring(parseKeyring(encryptionKeysOf(config)));
}

/** Where an embedded installation keeps its encryption keys. */
export function encryptionKeysFile({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "encryption-keys");
}

/**
 * A new entry for ENCRYPTION_KEYS, with an id that none of `keys` has: `k` and the next number.
 * @throws KeyringError when `keys` is not usable
 */
export function newEncryptionKey(keys: string): string {
  const numbers = parseKeyring(keys).map(({ id }) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return newKey(`k${Math.max(...numbers) + 1}`);
}

/**
 * Puts a new key first in the file of an embedded installation, which a server takes up at its next start. The file is replaced
 * as a whole. Returns the ids in the new order.
 * @throws KeyringError when the file does not hold usable keys
 */
export function addEncryptionKey(config: Pick<Config, "dataDir">): readonly string[] {
  const file = encryptionKeysFile(config);
  const before = readFileSync(file, "utf8").trim();
  const after = `${newEncryptionKey(before)},${before}`;
  const unfinished = `${file}.new`;
  const descriptor = openSync(unfinished, "w", 0o600);
  try {
    writeFileSync(descriptor, `${after}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, file);
  return parseKeyring(after).map(({ id }) => id);
}

function encryptionKeysOf(config: KeySettings): string {
  if (config.encryptionKeys !== undefined) return config.encryptionKeys;
  const file = encryptionKeysFile(config);
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${newKey("k1")}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
}

function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}

/**
 * The installation's own keys, 32 bytes each: independent of ENCRYPTION_KEYS and stored wrapped under them, so that rotating those
 * invalidates nothing (contract §9).
 */
export interface InstallationKeys {
  /** Hashes of client secrets and refresh tokens, as the authorization server takes them. */
  readonly secretHash: readonly SecretHashKey[];
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
    secretHash: [{ version: 1, key: await load("secret-hash") }],
    mcpSession: await load("mcp-session"),
    identity: await load("identity"),
  };
}
