import type { IncomingMessage, ServerResponse } from "node:http";
import { OAuthError, type OAuthErrorCode, type ProtocolErrorCode } from "../oauth-error.js";
import { BodyRefusal } from "./read-form.js";

/** An answer: JSON, or a page, or nothing. */
export interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** One address: which method it takes, who may call it from a browser, what it answers. */
export interface Endpoint {
  readonly method: "GET" | "POST";
  /** Whether scripts of any origin may call it, without credentials. */
  readonly anyOrigin: boolean;
  /** `Cache-Control` of successful answers; errors and everything else are `no-store`. */
  readonly cacheControl?: string;
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answer to other methods; JSON unless told otherwise. */
  readonly notAllowed?: Answer;
  answer(req: IncomingMessage): Promise<Answer>;
}

/** Handles a request with nothing but Node's own request and response, so that it runs with and without express. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Where an unexpected error goes; pino is one. */
export interface ErrorLog {
  error(fields: { err: unknown; trace_id: string | null }, message: string): void;
}

/**
 * Turns an endpoint into a handler: method, CORS, errors and headers are the same for all.
 * @param traceId the same for every call with one request; it goes into logs and `X-Trace-Id`
 */
export function handlerOf(
  endpoint: Endpoint,
  log: ErrorLog,
  traceId: (req: IncomingMessage) => string | null,
): RequestHandler {
  return async (req, res) => {
    const trace_id = traceId(req);
    if (trace_id !== null) res.setHeader("X-Trace-Id", trace_id);
    if (!methodsOf(endpoint).includes(req.method ?? "")) return write(res, endpoint, methodNotAllowed(endpoint));
    if (req.method === "OPTIONS") return write(res, endpoint, preflight(endpoint));
    try {
      write(res, endpoint, await endpoint.answer(req));
    } catch (error) {
      const answer = refusal(error, req);
      if (answer.status === 500) log.error({ err: error, trace_id }, "an OAuth request failed");
      write(res, endpoint, answer);
    }
  };
}

function methodsOf({ method, anyOrigin }: Endpoint): readonly string[] {
  return [method, ...(method === "GET" ? ["HEAD"] : []), ...(anyOrigin ? ["OPTIONS"] : [])];
}

function methodNotAllowed(endpoint: Endpoint): Answer {
  const body = { error: "invalid_request", error_description: `this address takes ${endpoint.method}` };
  const headers = { Allow: methodsOf(endpoint).join(", ") };
  return { ...(endpoint.notAllowed ?? { status: 405, body }), headers };
}

function preflight({ method }: Endpoint): Answer {
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": method,
      "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
      "Access-Control-Max-Age": "86400",
    },
  };
}

function refusal(error: unknown, req: IncomingMessage): Answer {
  if (error instanceof BodyRefusal) {
    const body = { error: "invalid_request", error_description: error.message };
    return { status: error.status, body, headers: { Connection: "close" } };
  }
  const status = error instanceof OAuthError && isProtocolError(error.code) ? STATUS[error.code] : 500;
  if (!(error instanceof OAuthError) || status === 500) return { status: 500, body: { error: "server_error" } };
  return {
    status,
    body: { error: error.code, error_description: error.message },
    headers: {
      // RFC 6749 §5.2: the scheme that the client tried; RFC 7235 §3.1 leaves none other to offer.
      ...(status === 401 && req.headers.authorization !== undefined ? { "WWW-Authenticate": BASIC_CHALLENGE } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) }),
    },
  };
}

function write(res: ServerResponse, endpoint: Endpoint, { status, body, html, headers }: Answer): void {
  const text = html ?? (body === undefined ? undefined : JSON.stringify(body));
  const payload = text === undefined ? undefined : Buffer.from(text);
  const type = html === undefined ? "application/json" : "text/html; charset=utf-8";
  const cacheable = status === 200 && endpoint.cacheControl;
  res.writeHead(status, {
    ...(cacheable ? { "Cache-Control": endpoint.cacheControl } : { "Cache-Control": "no-store", Pragma: "no-cache" }),
    ...(endpoint.anyOrigin ? ANY_ORIGIN : {}),
    ...(payload ? { "Content-Type": type } : {}),
    ...(status === 204 ? {} : { "Content-Length": String(payload?.byteLength ?? 0) }),
    "X-Content-Type-Options": "nosniff",
    ...endpoint.headers,
    ...(headers as Record<string, string | string[]>),
  });
  res.end(payload);
}

function isProtocolError(code: OAuthErrorCode): code is ProtocolErrorCode {
  return code in STATUS;
}

const STATUS: Readonly<Record<ProtocolErrorCode, number>> = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_response_type: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  temporarily_unavailable: 429,
  server_error: 500,
};
const ANY_ORIGIN = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, X-Trace-Id",
};
const BASIC_CHALLENGE = 'Basic realm="token", charset="UTF-8"';
