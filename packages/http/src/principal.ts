import type { IncomingMessage } from "node:http";
import type { MaybePromise } from "./maybe-promise.js";

/** The party that an access token identifies. */
export interface Principal {
  /** The application, or the audit trail's name for the person who approved it with a sign-in of their own. */
  readonly application_id: string;
  /** OAuth client that presented the token. */
  readonly client_id: string;
  /** Null for an operator's application. */
  readonly tenant_id: string | null;
  readonly scopes: ReadonlySet<string>;
  readonly grant_id: string;
  /** The clients of the tenant that it is limited to at this moment, by their references; absent = no limit, none = nothing. */
  readonly client_refs?: readonly string[];
}

/**
 * `missing` = no access token in the header, `invalid` = one that is unknown, expired, revoked, for another audience, or sent with another scheme
 * than it was issued for, `invalid_proof` = a token that is bound to a key, without a valid proof of that key.
 */
export type BearerRefusal = "missing" | "invalid" | "invalid_proof";

/** Result of checking an `Authorization` header. */
export type Authentication =
  | { readonly principal: Principal }
  | {
      readonly refusal: BearerRefusal;
      /** What is wrong with the proof, in words for the client's developer. */
      readonly fault?: string;
    };

/** What a request is authenticated by: its `Authorization` header, and for a proof (RFC 9449) its method and address too. */
export type AuthenticatedRequest = Pick<IncomingMessage, "headers" | "method" | "url">;

/** Authenticates a request. An exception or rejection means an outage, never a client error. */
export type Authenticate = (request: AuthenticatedRequest) => MaybePromise<Authentication>;

/** Algorithms of DPoP proofs (RFC 9449 §5.1). A stranger's RSA key could make each check arbitrarily expensive, and clients make these keys anew. */
export const PROOF_ALGORITHMS = ["ES256", "Ed25519", "EdDSA"] as const;

/** What a refused client is told about getting a token. */
export interface BearerChallenge {
  /** A challenge for missing credentials names no error (RFC 6750 §3), which makes a client start its OAuth flow. */
  readonly error: BearerRefusal | "insufficient_scope";
  /** Scopes to ask for. */
  readonly scopes: Iterable<string>;
  /** Address of the protected resource metadata (RFC 9728). */
  readonly resourceMetadata: string;
  /** The `Authorization` header of the request: the refusal is worded for its scheme. */
  readonly authorization: string | undefined;
  readonly fault?: string | undefined;
}

/** HTTP status of a refusal (RFC 6750 §3.1). */
export function challengeStatus({ error }: Pick<BearerChallenge, "error">): 401 | 403 {
  return error === "insufficient_scope" ? 403 : 401;
}

/** Message for a client whose token is missing or invalid, or whose proof is. */
export function refusalWords(refusal: BearerRefusal, fault?: string): string {
  if (refusal === "invalid_proof") return `the DPoP proof is not valid: ${fault}`;
  return refusal === "missing" ? "an access token is required" : "the access token is invalid or expired";
}

/**
 * Value of `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1). A client that used DPoP is refused in that scheme alone. One that has to get another
 * token is told of both schemes (RFC 9449 §7.1, §7.2), Bearer first, because many clients read only the first.
 */
export function challengeHeader({ error, scopes, resourceMetadata, authorization, fault }: BearerChallenge): string {
  const scope = `scope="${[...scopes].join(" ")}"`;
  const metadata = `resource_metadata="${resourceMetadata}"`;
  const algorithms = `algs="${PROOF_ALGORITHMS.join(" ")}"`;
  const parameters = {
    missing: `${metadata}, ${scope}`,
    invalid: `error="invalid_token", error_description="the access token is not valid", ${metadata}, ${scope}`,
    invalid_proof: `error="invalid_dpop_proof", error_description="${fault}", ${metadata}, ${scope}`,
    insufficient_scope: `error="insufficient_scope", ${scope}, ${metadata}`,
  }[error];
  if (isDpop(authorization)) return `DPoP ${parameters}, ${algorithms}`;
  return error === "insufficient_scope" ? `Bearer ${parameters}` : `Bearer ${parameters}, DPoP ${algorithms}`;
}

/** Whether an `Authorization` header has the scheme DPoP. */
export function isDpop(authorization: string | undefined): boolean {
  return authorization !== undefined && /^dpop(?: |$)/i.test(authorization);
}
