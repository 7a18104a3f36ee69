import {
  type CoreError,
  type CoreErrorCode,
  type Fault,
  type LimitReached,
  limitReached,
  toCoreError,
} from "@org/core";

/** Why a request is refused before any service sees it. */
export type RestErrorCode =
  | "UNAUTHENTICATED"
  | "UNAUTHORIZED"
  | "UNKNOWN_PATH"
  | "METHOD_NOT_ALLOWED"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "TOO_SLOW";

/** Everything that an envelope has to have words for. */
export type FailureCode = CoreErrorCode | RestErrorCode | "INTERNAL_ERROR";

/** A refusal before any service; `headers` go out with the answer. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly code: RestErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** A finer code, for the callers of a door whose envelope shows it. */
  readonly reason: string | undefined;

  constructor(
    code: RestErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    options: { readonly reason?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.headers = headers;
    this.reason = options.reason;
  }
}

/** What an answer may say about an error: never more than this, whatever was thrown. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly details: readonly Fault[] | undefined;
  /** The limit that the request met, if that is why. */
  readonly limit?: LimitReached | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A finer code than `code`, if there is one. */
  readonly reason?: string | undefined;
}

/** Entries of `details` that one answer holds at most, so that a body made of faults does not come back many times its size. */
const MAX_DETAILS = 1_000;
const RETRY_AFTER_SECONDS = 60;

function isTemporary({ code }: CoreError): boolean {
  return code === "RATE_LIMITED" || code === "UNAVAILABLE";
}

/** Maps whatever was thrown to a failure; what is neither a refusal of core's nor a {@link RestError} stays unnamed. */
export function toFailure(error: unknown, now: Date): Failure {
  const refusal = toCoreError(error);
  if (refusal)
    return {
      code: refusal.code,
      message: refusal.message,
      details: refusal.details?.slice(0, MAX_DETAILS),
      limit: limitReached(refusal, now),
      headers: isTemporary(refusal) ? { "Retry-After": String(refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS) } : {},
    };
  if (error instanceof RestError)
    return {
      code: error.code,
      message: error.message,
      details: undefined,
      headers: error.headers,
      reason: error.reason,
    };
  return {
    code: "INTERNAL_ERROR",
    message: "an unexpected condition; quote the trace id",
    details: undefined,
    headers: {},
  };
}
