import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { CoreError } from "@org/core";
import { answerEmpty, answerText, type BearerChallenge, challengeHeader, challengeStatus, retryAfter } from "@org/http";

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

/** Code of JSON-RPC (from its range for servers) for what is away for the moment. */
export const UNAVAILABLE_CODE = -32_000;

/** The answer while something that the server needs is away: HTTP 503, in both eras. @param id of the one request that it answers */
export function unavailable(id: string | number | null, { message, retryAfterSeconds = 5 }: CoreError): Reply {
  const error = { code: UNAVAILABLE_CODE, message, data: { retry_after_seconds: retryAfterSeconds } };
  return {
    status: 503,
    outcome: "UNAVAILABLE",
    headers: retryAfter(retryAfterSeconds),
    body: JSON.stringify({ jsonrpc: "2.0", error, id }),
  };
}

/** A refusal in OAuth's words (RFC 6750 §3). @param description one sentence for a person, without anything of the token */
export function oauthRefusal(challenge: BearerChallenge, description: string): Reply {
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
