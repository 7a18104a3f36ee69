import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** What the guard says: why the request is refused, or the CORS headers of its answer. */
export type GuardVerdict = { readonly refusal: string } | { readonly headers: OutgoingHttpHeaders | null };

/** Checks `Host` and `Origin` against DNS rebinding and foreign pages (contract §9), before anything else is looked at. */
export interface OriginGuard {
  check(headers: IncomingHttpHeaders): GuardVerdict;
  /** Headers of the answer to a preflight that has passed `check`. */
  preflight(headers: IncomingHttpHeaders): OutgoingHttpHeaders;
}

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const noOrigin: GuardVerdict = { headers: null };
const EXPOSED = "WWW-Authenticate, Mcp-Session-Id, X-Trace-Id";

/** @param allowedOrigins further origins of web pages that may call, such as `https://app.example.com` */
export function createOriginGuard(publicUrl: string, allowedOrigins: readonly string[]): OriginGuard {
  const own = new URL(publicUrl);
  const origins = new Set([own.origin, ...allowedOrigins.map((origin) => new URL(origin).origin)]);

  return {
    check({ host, origin }) {
      const [, name] = HOST.exec(host ?? "") ?? [];
      if (name === undefined || !(name.toLowerCase() === own.hostname || LOOPBACK.test(name)))
        return { refusal: "Host is not served here" };
      if (origin === undefined) return noOrigin;
      if (!isAllowed(origin)) return { refusal: "Origin is not allowed" };
      return {
        headers: { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED, Vary: "Origin" },
      };
    },
    // GET is allowed so that a page sees the 405 itself; the headers asked for are granted because the origin is trusted already.
    preflight: (headers) => ({
      "Access-Control-Allow-Methods": "POST, DELETE, GET",
      "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "Authorization, Content-Type",
      "Access-Control-Max-Age": "7200",
    }),
  };

  function isAllowed(origin: string): boolean {
    if (origins.has(origin)) return true;
    const url = URL.canParse(origin) ? new URL(origin) : null;
    return url !== null && /^https?:$/.test(url.protocol) && LOOPBACK.test(url.hostname);
  }
}
