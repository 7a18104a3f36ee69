import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { failed } from "./cli-error.js";

/** What an access token says about itself. Nothing is proven until the signature is verified. */
export interface TokenFacts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: JWTPayload;
  /** Null when the token names no time. */
  readonly expired: boolean | null;
}

/** Decodes a token. @throws CliError when it is not a JWT */
export function inspectToken(token: string, now: Date): TokenFacts {
  if (token.startsWith("wcr_"))
    throw failed("this is a refresh token, which is opaque: there is nothing in it to show");
  try {
    const claims = decodeJwt(token);
    const expired = claims.exp === undefined ? null : claims.exp * 1000 <= now.getTime();
    return { header: { ...decodeProtectedHeader(token) }, claims, expired };
  } catch (error) {
    if (error instanceof errors.JWTInvalid || error instanceof TypeError)
      throw failed("this is not an access token (a JWT)", error);
    throw error;
  }
}

/** The facts as fields of a table; times are readable. */
export function describeToken({ header, claims, expired }: TokenFacts): Record<string, string> {
  const times = ["iat", "nbf", "exp"];
  const fields = Object.entries({ ...header, ...claims }).map(([name, value]) => {
    if (times.includes(name) && typeof value === "number") return [name, new Date(value * 1000).toISOString()];
    return [name, Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value)];
  });
  return { ...Object.fromEntries(fields), expired: expired === null ? "never" : expired ? "yes" : "no" };
}

/** Verifies the signature and the issuer against a server; expiry is reported separately. @throws CliError when the keys cannot be read */
export async function verifyToken(token: string, url: string): Promise<"valid" | "not valid"> {
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`), { timeoutDuration: 10_000 });
  try {
    await jwtVerify(token, keys, { typ: "at+jwt", clockTolerance: Number.MAX_SAFE_INTEGER });
    return "valid";
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || (error instanceof errors.JOSEError && error.code === "ERR_JOSE_GENERIC"))
      throw failed(`cannot read the keys of ${url}: ${error.message}`, error);
    if (error instanceof errors.JOSEError) return "not valid";
    throw failed(`cannot read the keys of ${url}: is the server running?`, error);
  }
}
