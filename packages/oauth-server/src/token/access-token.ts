import { SignJWT } from "jose";
import type { SigningKey } from "../keys/signing-keys.js";
import type { Grant } from "../ports/grant-store.js";

/** What an access token says, beyond what follows from the time. */
export interface AccessTokenFacts {
  readonly issuer: string;
  readonly grant: Pick<Grant, "grant_id" | "application_id" | "client_id" | "tenant_id">;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly token_id: string;
  readonly at: Date;
}

/** Signs an access token (RFC 9068). Browser and machine flow have the same claims; the operator has no `tenant`. */
export function signAccessToken(key: SigningKey, facts: AccessTokenFacts): Promise<string> {
  const { grant } = facts;
  const issuedAt = Math.floor(facts.at.getTime() / 1000);
  const claims = {
    iss: facts.issuer,
    sub: grant.application_id,
    aud: [...facts.audience],
    client_id: grant.client_id,
    ...(grant.tenant_id === null ? {} : { tenant: grant.tenant_id }),
    scope: facts.scopes.join(" "),
    iat: issuedAt,
    exp: issuedAt + ACCESS_TOKEN_SECONDS,
    jti: facts.token_id,
    gid: grant.grant_id,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, typ: "at+jwt", kid: key.kid })
    .sign(key.privateKey);
}

/** Life of an access token (S1 §8). */
export const ACCESS_TOKEN_SECONDS = 3600;
