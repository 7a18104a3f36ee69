import type { IncomingMessage, ServerResponse } from "node:http";

/** Header of every answer that names its trace (contract §7). */
const TRACE_HEADER = "X-Trace-Id";

/** W3C Trace Context, "traceparent Header Field Values": version 00 has exactly four fields, later ones may have more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace of a request, 32 hex digits, and its header on the answer. A trace id that an earlier handler of the host put on
 * the answer is kept; else that of a valid `traceparent`; else a new one.
 */
export function traceOf(request: IncomingMessage, response: ServerResponse, newTraceId: () => string): string {
  const present = response.getHeader(TRACE_HEADER);
  const traceId = typeof present === "string" ? present : (sentTraceId(request.headers.traceparent) ?? newTraceId());
  response.setHeader(TRACE_HEADER, traceId);
  return traceId;
}

function sentTraceId(traceparent: string | string[] | undefined): string | null {
  const [, version, traceId, more] = TRACEPARENT.exec(String(traceparent ?? "")) ?? [];
  return traceId === undefined || (version === "00" && more !== undefined) ? null : traceId;
}
