import type { CheckCause } from "./definition.js";
import { HttpFailure } from "./http-client.js";
import { recogniseCopies } from "./recognise-copies.js";

/**
 * An institution's answer to one request that cannot be used, or that refuses one customer. Providers throw or extend it. It says nothing about other
 * customers, unless its `status` is 500 or more, or its `cause` is an outage.
 */
export class AnswerFailure extends Error {
  override readonly name: string = "AnswerFailure";
  /** The HTTP status of the answer; null if it does not matter. */
  readonly status: number | null;

  static {
    recogniseCopies(AnswerFailure, "AnswerFailure");
  }

  constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

const MAX_CAUSE_DEPTH = 5;

/**
 * Whether an error means that an institution is down for everybody: it, or one of its causes, says that there was no network, no TLS or no answer in
 * time, or a status of 500 or more. Any other error, such as a `ZodError` or a `TypeError` at an odd answer, concerns the customer whose data were read.
 */
export function isOutage(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth <= MAX_CAUSE_DEPTH && cause instanceof Error; depth += 1, cause = cause.cause) {
    if (cause instanceof HttpFailure)
      return cause.code === "status" ? isServersFault(cause.status) : outages.has(cause.code);
    if (cause instanceof AnswerFailure && isServersFault(cause.status)) return true;
    if (cause.name === "TimeoutError" || transportCodes.has(String((cause as { code?: unknown }).code))) return true;
  }
  return false;
}

/**
 * The answer of a fetch whose institution answered what cannot be used: the customer's failure, which another attempt at once does not mend.
 * @throws the error, if it is anything else, such as an outage
 */
export function failedAnswer(error: unknown): { readonly failed: { readonly message: string } } {
  const isAnswer = error instanceof AnswerFailure || (error instanceof HttpFailure && error.status !== null);
  if (!isAnswer || isOutage(error)) throw error;
  return { failed: { message: error.message } };
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

const causes: Readonly<Record<HttpFailure["code"], CheckCause | null>> = {
  timed_out: "no_answer",
  network: "unreachable",
  tls: "tls",
  refused_host: "other_host",
  unsendable: null,
  too_large: "unusable_answer",
  not_json: "unusable_answer",
  status: "unusable_answer",
};

const outages: ReadonlySet<HttpFailure["code"]> = new Set(["network", "timed_out", "tls"]);

/** The codes of Node and undici, for providers with an HTTP client of their own. */
const transportCodes: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_SOCKET"],
  ...["UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"],
]);
