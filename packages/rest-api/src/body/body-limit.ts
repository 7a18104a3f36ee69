import { createHash, type Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { CoreError, invalidValue } from "@org/core";
import { BodyError, chunksOf, holdBody, type MaybePromise, readBytes, spoolBody } from "@org/http";
import { RestError } from "../failure.js";
import { refusedBody } from "./json.js";

/** Maximum size of a body; `rule` is the message for the client. */
export interface BodyLimit {
  readonly bytes: number;
  readonly rule: string;
}

/** Hashes of bodies that are kept, because their requests have an `Idempotency-Key`. */
const hashes = new WeakMap<IncomingMessage, { hash: Hash; hasBegun: boolean }>();

/** Has the body hashed while it is read. */
export function hashBody(request: IncomingMessage): void {
  hashes.set(request, { hash: createHash("sha256"), hasBegun: false });
}

/** SHA-256 (hex) of the body as it was read; null when none of it was, or it is not hashed. */
export function hashOfBody(request: IncomingMessage): string | null {
  const kept = hashes.get(request);
  return kept?.hasBegun ? kept.hash.copy().digest("hex") : null;
}

function hashChunk(request: IncomingMessage, chunk: Buffer): void {
  const kept = hashes.get(request);
  if (kept === undefined) return;
  kept.hasBegun = true;
  kept.hash.update(chunk);
}

/**
 * Reads a whole body.
 * @throws CoreError TOO_LARGE; VALIDATION_ERROR when the client disconnects midway; RATE_LIMITED and UNAVAILABLE when too many
 * bytes are in flight. RestError TOO_SLOW
 */
export function bytesWithin(request: IncomingMessage, limit: BodyLimit): MaybePromise<Buffer> {
  const read = readBytes(request, { maxBytes: limit.bytes });
  const hashed = (bytes: Buffer) => {
    hashChunk(request, bytes);
    return bytes;
  };
  const refused = (error: unknown) => {
    throw inWords(error, limit);
  };
  return read instanceof Promise ? read.then(hashed, refused) : hashed(read);
}

/** Yields the chunks of a body as they arrive. @throws CoreError as {@link bytesWithin} */
export async function* chunksWithin(request: IncomingMessage, limit: BodyLimit): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunksOf(request, { maxBytes: limit.bytes })) {
      hashChunk(request, chunk);
      yield chunk;
    }
  } catch (error) {
    throw inWords(error, limit);
  }
}

/** Waits until `bytes` of a request may be held in memory. @throws CoreError RATE_LIMITED, UNAVAILABLE */
export async function roomFor(request: IncomingMessage, bytes: number, limit: BodyLimit): Promise<void> {
  try {
    await holdBody(request, bytes);
  } catch (error) {
    throw inWords(error, limit);
  }
}

/** Counts `bytes` more of a request that are kept on disk. @throws CoreError RATE_LIMITED, UNAVAILABLE */
export function spoolRoomFor(request: IncomingMessage, bytes: number, limit: BodyLimit): void {
  try {
    spoolBody(request, bytes);
  } catch (error) {
    throw inWords(error, limit);
  }
}

/** Makes the error for a body that exceeds its limit. */
export function tooLarge({ rule }: BodyLimit): CoreError {
  return new CoreError("TOO_LARGE", `body: ${rule}`, { details: [invalidValue("body", rule)] });
}

/** Makes the error for a body whose headers declare something other than `mediaType`. */
export function unsupported({ code }: BodyError, mediaType: string): RestError {
  const rules: Partial<Record<typeof code, string>> = {
    wrong_charset: "charset must be utf-8",
    compressed: "Content-Encoding is not supported",
  };
  const message = rules[code] ?? `Content-Type must be ${mediaType}`;
  return new RestError("UNSUPPORTED_MEDIA_TYPE", message, { "Accept-Post": mediaType });
}

function inWords(error: unknown, limit: BodyLimit): unknown {
  if (!(error instanceof BodyError)) return error;
  switch (error.code) {
    case "too_large":
      return tooLarge(limit);
    case "too_slow":
      return new RestError("TOO_SLOW", "the body came too slowly", { Connection: "close" });
    case "over_share":
    case "no_room":
      return storageFull(error);
    case "small_chunks":
      return refusedBody("must not come in so many small chunks");
    default:
      return refusedBody("must arrive whole");
  }
}

function storageFull({ limit, code }: BodyError): CoreError {
  const met = limit === null ? {} : { retryAfterSeconds: limit.retryAfterSeconds, limit };
  return code === "over_share"
    ? new CoreError("RATE_LIMITED", "too many request bytes in flight", met)
    : new CoreError("UNAVAILABLE", "too many bytes are on their way to the server", met);
}
