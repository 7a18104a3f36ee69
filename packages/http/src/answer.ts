import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { begunExchangeOf } from "./exchange.js";

/**
 * Writes one JSON answer. It is about one tenant's data, so that nothing in between may keep it unless `headers` say otherwise.
 * Does nothing when the answer has begun or the client is gone.
 */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: OutgoingHttpHeaders,
): void {
  answerText(response, status, "application/json; charset=utf-8", JSON.stringify(body), headers);
}

/** The same for text that is there already, of any type, or its bytes in UTF-8. */
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

/** Smaller answers are not counted: a connection holds as much anyway. */
const UNCOUNTED_CHARACTERS = 16 * 1024;

/**
 * Counts a large answer to its caller until it has been read; returns what is to be answered instead when too much of theirs waits to
 * be read, null when it may be written. {@link answerText} does it by itself.
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
  // One text, so that Node sends it in one piece with the headers.
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

/** Writes an answer without a body, such as a 204. A 304 says nothing of the length, which would be that of the 200 (RFC 9110, section 8.6). */
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

/** The body of the 404 where no route is. */
export const nothingHere = { error: "there is nothing at this address" } as const;

/** `Retry-After` in whole seconds, at least one. */
export function retryAfter(seconds: number): { readonly "Retry-After": string } {
  return { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
}

/** Whether the client has left, maybe in the middle of its request: nobody reads an answer, and the access log tells. */
function isGone({ destroyed, req }: ServerResponse): boolean {
  return destroyed || (req.destroyed && !req.complete);
}
