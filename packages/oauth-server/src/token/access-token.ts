import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { ACCESS_TOKEN_SECONDS, type SigningKey } from "../keys/key-source.js";
import type { Grant } from "../ports/grant-store.js";

/** The contents of an access token, apart from its times. */
export interface AccessTokenFacts {
  readonly issuer: string;
  readonly grant: Pick<Grant, "grant_id" | "application_id" | "client_id" | "tenant_id"> & {
    readonly person_id?: string | null;
    readonly is_limited?: boolean;
  };
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly token_id: string;
  readonly at: Date;
  /** Thumbprint of the key that it is bound to (RFC 9449 §6.1); null = a bearer token. */
  readonly jkt: string | null;
  /** Its lifetime; {@link ACCESS_TOKEN_SECONDS} by default. */
  readonly seconds?: number;
}

/**
 * Signs an access token (RFC 9068). Browser and machine flow have the same claims; an operator's token has no `tenant`, and
 * `person` is the person who approved the grant, if any. `limited` says that the grant is limited to some clients.
 */
export async function signAccessToken(key: SigningKey, facts: AccessTokenFacts): Promise<string> {
  const { grant } = facts;
  const issuedAt = Math.floor(facts.at.getTime() / 1000);
  const claims = {
    iss: facts.issuer,
    sub: grant.application_id,
    aud: [...facts.audience],
    client_id: grant.client_id,
    scope: facts.scopes.join(" "),
    iat: issuedAt,
    exp: issuedAt + (facts.seconds ?? ACCESS_TOKEN_SECONDS),
    jti: facts.token_id,
    gid: grant.grant_id,
    ...(grant.tenant_id === null ? {} : { tenant: grant.tenant_id }),
    ...(grant.person_id ? { person: grant.person_id } : {}),
    ...(grant.is_limited && { limited: true }),
    ...(facts.jkt !== null && { cnf: { jkt: facts.jkt } }),
  };
  const header = { alg: key.algorithm, typ: "at+jwt", kid: key.kid };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  const bytes = Buffer.from(signed);
  const { privateKey } = key;
  // An RSA signature takes a millisecond and runs in a worker thread; all others take less time than waking a thread.
  const signature =
    privateKey.asymmetricKeyType === "rsa"
      ? await signElsewhere("sha256", bytes, privateKey)
      : signHere(bytes, privateKey);
  return `${signed}.${signature.toString("base64url")}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Signs with the key's only algorithm, in the format of RFC 7518 §3 and RFC 8037 §3.1. */
function signHere(bytes: Buffer, key: KeyObject): Buffer {
  return sign(key.asymmetricKeyType === "ec" ? "sha256" : null, bytes, { key, dsaEncoding: "ieee-p1363" });
}

const signElsewhere = promisify(sign);

/** The successful response of the token endpoint (RFC 6749 §5.1, S1 §5.6, RFC 9449 §5). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "bearer" | "DPoP";
  readonly expires_in: number;
  /** Omitted when the grant has none. */
  readonly refresh_token?: string;
  readonly scope: string;
  /** What a token obtained with an ID-JAG is for (§4.4.1 of the draft); a list when there are several. */
  readonly resource?: string | readonly string[] | undefined;
}

/** The type of an access token that is bound to a key, or to none. */
export function tokenType(jkt: string | null): TokenResponse["token_type"] {
  return jkt === null ? "bearer" : "DPoP";
}

/** Builds the response. */
export function tokenResponse(
  accessToken: string,
  refreshToken: string,
  { scopes, jkt }: Pick<AccessTokenFacts, "scopes" | "jkt">,
): TokenResponse {
  return {
    access_token: accessToken,
    token_type: tokenType(jkt),
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(" "),
  };
}
