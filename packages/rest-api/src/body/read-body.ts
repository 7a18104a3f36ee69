import type { IncomingMessage } from "node:http";
import { CoreError, invalid, invalidValue } from "@org/core";

/** How large a body may be; `rule` is what a client is told. */
export interface BodyLimit {
  readonly bytes: number;
  readonly rule: string;
}

/**
 * The chunks of a body, as they come. A declared length over the limit is refused before anything is read. The request is left
 * open on refusal, so that the answer still reaches the client.
 * @throws CoreError TOO_LARGE, VALIDATION_ERROR when the client goes away in the middle
 */
export async function* chunksOf(request: IncomingMessage, limit: BodyLimit): AsyncGenerator<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit.bytes) throw tooLarge(limit);
  let taken = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      taken += chunk.length;
      if (taken > limit.bytes) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    throw request.complete || error instanceof CoreError ? error : invalid(invalidValue("body", "must arrive whole"));
  }
}

/** A whole body. */
export async function bytesOf(request: IncomingMessage, limit: BodyLimit): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(request, limit)) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** What a body is answered that is over a limit. */
export function tooLarge({ rule }: BodyLimit): CoreError {
  return new CoreError("TOO_LARGE", `body: ${rule}`, { details: [invalidValue("body", rule)] });
}
