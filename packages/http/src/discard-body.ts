import type { IncomingMessage } from "node:http";

/** A body may come in this many chunks, and in one more for each 32 bytes: a chunk costs about a microsecond, however small it is. */
const CHUNKS = 1_024;
const BYTES_PER_CHUNK = 32;

/** Whether a body comes in more chunks than it may, because they are tiny. */
export function hasTooManyChunks(chunks: number, bytes: number): boolean {
  return chunks > CHUNKS + bytes / BYTES_PER_CHUNK;
}

const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_SECONDS = 10;
/** A client that sends on and is not read can read its answer meanwhile, and connects again no sooner. */
const UNREAD_SECONDS = 5;

const discarded = new WeakSet<IncomingMessage>();

/**
 * Discards the body of a request that is answered before it was read; every exchange does so with its answer. Many clients write the whole
 * body before they read the answer, and lose it if the connection is closed. The bytes are dropped as they arrive, up to a limit of time,
 * amount and chunks; then the connection is closed.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed || discarded.has(request)) return;
  discarded.add(request);
  let [bytes, chunks] = [0, 0];
  const giveUp = () => request.destroy();
  const timer = setTimeout(giveUp, DISCARD_SECONDS * 1000);
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
  request.on("error", giveUp);
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks += 1;
    if (bytes > DISCARD_BYTES) giveUp();
    else if (hasTooManyChunks(chunks, bytes)) {
      request.off("data", count);
      leaveUnread(request);
    }
  };
  request.on("data", count);
  request.resume();
}

/** Reads nothing more from a request's connection, and closes it soon. */
export function leaveUnread(request: IncomingMessage): void {
  discarded.add(request);
  // Otherwise Node goes on reading for the request.
  request._read = () => {};
  request.socket.pause();
  // What was read already is dropped: a paused request would keep each chunk.
  request.on("data", () => {}).resume();
  const timer = setTimeout(() => request.destroy(), UNREAD_SECONDS * 1000);
  request.once("close", () => clearTimeout(timer));
}
