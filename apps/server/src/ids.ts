import { createHmac, randomBytes } from "node:crypto";

/** A new 256-bit secret, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Keyed hashes (HMAC-SHA-256, hex) under the installation's key, apart for each purpose. */
export function createMac(key: Uint8Array): (purpose: string, text: string) => string {
  return (purpose, text) => createHmac("sha256", key).update(purpose).update("\0").update(text).digest("hex");
}
