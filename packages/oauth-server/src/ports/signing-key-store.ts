/** A key pair for signing access tokens. Its state follows from the times, see `signing-key-state.ts`. */
export interface StoredSigningKey {
  readonly kid: string;
  /** JOSE algorithm; the key is never used with another. */
  readonly algorithm: string;
  /** The public JWK as published. */
  readonly public_jwk: Readonly<Record<string, unknown>>;
  /** The private JWK, encrypted and bound to this row. */
  readonly sealed_private_key: string;
  readonly created_at: Date;
  /** When it starts signing; null = published only, waiting to be the next. */
  readonly signs_from: Date | null;
}

/** Signing keys, shared by all replicas. Each method is one transaction. */
export interface SigningKeyStore {
  /** All keys, ordered by `created_at`, then `kid`. */
  listSigningKeys(): Promise<readonly StoredSigningKey[]>;
  /** Stores the first keys of an algorithm. Of concurrent calls exactly one returns true; false = there were some already. */
  insertFirstSigningKeys(algorithm: string, keys: readonly StoredSigningKey[]): Promise<boolean>;
  /**
   * Sets `signs_from` of the waiting key `kid` and stores its successor. Returns false, changing nothing, when `kid` is not
   * waiting.
   */
  promoteSigningKey(kid: string, signsFrom: Date, successor: StoredSigningKey): Promise<boolean>;
  removeSigningKeys(kids: readonly string[]): Promise<void>;
  /**
   * Removes a key immediately and, if requested, makes another one sign from `at` on and stores `successors`. Returns false,
   * changing nothing, when `kid` does not exist, or `signs_now` does not exist or already signs: the keys have changed in the
   * meantime.
   */
  revokeSigningKey(kid: string, replacement: SigningKeyReplacement): Promise<boolean>;
}

/** What replaces a revoked key. */
export interface SigningKeyReplacement {
  readonly at: Date;
  /** Id of the key that signs from `at` on; null when the current signing key stays. */
  readonly signs_now: string | null;
  readonly successors: readonly StoredSigningKey[];
}
