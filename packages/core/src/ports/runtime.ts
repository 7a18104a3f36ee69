import type { LoopScheduler } from "@org/admission";
import type { Uuid } from "../schemas/identifier.js";
import type { Vault } from "./vault.js";

/** What services get from outside besides storage: time, randomness, keys. */
export interface Runtime {
  readonly clock: () => Date;
  /** A new UUIDv7: time-ordered; unguessable enough for an id, but not a secret. */
  readonly newId: () => Uuid;
  /** A new 256-bit secret, base64url. */
  readonly newSecret: () => string;
  readonly vault: Vault;
  /** After how many days data of refreshed connections are overdue, and data of files at the earliest. */
  readonly staleAfterDays: number;
  /** Shares the event loop between tenants while it is late; without it long work only lets other work run. */
  readonly loop?: Pick<LoopScheduler, "wait"> | undefined;
  /** Where letters' documents are stored; if there is none, they are in the database. */
  readonly bucket?: DocumentBucket | undefined;
  /** HMAC-SHA-256 (hex) of `text` under the installation's key for `purpose`; the same on every replica. */
  readonly mac: (
    purpose: "identity" | "page-token" | "people" | "notified-user" | "notified-reference" | "pace",
    text: string,
  ) => string;
}

/** Waits; rejects as soon as the signal aborts. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Stores letters' documents outside the database, each encrypted; the keys that open them are only in the database. */
export interface DocumentBucket {
  /** Resolves once the object is stored durably. */
  put(key: string, ciphertext: Uint8Array): Promise<void>;
  /** Returns null if there is no object with this key and size. */
  get(key: string, size: number): Promise<Uint8Array | null>;
  /** Ignores keys that do not exist. */
  remove(keys: readonly string[]): Promise<void>;
}
