import { setMaxListeners } from "node:events";
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
import { createSemaphore, type SemaphoreLoad } from "@org/admission";
import { CoreError, queueRefusal, type TenantActor } from "@org/core";
import { type Exchange, logDefect, remoteSpan } from "@org/http";
import { callTool } from "../call-tool.js";
import type { CallRecord, McpHandlerDeps } from "./mcp-handler-deps.js";
import type { ToolCaller } from "./sdk-server.js";

/** The request on whose behalf tools are called. */
interface CallingRequest {
  readonly exchange: Exchange;
  readonly actor: TenantActor;
  /** Whether it has several messages. Their calls take turns with those of the tenant's other batches. */
  readonly isBatch: boolean;
  /** `_meta` of its message, if it is a single message that has it. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** Receives a record of each call. */
  readonly calls: CallRecord[];
}

/** Makes the tool caller of a request. */
export interface ToolCallers {
  callerFor(request: CallingRequest): ToolCaller;
  /** Numbers of calls from batches that run and that wait. */
  readonly batchCalls: SemaphoreLoad;
}

/** Maximum number of concurrent calls from batches per tenant, however many batches it sends. */
const BATCH_CONCURRENCY = 4;

export function createToolCallers(deps: McpHandlerDeps): ToolCallers {
  const { services, clock, answerMaxCharacters: maxCharacters } = deps;
  const batchCalls = createSemaphore({
    name: "batch_calls_waiting",
    permits: 64,
    permitsPerKey: BATCH_CONCURRENCY,
    waiting: 20_000,
    waitingPerKey: 2_000,
    retryAfterSeconds: 10,
    refuse: queueRefusal,
  });

  return {
    batchCalls,
    callerFor({ exchange, actor, isBatch, meta, calls }) {
      const { traceId } = exchange;
      const admit = deps.admit && (() => deps.admit?.(actor.tenant_id));
      const begin = isBatch ? turnOf(exchange, actor.tenant_id) : undefined;
      const call = (
        tool: Parameters<ToolCaller>[0],
        args: unknown,
        onEnd?: (outcome: CallRecord["outcome"]) => void,
      ) => {
        const started = performance.now();
        return callTool(tool, args, {
          services,
          actor,
          traceId,
          clock,
          maxCharacters,
          admit,
          begin,
          onDefect: (error) => logDefect(deps.log, exchange, error, "tool failed", { tool: tool.name }),
          onEnd(outcome, limit) {
            const record = { tool: tool.name, outcome, milliseconds: performance.now() - started };
            calls.push(record);
            if (limit !== undefined) exchange.note({ limit });
            onEnd?.(outcome);
            deps.onCall?.(record);
          },
        });
      };
      const { tracer } = deps;
      if (tracer === undefined) return call;
      return (tool, args) => inCallSpan(tracer, tool.name, { exchange, meta }, (onEnd) => call(tool, args, onEnd));
    },
  };

  /** Waits for a turn, and for the event loop, until the client disconnects. */
  function turnOf(exchange: Exchange, tenantId: string): () => Promise<() => void> {
    const gone = new AbortController();
    // One listener per call of a batch.
    setMaxListeners(0, gone.signal);
    exchange.atClose(() => gone.abort(new CoreError("UNAVAILABLE", "the client has left")));
    return async () => {
      const end = await batchCalls.acquire(tenantId, gone.signal);
      await exchange.waitForTurn();
      return end;
    };
  }
}

/**
 * Runs a tool call in a span that follows OpenTelemetry's conventions for MCP servers, without arguments or answer. Its parent is the
 * client's span in `_meta` if that belongs to the request's trace, otherwise the request's own span. The span that is not the parent is linked.
 */
function inCallSpan<T>(
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
