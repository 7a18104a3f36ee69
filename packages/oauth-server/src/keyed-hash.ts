import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { OAuthError } from "./oauth-error.js";

/** A key for hashing generated secrets and tokens. */
export interface SecretHashKey {
  /** 1–255; stored with every hash, so that older hashes can still be compared. */
  readonly version: number;
  /** At least 32 bytes. */
  readonly key: Uint8Array;
}

/**
 * HMAC-SHA-256 under versioned keys. The secrets are generated with 256 random bits, so a slow password hash would cost a
 * hundred times as much and add no protection.
 */
export interface KeyedHash {
  /** The version for new hashes. */
  readonly activeVersion: number;
  /** The raw digest of `data`; null when there is no key of that version. Different purposes never share a hash. */
  digest(version: number, purpose: string, data: Uint8Array | string): Buffer | null;
  /** The stored form under the active version: `<version>.<base64url>`. */
  hash(purpose: string, data: string): string;
  /** The stored forms under all versions, for looking up a hash; the active one first. */
  candidates(purpose: string, data: string): readonly string[];
  /** Whether a stored form has the active version; if not, it is replaced when its secret is presented. */
  isCurrent(stored: string): boolean;
  /** Compares in constant time, whether it matches or not. */
  matches(purpose: string, data: string, stored: string): boolean;
}

/**
 * Keys, or a function called at each use so that they can be rotated while the server runs. It returns the same array until
 * they change.
 */
export type SecretHashKeys = readonly SecretHashKey[] | (() => readonly SecretHashKey[]);

/** Creates the hash with one or more keys; the first is active. Throws `bad_configuration`. */
export function createKeyedHash(given: SecretHashKeys): KeyedHash {
  const currentKeys = typeof given === "function" ? given : () => given;
  let ring = ringOf(currentKeys());
  const current = (): Ring => {
    const keys = currentKeys();
    if (keys !== ring.keys) ring = ringOf(keys);
    return ring;
  };

  const digest: KeyedHash["digest"] = (version, purpose, data) => {
    const key = current().byVersion.get(version);
    return key ? createHmac("sha256", key).update(`${purpose}\0`).update(data).digest() : null;
  };
  const hash: KeyedHash["hash"] = (purpose, data) => {
    const { active } = current();
    return storedHash(active, digest(active, purpose, data) as Buffer);
  };
  return {
    get activeVersion() {
      return current().active;
    },
    digest,
    hash,
    isCurrent: (stored) => stored.startsWith(`${current().active}.`),
    candidates: (purpose, data) =>
      current().keys.map(({ version }) => storedHash(version, digest(version, purpose, data) as Buffer)),
    matches: (purpose, data, stored) => {
      const [version = "", expected = ""] = stored.split(".");
      const actual = digest(Number(version), purpose, data);
      const bytes = Buffer.from(expected, "base64url");
      return actual !== null && bytes.length === actual.length && timingSafeEqual(bytes, actual);
    },
  };
}

interface Ring {
  readonly keys: readonly SecretHashKey[];
  readonly byVersion: ReadonlyMap<number, KeyObject>;
  readonly active: number;
}

function ringOf(keys: readonly SecretHashKey[]): Ring {
  const byVersion = new Map(keys.map(({ version, key }) => [version, createSecretKey(key)]));
  const valid = keys.every(({ version, key }) => VERSIONS.includes(version) && key.byteLength >= 32);
  const [active] = keys;
  if (!active || !valid || byVersion.size < keys.length)
    throw new OAuthError("bad_configuration", "secret hash keys need distinct versions of 1-255 and at least 32 bytes");
  return { keys, byVersion, active: active.version };
}

/** The stored form of a digest. */
export function storedHash(version: number, digest: Buffer): string {
  return `${version}.${digest.toString("base64url")}`;
}

const VERSIONS = Array.from({ length: 255 }, (_, index) => index + 1);
