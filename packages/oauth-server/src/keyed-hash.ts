import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { OAuthError } from "./oauth-error.js";

/** A key for the hashes of generated secrets and tokens. */
export interface SecretHashKey {
  /** 1–255; stored with every hash, so that older ones stay comparable. */
  readonly version: number;
  /** At least 32 bytes. */
  readonly key: Uint8Array;
}

/**
 * HMAC-SHA-256 under versioned keys. The secrets here are generated with 256 bits of chance, so a slow password hash would
 * protect nothing and cost a hundredfold.
 */
export interface KeyedHash {
  /** Version that new hashes are made with. */
  readonly activeVersion: number;
  /** The bytes for `data`; null when there is no key of that version. Purposes never share a hash. */
  digest(version: number, purpose: string, data: Uint8Array | string): Buffer | null;
  /** The stored form under the active version: `<version>.<base64url>`. */
  hash(purpose: string, data: string): string;
  /** The stored forms under all versions, to look a hash up by; the active one first. */
  candidates(purpose: string, data: string): readonly string[];
  /** Compares in constant time. The work does not depend on whether it matches. */
  matches(purpose: string, data: string, stored: string): boolean;
}

/** Makes the hash of one or more keys, the first being active. Throws `bad_configuration`. */
export function createKeyedHash(keys: readonly SecretHashKey[]): KeyedHash {
  const byVersion = new Map(keys.map(({ version, key }) => [version, createSecretKey(key)]));
  const valid = keys.every(({ version, key }) => VERSIONS.includes(version) && key.byteLength >= 32);
  const [active] = keys;
  if (!active || !valid || byVersion.size < keys.length)
    throw new OAuthError("bad_configuration", "secret hash keys need distinct versions of 1-255 and at least 32 bytes");

  const digest: KeyedHash["digest"] = (version, purpose, data) => {
    const key = byVersion.get(version);
    return key ? createHmac("sha256", key).update(`${purpose}\0`).update(data).digest() : null;
  };
  return {
    activeVersion: active.version,
    digest,
    hash: (purpose, data) => storedHash(active.version, digest(active.version, purpose, data) as Buffer),
    candidates: (purpose, data) =>
      keys.map(({ version }) => storedHash(version, digest(version, purpose, data) as Buffer)),
    matches: (purpose, data, stored) => {
      const [version = "", expected = ""] = stored.split(".");
      const actual = digest(Number(version), purpose, data);
      const bytes = Buffer.from(expected, "base64url");
      return actual !== null && bytes.length === actual.length && timingSafeEqual(bytes, actual);
    },
  };
}

/** The stored form of a digest. */
export function storedHash(version: number, digest: Buffer): string {
  return `${version}.${digest.toString("base64url")}`;
}

const VERSIONS = Array.from({ length: 255 }, (_, index) => index + 1);
