import {
  type AccessRefusal,
  AnswerFailure,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
} from "@org/provider-kit";

/** How a read ends early, in the words of the port. */
export type InterruptionReason =
  | { readonly refused: AccessRefusal }
  | { readonly throttled: { readonly retry_after: number } }
  | { readonly pending: { readonly retry_after: number; readonly state: unknown } };

/** What a bank said that ends a read, wherever in it that comes up. */
export class ReadInterrupted extends Error {
  override readonly name = "Ending";
  readonly end: InterruptionReason;

  constructor(end: InterruptionReason) {
    super(`the bank ends this: ${Object.keys(end).join()}`);
    this.end = end;
  }
}

/** A bank, or what an operator set, does not do what it has to. The message is for the log and holds no secret. */
export class OpenWealthFailure extends AnswerFailure {
  override readonly name = "OpenWealthFailure";
  /** What OAuth calls it (RFC 6749 §5.2), where a token endpoint said so. */
  readonly oauth_code: string | null;

  constructor(message: string, { oauth_code = null, status }: { oauth_code?: string | null; status?: number } = {}) {
    super(message, status === undefined ? {} : { status });
    this.oauth_code = oauth_code;
  }
}

/** A read that was given up because it took longer than the server lets it. */
export class ReadTooLong extends OpenWealthFailure {}

/** Seconds to wait where a bank wants fewer requests and does not say for how long. */
const RETRY_AFTER = 60;

/** Sends a request, and ends the read where the bank wants fewer of them: 429, or 503 that says when to come again. */
export async function sendRequest<Read extends "json" | "json_exact">(
  http: HttpClient,
  request: HttpRequest<Read>,
): Promise<HttpAnswer<Read>> {
  const answer = await http.request(request);
  const { status, retry_after_seconds } = answer;
  if (status === 429 || (status === 503 && retry_after_seconds !== null))
    throw new ReadInterrupted({ throttled: { retry_after: Math.max(1, retry_after_seconds ?? RETRY_AFTER) } });
  return answer;
}
