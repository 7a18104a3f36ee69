import type { GrantSubject } from "./audit.js";

/** Codes that clients see: RFC 6749 §5.2 and §4.1.2.1, RFC 7591 §3.2.2, RFC 8707 §2, RFC 6750 §3.1, RFC 9449 §5. */
export type ProtocolErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target"
  | "unsupported_response_type"
  | "access_denied"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "invalid_token"
  | "invalid_dpop_proof"
  | "temporarily_unavailable"
  | "server_error";

/** Codes of the administration and the configuration. */
export type AdministrationErrorCode =
  | "unknown_application"
  | "unknown_secret"
  | "untrusted_issuer"
  | "issuer_conflict"
  | "invalid_trust"
  | "secret_limit"
  | "invalid_application"
  | "bad_configuration";

export type OAuthErrorCode = ProtocolErrorCode | AdministrationErrorCode;

/**
 * Seconds until a retry for an error that says a store is temporarily unavailable: its `code` is `unavailable` (see
 * `OAuthStore`). Null for all other errors.
 */
export function outageSeconds(error: unknown): number | null {
  if (!(error instanceof Error) || error instanceof OAuthError || !("code" in error) || error.code !== "unavailable")
    return null;
  return "retryAfterSeconds" in error ? Number(error.retryAfterSeconds ?? OUTAGE_SECONDS) : OUTAGE_SECONDS;
}

const OUTAGE_SECONDS = 5;

/** Whether the change may have been made although the store, temporarily unavailable, has not answered. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof Error && "outcome" in error && error.outcome === "unknown";
}

/** Optional facts of an error. */
export interface OAuthErrorFacts {
  /** With `temporarily_unavailable`: when a new attempt may succeed. */
  readonly retryAfterSeconds?: number;
  /**
   * With `temporarily_unavailable`: name (for metrics) and value of the limit that was reached. `isOfAll` = it is the server's
   * (503), not the caller's own (429).
   */
  readonly limit?: { readonly name: string; readonly value: number; readonly isOfAll?: boolean };
  /** Whether the server or a dependency is the reason: 503. */
  readonly isUnavailable?: boolean;
  /** Replaces the code in the audit trail and metrics. It must be one of few values. */
  readonly detail?: string;
  /** With `invalid_application` and `invalid_trust`: every fault, by dotted field path. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  /** The grant that the refusal is about, for the audit trail; clients never see it. */
  readonly about?: GrantSubject;
  readonly cause?: unknown;
}

/** The only error class of this package. Messages are ASCII without quotes (RFC 6749 §5.2) and repeat nothing of the request. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly retryAfterSeconds: number | undefined;
  readonly limit: OAuthErrorFacts["limit"];
  readonly issues: NonNullable<OAuthErrorFacts["issues"]>;
  readonly about: GrantSubject | undefined;
  readonly isUnavailable: boolean;
  readonly detail: string | undefined;

  constructor(
    readonly code: OAuthErrorCode,
    message: string,
    { retryAfterSeconds, limit, issues = [], about, isUnavailable = false, detail, cause }: OAuthErrorFacts = {},
  ) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
    this.limit = limit;
    this.issues = issues;
    this.about = about;
    this.isUnavailable = isUnavailable;
    this.detail = detail;
  }
}

/** The refusal of a grant type that is unknown, or not offered. */
export function unsupportedGrantType(): OAuthError {
  return new OAuthError("unsupported_grant_type", "this grant type is not supported");
}
