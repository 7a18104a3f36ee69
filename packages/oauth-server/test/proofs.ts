import { createHash, randomUUID } from "node:crypto";
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import type { Installation } from "./harness.js";

/** What a test changes in a proof; a claim or member that is undefined is left out. */
export interface ProofChange {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly signer?: CryptoKey;
}

/** The key of a client, made with another library than the server checks with. */
export interface ClientKey {
  readonly jkt: string;
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
  /** Signs a proof for `POST /token`, or with `accessToken` for `POST /mcp`. */
  proof(at: Installation, change?: ProofChange & { readonly accessToken?: string }): Promise<string>;
}

export async function clientKey(alg = "ES256"): Promise<ClientKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    jkt: await calculateJwkThumbprint(jwk),
    jwk,
    privateKey,
    async proof(at, { header = {}, claims = {}, signer = privateKey, accessToken } = {}) {
      const facts = {
        jti: randomUUID(),
        htm: "POST",
        htu: `${at.issuer}${accessToken === undefined ? "/token" : "/mcp"}`,
        iat: Math.floor(at.clock().getTime() / 1000),
        ...(accessToken !== undefined && { ath: createHash("sha256").update(accessToken).digest("base64url") }),
        ...claims,
      };
      const protect = { alg, typ: "dpop+jwt", jwk, ...header };
      return new SignJWT(facts).setProtectedHeader(protect as typeof protect & { alg: string }).sign(signer);
    },
  };
}
