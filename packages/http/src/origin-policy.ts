import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { isLoopbackHost } from "./loopback.js";

/**
 * Which web pages may call a route and read its answer.
 * - `guarded`: pages of the installation's own origin, of any loopback origin and of the configured origins.
 * - `any`: all pages, without credentials. For metadata, and for routes that identify the caller by the request itself.
 * - `none`: no page, because the browser itself shows the answer. No CORS headers are sent.
 */
export type OriginRule = "guarded" | "any" | "none";

/** Decides how a request is answered with regard to its origin. */
export interface OriginPolicy {
  /** Whether `Host` names the installation or a loopback address; prevents DNS rebinding. */
  isServedHost(host: string | undefined): boolean;
  /** Whether a page of this origin may call guarded routes. */
  isAllowedOrigin(origin: string): boolean;
  /** CORS headers of an answer; null for none, which makes the browser refuse. */
  headersFor(rule: OriginRule, headers: IncomingHttpHeaders): OutgoingHttpHeaders | null;
}

/** What a preflight answer says that a route accepts. */
export interface PreflightFacts {
  readonly methods: readonly string[];
  /** Names of request headers; `asked` = whatever the page requests, for origins that are trusted anyway. */
  readonly requestHeaders: readonly string[] | "asked";
  /** How long a browser may cache it. */
  readonly maxAgeSeconds: number;
}

/** Response headers that a page may read, on every route. */
const EXPOSED_HEADERS = "WWW-Authenticate, DPoP-Nonce, Mcp-Session-Id, Retry-After, X-Trace-Id";
/** Result of {@link OriginPolicy.headersFor} for `any`, for use without a policy. */
export const anyOriginHeaders: OutgoingHttpHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
};

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/** @param allowedOrigins further origins of web pages that may call guarded routes, such as `https://app.example.com` */
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

/** Whether a request is a preflight (Fetch, "CORS-preflight request"). */
export function isPreflight({
  method,
  headers,
}: {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** Headers of a preflight answer, besides those of {@link OriginPolicy.headersFor}. */
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
