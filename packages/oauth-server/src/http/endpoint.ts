import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import {
  answerEmpty,
  answerText,
  BodyError,
  type BodyLimits,
  createOriginPolicy,
  type Exchange,
  exchangeOf,
  limitSentence,
  logDefect,
  preflightHeaders,
  type RouteFacts,
  retryAfter,
} from "@org/http";
import { isInDoubt, OAuthError, type OAuthErrorCode, outageSeconds, type ProtocolErrorCode } from "../oauth-error.js";

/** An answer: JSON, a page, or no body. */
export interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly html?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** The endpoint of one path; its route declares the rest. */
export interface OAuthEndpoint {
  /** `Cache-Control` of answers with status 200; all others are `no-store`. */
  readonly cacheControl?: string;
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It changes nothing, so no outcome is unknown. */
  readonly reads?: true;
  /** Answer to other methods; a JSON error by default. */
  readonly notAllowed?: (req: IncomingMessage) => Answer;
  /** @param limits of the body, if it reads one */
  answer(exchange: Exchange, limits: BodyLimits): Promise<Answer>;
}

/** Handles a request with Node's own request and response, so that it works with and without express. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Receives unexpected errors; a pino logger fits. */
export interface ErrorLog {
  error(fields: { err: unknown; trace_id: string | null; client_document?: string }, message: string): void;
}

/** Turns the endpoint of a route into a handler: method, CORS, errors and headers are handled the same for all. */
export function handlerOf(
  route: RouteFacts,
  endpoint: OAuthEndpoint,
  { log, maxBodyBytes }: { log: ErrorLog; maxBodyBytes: number },
): RequestHandler {
  const limits = { maxBytes: Math.min(route.maxBodyBytes ?? 0, maxBodyBytes), maxSeconds: BODY_SECONDS };
  const [method = ""] = route.methods;
  const methods = [...route.methods, ...(route.origins === "none" ? [] : ["OPTIONS"])];
  const notAllowed = (req: IncomingMessage): Answer => {
    const answer = endpoint.notAllowed?.(req) ?? {
      status: 405,
      body: { error: "invalid_request", error_description: `method not allowed; use ${method}` },
    };
    return { ...answer, headers: { ...answer.headers, Allow: methods.join(", ") } };
  };
  const common = { ...origins.headersFor(route.origins, {}), "X-Content-Type-Options": "nosniff", ...endpoint.headers };
  const mayChange = method === "POST" && !endpoint.reads;
  const cacheable = endpoint.cacheControl === undefined ? NOT_KEPT : { "Cache-Control": endpoint.cacheControl };

  return async (req, res) => {
    const exchange = exchangeOf(req, res);
    if (!methods.includes(req.method ?? "")) return write(notAllowed(req));
    if (req.method === "OPTIONS")
      return write({ status: 204, headers: preflightHeaders({ ...PREFLIGHT, methods: [method] }, req.headers) });
    try {
      write(await endpoint.answer(exchange, limits));
    } catch (error) {
      const answer = refusal(error, req, limits, mayChange);
      if (error instanceof OAuthError && error.limit) exchange.note({ limit: error.limit.name });
      if (answer.status === 500) logDefect(log, exchange, error, "an OAuth request failed");
      write(answer);
    }

    function write({ status, body, html, headers }: Answer): void {
      const all = { ...(status === 200 ? cacheable : NOT_KEPT), ...common, ...headers };
      if (html !== undefined) answerText(res, status, "text/html; charset=utf-8", html, all);
      else if (body !== undefined) answerText(res, status, "application/json", JSON.stringify(body), all);
      else answerEmpty(res, status, all);
    }
  };
}

/** Status and message for a body that is too large, too slow or incomplete, or for which there is no capacity. */
export function bodyFault(
  { code, limit }: BodyError,
  { maxBytes }: BodyLimits,
): { status: 400 | 408 | 413 | 429 | 503; message: string } {
  if (limit)
    return limit.isOwnShare
      ? { status: 429, message: limitSentence("too many request bytes in flight", limit) }
      : { status: 503, message: limitSentence("too many bytes are on their way to the server", limit) };
  if (code === "too_large") return { status: 413, message: `the body is larger than ${maxBytes} bytes` };
  if (code === "small_chunks") return { status: 400, message: "the body comes in too many small chunks" };
  return { status: 408, message: code === "too_slow" ? "the body took too long" : "the request was broken off" };
}

/** Headers of such an answer: the client retries later, or on another connection. One that sends small chunks may still read it. */
export function bodyFaultHeaders({ code, limit }: BodyError): OutgoingHttpHeaders {
  if (code === "small_chunks") return {};
  return limit ? retryAfter(limit.retryAfterSeconds) : { Connection: "close" };
}

function refusal(error: unknown, req: IncomingMessage, limits: BodyLimits, mayChange: boolean): Answer {
  if (error instanceof BodyError) {
    const { status, message } = bodyFault(error, limits);
    const code = error.limit ? "temporarily_unavailable" : "invalid_request";
    return { status, body: { error: code, error_description: message }, headers: bodyFaultHeaders(error) };
  }
  const outage = outageSeconds(error);
  if (outage !== null)
    return {
      status: 503,
      body: {
        error: "temporarily_unavailable",
        ...(mayChange && isInDoubt(error)
          ? { error_description: OUTCOME_UNKNOWN, outcome: "unknown" }
          : { error_description: "database temporarily unavailable; retry later" }),
      },
      headers: retryAfter(outage),
    };
  const status = error instanceof OAuthError ? statusOf(error) : 500;
  if (!(error instanceof OAuthError) || status === 500) return { status: 500, body: { error: "server_error" } };
  return {
    status,
    body: { error: error.code, error_description: error.message },
    headers: {
      // RFC 6749 §5.2: name the scheme that the client tried, which is also the only one to offer under RFC 7235 §3.1.
      ...(error.code === "invalid_client" && req.headers.authorization !== undefined
        ? { "WWW-Authenticate": BASIC_CHALLENGE }
        : {}),
      // RFC 6750 §3: a request without a token gets no error code.
      ...(error.code === "invalid_token"
        ? { "WWW-Authenticate": req.headers.authorization === undefined ? "Bearer" : 'Bearer error="invalid_token"' }
        : {}),
      ...(error.retryAfterSeconds === undefined ? {} : retryAfter(error.retryAfterSeconds)),
    },
  };
}

/** Reaching a limit that all callers share is a server condition: 503. */
function statusOf({ code, limit, isUnavailable }: OAuthError): number {
  if (limit?.isOfAll || isUnavailable) return 503;
  return isProtocolError(code) ? STATUS[code] : 500;
}

function isProtocolError(code: OAuthErrorCode): code is ProtocolErrorCode {
  return code in STATUS;
}

const STATUS: Readonly<Record<ProtocolErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_token: 401,
  invalid_dpop_proof: 400,
  temporarily_unavailable: 429,
  server_error: 500,
};
/** Every route allows all origins or none, so no origins are configured. */
const origins = createOriginPolicy("http://localhost", []);
const PREFLIGHT = {
  requestHeaders: ["Authorization", "Content-Type", "DPoP", "MCP-Protocol-Version"],
  maxAgeSeconds: 86_400,
} as const;
const OUTCOME_UNKNOWN = "database lost while the change was being committed: it may or may not have been made";
const NOT_KEPT = { "Cache-Control": "no-store", Pragma: "no-cache" };
const BASIC_CHALLENGE = 'Basic realm="token", charset="UTF-8"';
const BODY_SECONDS = 30;
