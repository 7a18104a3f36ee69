import type { RequestHandler } from "express";

const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, traceparent, tracestate";
const EXPOSED_HEADERS = "X-Trace-Id, WWW-Authenticate, Retry-After";
const PREFLIGHT_SECONDS = "600";
const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Lets browsers call from the installation's own origin, from any loopback origin and from `allowedOrigins`; a preflight ends
 * here. Other origins get no CORS headers, which is what makes a browser refuse. Credentials are bearer tokens, never cookies,
 * so there is no `Access-Control-Allow-Credentials`.
 */
export function cors(publicUrl: string, allowedOrigins: readonly string[]): RequestHandler {
  const allowed = new Set([new URL(publicUrl).origin, ...allowedOrigins]);
  return (request, response, next) => {
    const { origin } = request.headers;
    response.vary("Origin");
    if (origin !== undefined && (allowed.has(origin) || isLoopback(origin))) {
      response.setHeader("Access-Control-Allow-Origin", origin);
      response.setHeader("Access-Control-Expose-Headers", EXPOSED_HEADERS);
    }
    if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) return next();
    if (response.hasHeader("Access-Control-Allow-Origin")) {
      response.setHeader("Access-Control-Allow-Methods", "POST");
      response.setHeader("Access-Control-Allow-Headers", ALLOWED_HEADERS);
      response.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
    }
    response.status(204).end();
  };
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === "http:" || protocol === "https:") && LOOPBACK_HOSTS.has(hostname);
}
