import type { Uuid } from "../schemas/identifier.js";
import type { Vault } from "./vault.js";

/** What services take from outside besides storage: time, chance, keys. */
export interface Runtime {
  readonly clock: () => Date;
  /** A new UUIDv7: time-ordered, unguessable enough to be an id, not a secret. */
  readonly newId: () => Uuid;
  /** A new 256-bit secret, base64url. */
  readonly newSecret: () => string;
  readonly vault: Vault;
  /** Where letters' documents are kept; without one they are in the database. */
  readonly bucket?: DocumentBucket | undefined;
  /** HMAC-SHA-256 (hex) of `text` under the installation's key for `purpose`; the same on every replica. */
  readonly mac: (
    purpose: "identity" | "page-token" | "people" | "notified-user" | "notified-reference" | "pace",
    text: string,
  ) => string;
}

/** Waits; rejects as soon as the signal aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Letters' documents outside the database, each encrypted: what opens it stands in the database alone. */
export interface DocumentBucket {
  /** Resolves once the object is kept for good. */
  put(key: string, ciphertext: Uint8Array): Promise<void>;
  /** Null when there is none of that key, or one of another size. */
  get(key: string, size: number): Promise<Uint8Array | null>;
  /** Those that are not there are not missed. */
  remove(keys: readonly string[]): Promise<void>;
}
