import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { answerEmpty, answerText, type Challenge, challengeHeader, challengeStatus } from "@org/http";

/** An answer that is written here, not by the SDK. */
export interface Reply {
  readonly status: number;
  /** JSON text, or null for none. */
  readonly body: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** One word for the access log. */
  readonly outcome: string;
}

/** A refusal in JSON-RPC's words, for what is no answer to one certain request. */
export function rpcRefusal(
  status: number,
  code: number,
  message: string,
  outcome: string,
  headers: OutgoingHttpHeaders = {},
  data?: object,
): Reply {
  const error = { code, message, ...(data && { data }) };
  return { status, outcome, headers, body: JSON.stringify({ jsonrpc: "2.0", error, id: null }) };
}

/** A refusal in OAuth's words (RFC 6750 §3). @param description one sentence for a person, without anything of the token */
export function oauthRefusal(challenge: Challenge, description: string): Reply {
  const error = challenge.error === "insufficient_scope" ? "insufficient_scope" : "unauthorized";
  return {
    status: challengeStatus(challenge),
    outcome: error,
    headers: { "WWW-Authenticate": challengeHeader(challenge) },
    body: JSON.stringify({ error, error_description: description }),
  };
}

/** Sends a reply. @param cors what is said of the request's origin */
export function send(response: ServerResponse, reply: Reply, cors: OutgoingHttpHeaders | null): void {
  const headers = cors || reply.headers ? { ...cors, ...reply.headers } : undefined;
  if (reply.body === null) answerEmpty(response, reply.status, { "X-Content-Type-Options": "nosniff", ...headers });
  else answerText(response, reply.status, "application/json", reply.body, headers);
}
