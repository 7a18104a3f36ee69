/** Letters' documents outside the database, each encrypted: what opens it stands in the database alone. */
export interface DocumentBucket {
  /** Resolves once the object is kept for good. */
  put(key: string, ciphertext: Uint8Array): Promise<void>;
  /** Null when there is none of that key, or one of another size. */
  get(key: string, size: number): Promise<Uint8Array | null>;
  /** Those that are not there are not missed. */
  remove(keys: readonly string[]): Promise<void>;
}
