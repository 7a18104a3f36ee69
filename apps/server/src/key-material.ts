import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.js";

/** The text of ENCRYPTION_KEYS: from the environment, or, for an embedded installation, generated once into `DATA_DIR` (mode 0600). */
export function encryptionKeysOf(config: Config): string {
  if (config.encryptionKeys !== undefined) return config.encryptionKeys;
  const file = join(config.dataDir, "encryption-keys");
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `k1:${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(file, "utf8").trim();
}
