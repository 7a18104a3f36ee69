import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { BODY_LIMIT } from "./read-body.js";

/** An answer that is written here, not by the SDK. */
export interface Reply {
  readonly status: number;
  /** JSON text, or null for none. */
  readonly body: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** One word for the log. */
  readonly outcome: string;
}

/** A refusal in JSON-RPC's words, for what is no answer to one certain request. */
export function rpcRefusal(
  status: number,
  code: number,
  message: string,
  outcome: string,
  headers: OutgoingHttpHeaders = {},
): Reply {
  return { status, outcome, headers, body: JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }) };
}

/** A refusal in OAuth's words (RFC 6750 §3). */
export function oauthRefusal(status: number, wwwAuthenticate: string, error: string, description: string): Reply {
  const body = JSON.stringify({ error, error_description: description });
  return { status, outcome: error, headers: { "WWW-Authenticate": wwwAuthenticate }, body };
}

/** Answers to bodies that cannot be read. */
export const bodyRefusals = {
  not_json_type: rpcRefusal(
    415,
    -32000,
    "Unsupported Media Type: Content-Type must be application/json",
    "unsupported_media_type",
  ),
  too_large: rpcRefusal(413, -32000, `Payload Too Large: the body must not exceed ${BODY_LIMIT} bytes`, "too_large", {
    Connection: "close",
  }),
  not_json: rpcRefusal(400, -32700, "Parse error: the body is not valid JSON in UTF-8", "parse_error"),
  too_deep: rpcRefusal(400, -32600, "Invalid Request: the body is nested too deeply", "bad_request"),
  gone: { status: 400, body: null, outcome: "gone" },
} as const satisfies Record<string, Reply>;

/** Headers of every answer: what is answered belongs to one user and is JSON. */
export function commonHeaders(traceId: string, cors: OutgoingHttpHeaders | null): OutgoingHttpHeaders {
  const headers = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Trace-Id": traceId };
  return cors ? { ...headers, ...cors } : headers;
}

/** Sends a reply. */
export function send(response: ServerResponse, reply: Reply, headers: OutgoingHttpHeaders): void {
  if (response.destroyed || response.headersSent) return;
  if (reply.headers) Object.assign(headers, reply.headers);
  if (reply.body !== null) {
    headers["Content-Type"] = "application/json";
    headers["Content-Length"] = Buffer.byteLength(reply.body);
  }
  response.writeHead(reply.status, headers).end(reply.body ?? undefined);
}
