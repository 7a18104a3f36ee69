import { existsSync } from "node:fs";
import type { Keyring } from "@org/keyring";
import { createTransactions, type OpenedStorage } from "@org/storage-postgres";
import type { Config } from "../config.js";
import { encryptionKeysFile, keyringOf } from "../keys.js";
import { type Finding, fail, ok } from "./finding.js";

const check = "encryption keys";
const restore = "put the old keys back, behind the active one";

/** Checks that every encryption key in use is available (contract §9), and matches its id. */
export async function checkEncryptionKeys(config: Config, opened: OpenedStorage): Promise<Finding> {
  const keyring = keyringOrFinding(config);
  if (!("keyIds" in keyring)) return keyring;
  const used = await usedKeys(opened);
  const missing = [...used.keys()].filter((id) => !keyring.keyIds.includes(id));
  if (missing.length > 0)
    return fail(check, `something is encrypted under ${missing.join(", ")}, which is not among them`, restore);
  if (!(await opensServerKeys(keyring, opened)))
    return fail(check, "a key has the right id but is another key: the server's own keys do not open with it", restore);
  const inUse = [...used].map(([id, values]) => `${id} by ${values} values`).join(", ");
  return ok(check, `all in use are there (active: ${keyring.activeKeyId}; in use: ${inUse || "none"})`);
}

function keyringOrFinding(config: Config): Keyring | Finding {
  const file = encryptionKeysFile(config);
  // Requesting the keyring would create a new file, which opens nothing.
  if (config.encryptionKeys === undefined && !existsSync(file))
    return fail(check, `${file} is gone: nothing that is encrypted can be read`, "restore it from a backup");
  try {
    return keyringOf(config);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "KeyringError") throw error;
    return fail(check, error.message, "give ENCRYPTION_KEYS as id:base64 of 32 bytes, several separated by commas");
  }
}

/** The number of values under each key. */
async function usedKeys({ sealedValues }: OpenedStorage): Promise<ReadonlyMap<string, number>> {
  const used = new Map<string, number>();
  for (const { key_id, values } of await sealedValues.counts()) {
    const id = key_id ?? "(damaged)";
    used.set(id, (used.get(id) ?? 0) + values);
  }
  return used;
}

/** The header contains the context that a value was sealed for. */
async function opensServerKeys(keyring: Keyring, { pool }: OpenedStorage): Promise<boolean> {
  const rows = await createTransactions(pool).asAuth((db) => db.selectFrom("server_keys").select("sealed").execute());
  try {
    for (const { sealed } of rows) {
      const { purpose, row } = JSON.parse(Buffer.from(sealed.split(".")[0] ?? "", "base64url").toString("utf8"));
      await keyring.open(sealed, { purpose: String(purpose), row: String(row) });
    }
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "KeyringError") return false;
    throw error;
  }
}
