import type { IncomingHttpHeaders } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { BodyReading, ReadBodies } from "../http-client.js";
import { parseExactly } from "./exact-numbers.js";

/** The body exceeds the limit, compressed or decoded. */
export class TooLarge extends Error {}

/** A body that is declared as JSON and cannot be parsed. */
export class NotJson extends Error {}

/** Reads a body up to the limit. Anything longer is not read: the connection is closed. @throws TooLarge */
export async function readUpTo(body: Readable, headers: IncomingHttpHeaders, limit: number): Promise<Buffer> {
  // The code that destroys it reports the failure with an exception.
  body.on("error", () => undefined);
  if (Number(headers["content-length"]) > limit) {
    body.destroy();
    throw new TooLarge();
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(body, headers)) {
    bytes += (chunk as Buffer).length;
    if (bytes > limit) {
      body.destroy();
      throw new TooLarge();
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** Some servers compress the body without being asked. */
function decoded(body: Readable, headers: IncomingHttpHeaders): Readable {
  const decoder = decoderOf(headers["content-encoding"]?.trim().toLowerCase());
  // If either stream fails, the reader of the second one gets the error.
  return decoder === null ? body : pipeline(body, decoder, () => undefined);
}

function decoderOf(encoding: string | undefined) {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return null;
  }
}

/**
 * Reads a body as the request asks. JSON that is empty, or that cannot be parsed and came with a status other than 2xx (a proxy's page, for example),
 * is null. @throws NotJson
 */
export function readAs<Read extends BodyReading>(
  read: Read,
  bytes: Buffer,
  { status, contentType }: { readonly status: number; readonly contentType: string | undefined },
): ReadBodies[Read] {
  return bodyAs() as ReadBodies[Read];

  function bodyAs(): unknown {
    if (read === "bytes") return new Uint8Array(bytes);
    if (read === "text") return textOf(bytes, contentType);
    if (bytes.length === 0) return null;
    try {
      // JSON is UTF-8 (RFC 8259 §8.1).
      const text = new TextDecoder().decode(bytes);
      return read === "json" ? JSON.parse(text) : parseExactly(text);
    } catch {
      if (status < 200 || status > 299) return null;
      throw new NotJson();
    }
  }
}

function textOf(bytes: Buffer, contentType = ""): string {
  const [, charset = "utf-8"] = /;\s*charset="?([^\s";]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
