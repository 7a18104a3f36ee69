import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { isLoopbackHost } from "./loopback.js";

/**
 * Which web pages may call a route and read its answer.
 * - `guarded`: those of the installation's own origin, of any loopback origin and of the configured ones.
 * - `any`: all of them, without credentials: metadata, and what identifies its caller by what is in the request.
 * - `none`: no page but the browser itself, which shows it: nothing is said about origins.
 */
export type OriginRule = "guarded" | "any" | "none";

/** Which request gets which answer about its origin. */
export interface OriginPolicy {
  /** Whether `Host` names the installation or a loopback address, which keeps DNS rebinding out. */
  isServedHost(host: string | undefined): boolean;
  /** Whether a page of this origin may call what is guarded. */
  isAllowedOrigin(origin: string): boolean;
  /** CORS headers of an answer; null for none, which is what makes a browser refuse. */
  headersFor(rule: OriginRule, headers: IncomingHttpHeaders): OutgoingHttpHeaders | null;
}

/** What a preflight is told a route takes. */
export interface PreflightFacts {
  readonly methods: readonly string[];
  /** Names of request headers; `asked` = whatever the page asks for, where its origin is trusted anyway. */
  readonly requestHeaders: readonly string[] | "asked";
  /** How long a browser may remember it. */
  readonly maxAgeSeconds: number;
}

/** Headers of answers that a page may read, on every route. */
const EXPOSED_HEADERS = "WWW-Authenticate, Mcp-Session-Id, Retry-After, X-Trace-Id";
/** What {@link OriginPolicy.headersFor} says for `any`, where there is no policy at hand. */
export const anyOriginHeaders: OutgoingHttpHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
};

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/** @param allowedOrigins further origins of web pages that may call what is guarded, such as `https://app.example.com` */
export function createOriginPolicy(publicUrl: string, allowedOrigins: readonly string[]): OriginPolicy {
  const own = new URL(publicUrl);
  const origins = new Set([own.origin, ...allowedOrigins.map((origin) => new URL(origin).origin)]);

  return {
    isServedHost(host) {
      const name = HOST.exec(host ?? "")?.[1];
      return name !== undefined && (name.toLowerCase() === own.hostname || isLoopbackHost(name));
    },
    isAllowedOrigin,
    headersFor(rule, { origin }) {
      if (rule === "any") return anyOriginHeaders;
      if (rule === "none" || origin === undefined || !isAllowedOrigin(origin)) return null;
      return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        Vary: "Origin",
      };
    },
  };

  function isAllowedOrigin(origin: string): boolean {
    if (origins.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    const { protocol, hostname } = new URL(origin);
    return (protocol === "http:" || protocol === "https:") && isLoopbackHost(hostname);
  }
}

/** Whether a request only asks what may be sent (Fetch, "CORS-preflight request"). */
export function isPreflight({
  method,
  headers,
}: {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Headers of the answer to a preflight, beside those of {@link OriginPolicy.headersFor}. */
export function preflightHeaders(
  { methods, requestHeaders, maxAgeSeconds }: PreflightFacts,
  headers: IncomingHttpHeaders,
): OutgoingHttpHeaders {
  const allowed =
    requestHeaders === "asked"
      ? (headers["access-control-request-headers"] ?? "Authorization, Content-Type")
      : requestHeaders.join(", ");
  return {
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": allowed,
    "Access-Control-Max-Age": String(maxAgeSeconds),
  };
}
