/** A key pair that signs access tokens. Its state follows from the times, see `signing-key-state.ts`. */
export interface StoredSigningKey {
  readonly kid: string;
  /** JOSE algorithm; the key is never used with another. */
  readonly algorithm: string;
  /** Public JWK, as it is published. */
  readonly public_jwk: Readonly<Record<string, unknown>>;
  /** Private JWK, encrypted and bound to this row. */
  readonly sealed_private_key: string;
  readonly created_at: Date;
  /** From when on it signs; null = published only, waiting to be the next. */
  readonly signs_from: Date | null;
}

/** Signing keys, shared by all replicas. Each method is one transaction. */
export interface SigningKeyStore {
  /** All of them, ordered by `created_at`, then `kid`. */
  listSigningKeys(): Promise<readonly StoredSigningKey[]>;
  /** Keeps the first keys of an algorithm. Of calls that race exactly one answers true; false = there were some already. */
  insertFirstSigningKeys(algorithm: string, keys: readonly StoredSigningKey[]): Promise<boolean>;
  /** Sets `signs_from` of the waiting key `kid` and keeps its successor. False, changing nothing, when `kid` is not waiting. */
  promoteSigningKey(kid: string, signsFrom: Date, successor: StoredSigningKey): Promise<boolean>;
  removeSigningKeys(kids: readonly string[]): Promise<void>;
  /**
   * Removes a key at once and, where told so, lets another one sign from `at` on and keeps `successors`. False, changing nothing,
   * when `kid` is not there, or `signs_now` is not there or signs already: then the keys have changed meanwhile.
   */
  revokeSigningKey(kid: string, replacement: SigningKeyReplacement): Promise<boolean>;
}

/** What takes the place of a key that is revoked. */
export interface SigningKeyReplacement {
  readonly at: Date;
  /** Id of the key that signs from `at` on; null when the one that signs stays. */
  readonly signs_now: string | null;
  readonly successors: readonly StoredSigningKey[];
}
