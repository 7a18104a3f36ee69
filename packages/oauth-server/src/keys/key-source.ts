import type { CryptoKey } from "jose";

/** A public key and the one algorithm that it is used with. */
export interface VerificationKey {
  readonly algorithm: string;
  readonly publicKey: CryptoKey;
}

/** Where a verifier finds the issuer's keys: the server's own, or its JWKS document over HTTP. */
export interface KeySource {
  /** Null when the issuer does not publish such a key, also after looking again. */
  publicKey(kid: string): Promise<VerificationKey | null>;
}
