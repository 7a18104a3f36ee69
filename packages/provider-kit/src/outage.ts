import { HttpFailure } from "./http-client.js";

/**
 * What an institution answered to one request cannot be used, or refuses one customer: to be thrown, or extended, by providers. It says
 * nothing of the institution for others, unless its `status` is 500 or more, or its `cause` an {@link HttpFailure} that does.
 */
export class AnswerFailure extends Error {
  override readonly name: string = "AnswerFailure";
  /** The HTTP status of the answer; null where it does not matter. */
  readonly status: number | null;

  constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

/**
 * Whether an error says that an institution cannot be reached or is out of order, whoever asks: the network, TLS, the time, a status
 * of 500 or more. An error that is neither {@link HttpFailure} nor {@link AnswerFailure} may be anything, and counts as one.
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

const outages: ReadonlySet<HttpFailure["code"]> = new Set(["network", "timed_out", "tls"]);
