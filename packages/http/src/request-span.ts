import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { remoteSpan } from "./trace-id.js";

/** The span of one request, by OpenTelemetry's conventions for HTTP servers. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs something below it. */
  within<T>(work: () => T): T;
  /** Ends it with what the access log says. One that is not ended is not exported. */
  end(answered: { readonly route: string | null; readonly status: number; readonly limit?: string }): void;
}

/** Methods that a span may have in its name: whoever asks may write anything. */
const METHODS: readonly string[] = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

/**
 * Begins the span of a request. It has the pattern of the route and never the path, the query or an address: paths here hold
 * secrets, as `/connect/:link` does.
 */
export function beginRequestSpan(tracer: Tracer, request: IncomingMessage): RequestSpan {
  const { method = "", headers, httpVersion, socket } = request;
  const isKnown = METHODS.includes(method);
  const parent = remoteSpan(headers.traceparent, headers.tracestate);
  const span = tracer.startSpan(
    isKnown ? method : "HTTP",
    {
      kind: SpanKind.SERVER,
      attributes: {
        "http.request.method": isKnown ? method : "_OTHER",
        "url.scheme": (socket as TLSSocket).encrypted ? "https" : "http",
        "network.protocol.version": httpVersion,
      },
    },
    parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
  );
  const below: Context = trace.setSpan(ROOT_CONTEXT, span);
  return {
    traceId: span.spanContext().traceId,
    within: (work) => context.with(below, work),
    end({ route, status, limit }) {
      if (route !== null) span.updateName(`${isKnown ? method : "HTTP"} ${route}`).setAttribute("http.route", route);
      span.setAttribute("http.response.status_code", status);
      if (limit !== undefined) span.setAttribute("wealth_connect.limit", limit);
      if (status >= 500) span.setAttribute("error.type", String(status)).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
