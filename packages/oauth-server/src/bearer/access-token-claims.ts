import type { Principal } from "@org/http";
import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import { z } from "zod";
import type { KeySource } from "../keys/key-source.js";

/** Who a verified access token acts for, and until when. */
export interface VerifiedPrincipal extends Principal {
  readonly expires_at: Date;
}

/** A valid token: who it acts for, and the key that signed it. */
export interface VerifiedToken {
  readonly principal: VerifiedPrincipal;
  /** The application whose data it is for, also where a person approved it. */
  readonly subject: string;
  /** Whether its grant is limited to some clients. */
  readonly isLimited: boolean;
  /** Thumbprint of the key that it is bound to (RFC 9449 §6); null = a bearer token. */
  readonly jkt: string | null;
  readonly kid: string;
}

/** Requirements for a token. */
export interface AccessTokenExpectations {
  readonly issuer: string;
  /** Accepted audiences; the token must contain one of them. */
  readonly audience: readonly string[];
  readonly keys: KeySource;
  /** Names the person who approved the token's grant. Without it the application stands for them. */
  readonly actorOf?: ((personId: string) => string) | undefined;
}

/**
 * Verifies an access token (RFC 9068 §4): signature by a key of the issuer with that key's own algorithm, type, issuer,
 * audience, expiry. Keys in the token itself (`jwk`, `jku`, `x5u`) are ignored. Null when anything is wrong.
 */
export async function readAccessToken(
  token: string,
  { issuer, audience, keys, actorOf }: AccessTokenExpectations,
  at: Date,
): Promise<VerifiedToken | null> {
  const kid = keyIdOf(token);
  const key = kid === null ? null : await keys.publicKey(kid);
  if (kid === null || !key) return null;
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: [key.algorithm],
      typ: "at+jwt",
      issuer,
      audience: [...audience],
      clockTolerance: EXPIRY_LEEWAY_SECONDS,
      currentDate: at,
    });
    const claims = claimsSchema.safeParse(payload);
    if (!claims.success) return null;
    const { sub: subject, limited: isLimited, cnf } = claims.data;
    return { principal: principalOf(claims.data, actorOf), subject, isLimited, jkt: cnf?.jkt ?? null, kid };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** How long after `exp` a token is still accepted, for clock skew. */
export const EXPIRY_LEEWAY_SECONDS = 5;

function keyIdOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    return null;
  }
}

function principalOf(
  claims: z.infer<typeof claimsSchema>,
  actorOf: AccessTokenExpectations["actorOf"],
): VerifiedPrincipal {
  return {
    application_id: (claims.person !== undefined && actorOf?.(claims.person)) || claims.sub,
    client_id: claims.client_id,
    tenant_id: claims.tenant ?? null,
    scopes: new Set(claims.scope.split(" ").filter(Boolean)),
    grant_id: claims.gid,
    expires_at: new Date(claims.exp * 1000),
  };
}

const text = z.string().min(1);
const claimsSchema = z.object({
  sub: text,
  client_id: text,
  tenant: text.optional(),
  person: text.optional(),
  limited: z.boolean().default(false),
  // A confirmation of another kind is not known here, and a token with one must not pass as a bearer token.
  cnf: z.strictObject({ jkt: text }).optional(),
  scope: z.string(),
  iat: z.number(),
  exp: z.number(),
  jti: text,
  gid: text,
});
