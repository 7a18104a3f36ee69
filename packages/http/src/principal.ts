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

/** `missing` = no bearer token in the header, `invalid` = one that is unknown, expired, revoked or for another audience. */
export type BearerRefusal = "missing" | "invalid";

/** Result of checking an `Authorization` header. */
export type Authentication = { readonly principal: Principal } | { readonly refusal: BearerRefusal };

/** Authenticates an `Authorization` header. An exception or rejection means an outage, never a client error. */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Authentication>;

/** What a refused client is told about getting a token. */
export interface BearerChallenge {
  /** A challenge for missing credentials names no error (RFC 6750 §3), which makes a client start its OAuth flow. */
  readonly error: BearerRefusal | "insufficient_scope";
  /** Scopes to ask for. */
  readonly scopes: Iterable<string>;
  /** Address of the protected resource metadata (RFC 9728). */
  readonly resourceMetadata: string;
}

/** HTTP status of a refusal (RFC 6750 §3.1). */
export function challengeStatus({ error }: Pick<BearerChallenge, "error">): 401 | 403 {
  return error === "insufficient_scope" ? 403 : 401;
}

/** Message for a client whose token is missing or invalid. */
export function refusalWords(refusal: BearerRefusal): string {
  return refusal === "missing" ? "an access token is required" : "the access token is invalid or expired";
}

/** Value of `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1). */
export function challengeHeader({ error, scopes, resourceMetadata }: BearerChallenge): string {
  const scope = `scope="${[...scopes].join(" ")}"`;
  const metadata = `resource_metadata="${resourceMetadata}"`;
  switch (error) {
    case "missing":
      return `Bearer ${metadata}, ${scope}`;
    case "invalid":
      return `Bearer error="invalid_token", error_description="the access token is not valid", ${metadata}, ${scope}`;
    case "insufficient_scope":
      return `Bearer error="insufficient_scope", ${scope}, ${metadata}`;
  }
}
