import {
  AnswerFailure,
  type HttpAnswer,
  type HttpClient,
  type HttpRequest,
  isThrottled,
  ReadInterrupted,
} from "@org/provider-kit";

/** A bank, or the operator's settings, are at fault. The message is for the log and contains no secret. */
export class OpenWealthFailure extends AnswerFailure {
  override readonly name = "OpenWealthFailure";
  /** The OAuth error code (RFC 6749 §5.2), if a token endpoint sent one. */
  readonly oauth_code: string | null;

  constructor(message: string, { oauth_code = null, status }: { oauth_code?: string | null; status?: number } = {}) {
    super(message, status === undefined ? {} : { status });
    this.oauth_code = oauth_code;
  }
}

/** A read that stopped because it exceeded its time limit. */
export class ReadTooLong extends OpenWealthFailure {}

/** Seconds to wait if a bank asks for fewer requests without saying for how long. */
const RETRY_AFTER = 60;

/** Sends a request, and ends the read if the bank asks for fewer: 429, or 503 with a time to come back. */
export async function sendRequest<Read extends "json" | "json_exact">(
  http: HttpClient,
  request: HttpRequest<Read>,
): Promise<HttpAnswer<Read>> {
  const answer = await http.request(request);
  if (isThrottled(answer))
    throw new ReadInterrupted({ throttled: { retry_after: Math.max(1, answer.retry_after_seconds ?? RETRY_AFTER) } });
  return answer;
}
