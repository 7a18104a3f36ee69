import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The trace ids of requests, each found once: whoever asks about a request hears the same. */
export function requestTraces(): (request: IncomingMessage) => string {
  const known = new WeakMap<IncomingMessage, string>();
  return (request) => {
    const traceId = known.get(request) ?? traceIdOf(request.headers.traceparent as string | undefined);
    known.set(request, traceId);
    return traceId;
  };
}

/** The trace id of a request: the one in its W3C `traceparent` if that is valid, else a new one. 32 hex digits. */
function traceIdOf(traceparent: string | undefined): string {
  const match = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? "");
  return match?.[1] && !/^0+$/.test(match[1]) ? match[1] : randomBytes(16).toString("hex");
}
