import type { KeyObject } from "node:crypto";
import type { CryptoKey } from "jose";

/** The current signing key. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: KeyObject;
}

/** Lifetime of an access token (S1 §8), and therefore how long a key is needed after its last signature. */
export const ACCESS_TOKEN_SECONDS = 3600;

/** A public key and the only algorithm it is used with. */
export interface TokenVerificationKey {
  readonly algorithm: string;
  readonly publicKey: CryptoKey;
}

/** Where a verifier gets the issuer's keys: from the server itself, or from its JWKS document over HTTP. */
export interface KeySource {
  /** Null when the issuer does not publish such a key, even after a reload. */
  publicKey(kid: string): Promise<TokenVerificationKey | null>;
  /**
   * Whether a key found earlier is still the issuer's. It is called on every request with a cached token, so it answers from
   * memory, and returns a promise only when it reloads.
   */
  isTrusted(kid: string): boolean | Promise<boolean>;
}
