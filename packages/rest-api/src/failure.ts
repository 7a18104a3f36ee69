import {
  type ConflictReason,
  type CoreError,
  type CoreErrorCode,
  type Fault,
  type LimitReached,
  limitReached,
  toCoreError,
  withoutDoubt,
} from "@org/core";

/** Why a request is refused before it reaches a service. */
export type RestErrorCode =
  | "UNAUTHENTICATED"
  | "UNAUTHORIZED"
  | "UNKNOWN_PATH"
  | "METHOD_NOT_ALLOWED"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "TOO_SLOW";

/** Every code that an envelope must be able to answer. */
export type FailureCode = CoreErrorCode | RestErrorCode | "INTERNAL_ERROR";

/** A refusal before the request reaches a service. `headers` are sent with the answer. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly code: RestErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** A finer code, for envelopes that show it. */
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

/** Everything an answer may reveal about an error, whatever was thrown. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly details: readonly Fault[] | undefined;
  /** The limit that the request exceeded, if that is the reason. */
  readonly limit?: LimitReached | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** `unknown` when the change may have been made although the answer is UNAVAILABLE. */
  readonly outcome?: "unknown" | undefined;
  /** A finer code than `code`, if there is one. */
  readonly reason?: string | undefined;
  /** Of a CONFLICT: why. */
  readonly conflict?: ConflictReason | undefined;
  /** Of INSUFFICIENT_DATA: what the figure lacks. */
  readonly missing?: CoreError["missing"];
}

/** Maximum number of `details` in one answer, so that a body full of faults is not answered with many times its size. */
const MAX_DETAILS = 1_000;
const RETRY_AFTER_SECONDS = 60;

function isTemporary({ code }: CoreError): boolean {
  return code === "RATE_LIMITED" || code === "UNAVAILABLE";
}

/**
 * Maps a thrown value to a failure. Anything but a core error or a {@link RestError} becomes INTERNAL_ERROR without details.
 * @param mayChange whether the request was at work on a change: what reads leaves no outcome unknown
 */
export function toFailure(error: unknown, now: Date, mayChange: boolean): Failure {
  const met = toCoreError(error);
  if (met) {
    const refusal = mayChange ? met : withoutDoubt(met);
    return {
      code: refusal.code,
      message: refusal.message,
      outcome: refusal.outcome,
      conflict: refusal.reason,
      missing: refusal.missing,
      details: refusal.details?.slice(0, MAX_DETAILS),
      limit: limitReached(refusal, now),
      headers: isTemporary(refusal) ? { "Retry-After": String(refusal.retryAfterSeconds ?? RETRY_AFTER_SECONDS) } : {},
    };
  }
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
