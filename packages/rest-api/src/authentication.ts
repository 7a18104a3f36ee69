import { RestError } from "./failure.js";
import type { Scope } from "./scopes.js";

/** The application behind an access token. */
export interface Principal {
  readonly application_id: string;
  readonly client_id: string;
  /** Null for an operator's application. */
  readonly tenant_id: string | null;
  readonly scopes: ReadonlySet<string>;
  readonly grant_id: string;
}

/**
 * Finds out who sent an `Authorization` header. `missing` = no bearer token in it, `invalid` = one that is unknown, expired,
 * revoked or for another audience. What it throws is an outage.
 */
export type Authenticate = (
  authorizationHeader: string | undefined,
) => Promise<{ readonly principal: Principal } | { readonly refusal: "missing" | "invalid" }>;

/** Turns away a request without a good token. @throws RestError UNAUTHENTICATED, with the challenge of RFC 6750 §3 and RFC 9728 §5.1 */
export async function requirePrincipal(
  authenticate: Authenticate,
  authorization: string | undefined,
  challenge: Challenge,
): Promise<Principal> {
  const result = await authenticate(authorization);
  if ("principal" in result) return result.principal;
  const invalid = result.refusal === "invalid";
  throw new RestError(
    "UNAUTHENTICATED",
    invalid ? "the access token is invalid or expired" : "an access token is required",
    header(invalid ? 'error="invalid_token"' : null, challenge),
  );
}

/** Turns away a principal that has none of the scopes. @throws RestError UNAUTHORIZED (RFC 6750 §3.1 insufficient_scope) */
export function requireScope(principal: Principal, anyOf: readonly Scope[], challenge: Challenge): void {
  if (!anyOf.some((scope) => principal.scopes.has(scope)))
    throw unauthorized(`the scope ${anyOf.join(" or ")} is required`, challenge);
}

/** The refusal of a principal that the endpoint is not for. */
export function unauthorized(message: string, challenge: Challenge): RestError {
  return new RestError("UNAUTHORIZED", message, header('error="insufficient_scope"', challenge));
}

/** What a refused client is told about getting a token: where, and for which scope. */
export interface Challenge {
  readonly publicUrl: string;
  readonly scope: Scope;
}

function header(error: string | null, { publicUrl, scope }: Challenge) {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource"`;
  return { "WWW-Authenticate": `Bearer ${[error, metadata, `scope="${scope}"`].filter(Boolean).join(", ")}` };
}
