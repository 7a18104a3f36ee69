import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { type Context, context, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { remoteSpan } from "./trace-id.js";

/** Span of one request, following OpenTelemetry's conventions for HTTP servers. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs work as a child of this span. */
  within<T>(work: () => T): T;
  /** Ends the span with the facts of the access log. A span that is not ended is not exported. */
  end(answered: { readonly route: string | null; readonly status: number; readonly limit?: string }): void;
}

/** Methods that may appear in a span's name; a client may send any text as the method. */
const METHODS: readonly string[] = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"];

/**
 * Begins the span of a request. It has the pattern of the route but never the path, the query or an address, because paths may
 * contain secrets: `/connect/:link`.
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
