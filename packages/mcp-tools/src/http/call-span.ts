import {
  context,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { type Exchange, remoteSpan } from "@org/http";
import type { CallRecord } from "./mcp-handler-deps.js";

/**
 * Runs a tool call in a span by OpenTelemetry's conventions for MCP servers, which has neither arguments nor answer. Its parent is the
 * client's span in `_meta`, where that belongs to the trace of the request, and the request's own span otherwise; the other of the two
 * is linked.
 */
export function inCallSpan<T>(
  tracer: Tracer,
  tool: string,
  caller: { readonly exchange: Exchange; readonly meta: Readonly<Record<string, unknown>> | undefined },
  work: (end: (outcome: CallRecord["outcome"]) => void) => Promise<T>,
): Promise<T> {
  const client = remoteSpan(caller.meta?.traceparent, caller.meta?.tracestate);
  const request = trace.getSpanContext(context.active()) ?? null;
  const isOfThisTrace = client?.traceId === caller.exchange.traceId;
  const parent = client !== null && isOfThisTrace ? trace.setSpanContext(context.active(), client) : context.active();
  const span = tracer.startSpan(
    `tools/call ${tool}`,
    {
      kind: SpanKind.SERVER,
      links: linkTo(isOfThisTrace ? request : client),
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "network.transport": "tcp",
        "network.protocol.name": "http",
      },
    },
    parent,
  );
  return context.with(trace.setSpan(parent, span), () => work((outcome) => endSpan(span, outcome)));
}

function linkTo(other: SpanContext | null): Link[] {
  return other === null ? [] : [{ context: other }];
}

function endSpan(span: Span, outcome: CallRecord["outcome"]): void {
  if (outcome !== "ok")
    span
      .setAttributes({ "error.type": "tool_error", "wealth_connect.outcome": outcome })
      .setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
