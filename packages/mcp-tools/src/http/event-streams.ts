import type { IncomingHttpHeaders } from "node:http";
import { toolNamed } from "../tool-list.js";
import { isObject } from "./client-envelope.js";
import type { Offered } from "./offered.js";
import type { ServedRequest } from "./sdk-server.js";

/** Whether a client says that it reads event streams. */
export function takesStreams({ accept }: IncomingHttpHeaders): boolean {
  return accept?.includes("text/event-stream") ?? false;
}

/** Whether an answer goes over a stream: where something may be sent ahead of it, and the client takes streams. */
export function isStreamed(
  body: unknown,
  headers: IncomingHttpHeaders,
  served: ServedRequest,
  { tools }: Offered,
): boolean {
  if (!takesStreams(headers) || !isObject(body) || body.method !== "tools/call" || !isObject(body.params)) return false;
  const name = String(body.params.name);
  const tool = toolNamed(name);
  return (
    tools.has(name) ||
    (served.showsUrls && tool?.urlForUser !== undefined) ||
    (served.showsForms && tool?.questionFirst !== undefined)
  );
}
