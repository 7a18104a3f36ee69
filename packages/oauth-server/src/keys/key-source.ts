import type { KeyObject } from "node:crypto";
import type { CryptoKey } from "jose";

/** The key that signs now. */
export interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: KeyObject;
}

/** Life of an access token (S1 §8), and so how long a key is needed after its last signature. */
export const ACCESS_TOKEN_SECONDS = 3600;

/** A public key and the one algorithm that it is used with. */
export interface TokenVerificationKey {
  readonly algorithm: string;
  readonly publicKey: CryptoKey;
}

/** Where a verifier finds the issuer's keys: the server's own, or its JWKS document over HTTP. */
export interface KeySource {
  /** Null when the issuer does not publish such a key, also after looking again. */
  publicKey(kid: string): Promise<TokenVerificationKey | null>;
  /**
   * Whether a key that was found before is still the issuer's. Asked on every request with a token that is known, so it answers from
   * memory, and as a promise only when it looks again.
   */
  isTrusted(kid: string): boolean | Promise<boolean>;
}
