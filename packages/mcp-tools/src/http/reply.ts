import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { CoreError } from "@org/core";
import { answerEmpty, answerText, type BearerChallenge, challengeHeader, challengeStatus, retryAfter } from "@org/http";

/** An answer that is written here instead of by the SDK. */
export interface Reply {
  readonly status: number;
  /** JSON text; null for no body. */
  readonly body: string | null;
  readonly headers?: OutgoingHttpHeaders;
  /** One word for the access log. */
  readonly outcome: string;
}

/** Makes a refusal in JSON-RPC format that does not answer one particular request. */
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

/** JSON-RPC error code, from the range for servers, for a temporary outage. */
export const UNAVAILABLE_CODE = -32_000;

/** What the answer during an outage says besides its message: `outcome` where a tool may have made its change all the same. */
export function outageData({ retryAfterSeconds = 5, outcome }: CoreError) {
  return { retry_after_seconds: retryAfterSeconds, ...(outcome && { outcome }) };
}

/** Makes the answer during an outage: HTTP 503, in both eras. @param id of the single request that it answers */
export function unavailable(id: string | number | null, outage: CoreError): Reply {
  const { message, retryAfterSeconds = 5 } = outage;
  const error = { code: UNAVAILABLE_CODE, message, data: outageData(outage) };
  return {
    status: 503,
    outcome: "UNAVAILABLE",
    headers: retryAfter(retryAfterSeconds),
    body: JSON.stringify({ jsonrpc: "2.0", error, id }),
  };
}

/** Makes a refusal in OAuth format (RFC 6750 §3). @param description one sentence for a person, without any part of the token */
export function oauthRefusal(challenge: BearerChallenge, description: string): Reply {
  const error = challenge.error === "insufficient_scope" ? "insufficient_scope" : "unauthorized";
  return {
    status: challengeStatus(challenge),
    outcome: error,
    headers: { "WWW-Authenticate": challengeHeader(challenge) },
    body: JSON.stringify({ error, error_description: description }),
  };
}

/** Sends a reply. @param cors headers for the request's origin */
export function send(response: ServerResponse, reply: Reply, cors: OutgoingHttpHeaders | null): void {
  const headers = cors || reply.headers ? { ...cors, ...reply.headers } : undefined;
  if (reply.body === null) answerEmpty(response, reply.status, { "X-Content-Type-Options": "nosniff", ...headers });
  else answerText(response, reply.status, "application/json", reply.body, headers);
}
