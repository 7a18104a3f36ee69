import { createHash } from "node:crypto";
import { type FlexResponse, readFlexResponse } from "@org/bank-providers";
import { type HttpAnswer, type HttpClient, HttpFailure, type Pace, type PaceLimit } from "@org/provider-kit";
import { type FlexError, flexError, THROTTLED_SECONDS } from "./error-codes.js";
import { FlexFailure } from "./flex-failure.js";
import { isStatement } from "./statement.js";

/** The service's answer. */
export type FlexAnswer =
  | { readonly kind: "reference"; readonly reference: string }
  | { readonly kind: "statement"; readonly body: Uint8Array }
  /** `code` as the service writes it; null if it says `Fail` without one. */
  | { readonly kind: "error"; readonly code: string | null; readonly error: FlexError };

/** How a request waits for its turn. If nobody waits for the result (`awaited`), it is `throttled` instead of waiting. */
export interface WaitOptions {
  readonly awaited: boolean;
  readonly signal: AbortSignal;
}

/** The two requests of the Flex Web Service. */
export interface FlexService {
  /** `SendRequest`: requests a statement. @throws FlexFailure, HttpFailure */
  send(token: string, queryId: string, waiting: WaitOptions): Promise<FlexAnswer>;
  /** `GetStatement`: fetches the statement once it is ready. @throws FlexFailure */
  get(token: string, reference: string, waiting: WaitOptions): Promise<FlexAnswer>;
}

/** The service refuses programs that do not identify themselves; it asks for a technology and its version. */
const USER_AGENT = "Node.js/20 (Wealth Connect)";
const MAX_ANSWER_BYTES = 256 * 1024;
/** The limit of the parser. */
const MAX_STATEMENT_BYTES = 64 * 1024 * 1024;
const ANSWER_MS = 15_000;
const STATEMENT_MS = 40_000;

/** One request a second and ten a minute for each token, with a margin for requests that are slower on their way than the following ones. */
const limits: readonly PaceLimit[] = [
  { every_ms: 1_500, calls: 1 },
  { every_ms: 65_000, calls: 10 },
];

/** @param baseUrl the URL before `/SendRequest`; the URL in an answer is not followed */
export function createFlexService(deps: { baseUrl: string; http: HttpClient; pace: Pace }): FlexService {
  return {
    send: (token, queryId, waiting) =>
      ask("SendRequest", token, queryId, { max_bytes: MAX_ANSWER_BYTES, timeout_ms: ANSWER_MS }, waiting),
    get: (token, reference, waiting) =>
      ask("GetStatement", token, reference, { max_bytes: MAX_STATEMENT_BYTES, timeout_ms: STATEMENT_MS }, waiting),
  };

  async function ask(
    call: "SendRequest" | "GetStatement",
    token: string,
    q: string,
    bounds: { max_bytes: number; timeout_ms: number },
    { awaited, signal }: WaitOptions,
  ): Promise<FlexAnswer> {
    // The key is stored where all replicas see it, so it must not reveal the token.
    const key = `ibkr-flex:${createHash("sha256").update(token).digest("hex").slice(0, 32)}`;
    const wait = await (awaited ? deps.pace(key, limits, signal) : deps.pace(key, limits, signal, 0));
    if (wait) return throttled(wait.retry_after);
    const answer = await deps.http
      .request({
        method: "GET",
        url: `${deps.baseUrl}/${call}`,
        query: { t: token, q, v: "3" },
        headers: { "user-agent": USER_AGENT, accept: "application/xml, text/xml" },
        read: "bytes",
        ...bounds,
        signal,
      })
      .catch((error: unknown) => {
        if (!(error instanceof HttpFailure)) throw error;
        if (error.code === "too_large") throw tooLarge(call);
        // A call that throws `HttpFailure` may be repeated immediately. This one must not: the institution would produce another statement.
        throw call === "GetStatement" ? new FlexFailure(error.message, { cause: error }) : error;
      });
    return understand(call, answer);
  }
}

function tooLarge(call: string): FlexFailure {
  const mend = "the customer has to shorten the period of the Flex query";
  return new FlexFailure(
    call === "GetStatement"
      ? `the statement is larger than ${MAX_STATEMENT_BYTES / 1024 / 1024} MiB: ${mend}`
      : `${call} was answered with more than ${MAX_ANSWER_BYTES / 1024} KiB, which is no Flex`,
  );
}

function understand(call: string, answer: HttpAnswer<"bytes">): FlexAnswer {
  const { status, body } = answer;
  if (status === 429) return throttled(answer.retry_after_seconds ?? THROTTLED_SECONDS);
  const head = Buffer.from(body.subarray(0, 1_000)).toString("latin1");
  const response = head.includes("<FlexStatementResponse") ? responseIn(call, body) : null;
  if (response?.error_code) return { kind: "error", code: response.error_code, error: flexError(response.error_code) };
  if (response?.status === "Success" && response.reference_code && call === "SendRequest")
    return { kind: "reference", reference: response.reference_code };
  if (response) return { kind: "error", code: null, error: flexError(null) };
  if (status === 200 && call === "GetStatement" && isStatement(head)) return { kind: "statement", body };
  throw new FlexFailure(`${call} was answered ${status} with ${describeAnswer(head)} instead of Flex`, { status });
}

function responseIn(call: string, body: Uint8Array): FlexResponse {
  try {
    return readFlexResponse(body);
  } catch (cause) {
    throw new FlexFailure(`${call} was answered with Flex that breaks off or is not well-formed`, { cause });
  }
}

function throttled(retry_after: number): FlexAnswer {
  return { kind: "error", code: "1018", error: { kind: "throttled", retry_after } };
}

function describeAnswer(head: string): string {
  if (head.trim() === "") return "nothing";
  return /<!doctype html|<html[\s>]/i.test(head) ? "a web page" : "something else";
}
