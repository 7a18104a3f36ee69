import type { CheckCause } from "./definition.js";
import { HttpFailure } from "./http-client.js";

/**
 * An institution's answer to one request that cannot be used, or that refuses one customer. Providers throw or extend it. It says nothing about other
 * customers, unless its `status` is 500 or more, or its `cause` is an {@link HttpFailure} that is an outage.
 */
export class AnswerFailure extends Error {
  override readonly name: string = "AnswerFailure";
  /** The HTTP status of the answer; null if it does not matter. */
  readonly status: number | null;

  constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

/**
 * Whether an error means that an institution is down for everybody: network, TLS, timeout, or a status of 500 or more. An error that is neither
 * {@link HttpFailure} nor {@link AnswerFailure} counts as an outage, since its cause is unknown.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof HttpFailure)
    return error.code === "status" ? isServersFault(error.status) : outages.has(error.code);
  if (error instanceof AnswerFailure)
    return isServersFault(error.status) || (error.cause instanceof HttpFailure && isOutage(error.cause));
  return true;
}

function isServersFault(status: number | null): boolean {
  return status !== null && status >= 500;
}

/** What a check's error says about the institution; null if nothing is known. */
export function checkCauseOf(error: unknown): CheckCause | null {
  if (error instanceof HttpFailure) return causes[error.code];
  if (!(error instanceof AnswerFailure)) return null;
  return error.cause instanceof HttpFailure ? causes[error.cause.code] : "unusable_answer";
}

const causes: Readonly<Record<HttpFailure["code"], CheckCause>> = {
  timed_out: "no_answer",
  network: "unreachable",
  tls: "tls",
  refused_host: "other_host",
  too_large: "unusable_answer",
  not_json: "unusable_answer",
  status: "unusable_answer",
};

const outages: ReadonlySet<HttpFailure["code"]> = new Set(["network", "timed_out", "tls"]);
