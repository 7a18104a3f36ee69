import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { begunExchangeOf } from "./exchange.js";

/**
 * Writes one JSON answer. It may hold one tenant's data, so no cache may store it unless `headers` say otherwise.
 * Does nothing when an answer has begun or the client is gone.
 */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: OutgoingHttpHeaders,
): void {
  answerText(response, status, "application/json; charset=utf-8", JSON.stringify(body), headers);
}

/** Same, for text of any type that is ready, or its UTF-8 bytes. */
export function answerText(
  response: ServerResponse,
  status: number,
  contentType: string,
  text: string | Uint8Array,
  headers?: OutgoingHttpHeaders,
): void {
  if (response.headersSent || isGone(response)) return;
  const refusal = roomForAnswer(response, text);
  if (refusal)
    writeText(response, refusal.status, "application/json; charset=utf-8", refusal.words, {
      ...headers,
      ...refusal.headers,
    });
  else writeText(response, status, contentType, text, headers);
}

/** Smaller answers are not counted: a connection uses as much memory anyway. */
const UNCOUNTED_CHARACTERS = 16 * 1024;

/**
 * Counts a large answer against its caller until the client has read it. Returns the refusal to send instead when the caller has too many
 * unread answers, else null. {@link answerText} calls it itself.
 */
export function roomForAnswer(
  { req }: Pick<ServerResponse, "req">,
  text: string | Uint8Array,
): { readonly status: 429 | 503; readonly words: string; readonly headers: OutgoingHttpHeaders } | null {
  if (text.length <= UNCOUNTED_CHARACTERS) return null;
  const refusal = begunExchangeOf(req)?.holdAnswer(Buffer.byteLength(text));
  if (!refusal) return null;
  const { isOwnShare, retryAfterSeconds } = refusal.limit;
  return { status: isOwnShare ? 429 : 503, words: refusal.words, headers: retryAfter(retryAfterSeconds) };
}

function writeText(
  response: ServerResponse,
  status: number,
  contentType: string,
  text: string | Uint8Array,
  headers?: OutgoingHttpHeaders,
): void {
  // A single string, so that Node sends it together with the headers.
  response
    .writeHead(status, {
      "Content-Type": contentType,
      "Content-Length": Buffer.byteLength(text),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    })
    .end(text);
}

/** Writes an answer without a body, such as a 204. A 304 has no Content-Length, which would have to be that of the 200 (RFC 9110 §8.6). */
export function answerEmpty(response: ServerResponse, status: number, headers?: OutgoingHttpHeaders): void {
  if (response.headersSent || isGone(response)) return;
  response
    .writeHead(status, {
      "Cache-Control": "no-store",
      ...(status === 204 || status === 304 ? {} : { "Content-Length": 0 }),
      ...headers,
    })
    .end();
}

/** Body of the 404 for paths without a route. */
export const nothingHere = { error: "there is nothing at this address" } as const;

/** `Retry-After` in whole seconds, at least one. */
export function retryAfter(seconds: number): { readonly "Retry-After": string } {
  return { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
}

/** Whether the client has disconnected, possibly in the middle of its request. Nobody would read an answer; the access log records it. */
function isGone({ destroyed, req }: ServerResponse): boolean {
  return destroyed || (req.destroyed && !req.complete);
}
