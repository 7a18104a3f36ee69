import type { GrantSubject } from "./audit.js";

/** Codes that clients see: RFC 6749 §5.2 and §4.1.2.1, RFC 7591 §3.2.2, RFC 8707 §2, RFC 6750 §3.1. */
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
  | "temporarily_unavailable"
  | "server_error";

/** Codes of the application administration and of the set-up. */
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
 * Seconds after which to ask again, where an error says that a store is away for the moment: its `code` is `unavailable` (see
 * `OAuthStore`). Null for everything else.
 */
export function outageSeconds(error: unknown): number | null {
  if (!(error instanceof Error) || error instanceof OAuthError || !("code" in error) || error.code !== "unavailable")
    return null;
  return "retryAfterSeconds" in error ? Number(error.retryAfterSeconds ?? OUTAGE_SECONDS) : OUTAGE_SECONDS;
}

const OUTAGE_SECONDS = 5;

/** What is known beyond code and message. */
export interface OAuthErrorFacts {
  /** With `temporarily_unavailable`: when a new attempt may succeed. */
  readonly retryAfterSeconds?: number;
  /**
   * With `temporarily_unavailable`: the limit that was reached, as a name for metrics and its value. `isOfAll` = it is the server's
   * (503), not the caller's own (429).
   */
  readonly limit?: { readonly name: string; readonly value: number; readonly isOfAll?: boolean };
  /** Whether the reason lies with the server or what it depends on: 503. */
  readonly isUnavailable?: boolean;
  /** What is told of the refusal in the audit trail and in metrics instead of its code: one of few words. */
  readonly detail?: string;
  /** With `invalid_application` and `invalid_trust`: every fault, by dotted field path. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  /** Whom the refusal is about, for the audit trail; clients never see it. */
  readonly about?: GrantSubject;
  readonly cause?: unknown;
}

/** The one error of this package. Messages are ASCII without quotes (RFC 6749 §5.2) and repeat nothing that was sent. */
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
