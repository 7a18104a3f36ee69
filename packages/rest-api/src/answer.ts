import type { IncomingMessage, ServerResponse } from "node:http";

/** Writes one JSON answer. Answers are about one tenant's data, so that nothing in between may keep them. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", bytes.length);
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.end(bytes);
}

const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_SECONDS = 10;

/**
 * What to do with the body of a request that is answered before it was read: many clients write all of it before they look for
 * an answer, and a connection closed under them loses it. The bytes are thrown away as they come, for a bounded time and amount;
 * then the connection goes.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = DISCARD_BYTES;
  const giveUp = () => request.destroy();
  const timer = setTimeout(giveUp, DISCARD_SECONDS * 1000);
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
  request.on("error", giveUp);
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) giveUp();
  });
}
