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
import { parseKeyring } from "@org/keyring";
import type { Config } from "./config.js";

/** The text of ENCRYPTION_KEYS: from the environment, or, for an embedded installation, generated once into `DATA_DIR` (mode 0600). */
export function encryptionKeysOf(config: Config): string {
  if (config.encryptionKeys !== undefined) return config.encryptionKeys;
  const file = encryptionKeysFile(config);
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${newKey("k1")}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
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
 * as a whole. Answers the ids in the new order.
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

function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64")}`;
}
