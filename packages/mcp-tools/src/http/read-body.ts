import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isJsonContentType } from "@modelcontextprotocol/server";

/** Largest request body (contract §9). */
export const BODY_LIMIT = 1_048_576;
/** Deepest nesting of a request body; MCP's own shapes need fewer than ten levels. */
const MAX_DEPTH = 64;

/** A JSON body, or why there is none; `gone` means that the client left before it had sent all. */
export type Body = { readonly value: unknown } | { readonly fault: "too_large" | "not_json" | "too_deep" | "gone" };

/** Whether the headers say that the body is plain JSON. */
export function isJsonRequest(headers: IncomingHttpHeaders): boolean {
  const { "content-type": type, "content-encoding": encoding } = headers;
  return (
    (type === "application/json" || isJsonContentType(type)) && (encoding === undefined || encoding === "identity")
  );
}

/** Reads and parses the body of a request, keeping at most {@link BODY_LIMIT} bytes of it. */
export async function readJsonBody(request: IncomingMessage): Promise<Body> {
  const bytes = await readBytes(request);
  if (typeof bytes === "string") return { fault: bytes };
  if (!isUtf8(bytes)) return { fault: "not_json" };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { fault: "not_json" };
  }
  return isDeeperThan(value, MAX_DEPTH) ? { fault: "too_deep" } : { value };
}

function readBytes(request: IncomingMessage): Promise<Buffer | "too_large" | "gone"> {
  if (Number(request.headers["content-length"]) > BODY_LIMIT) return Promise.resolve("too_large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve("too_large");
      }
    });
    request.on("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on("close", () => resolve("gone"));
    request.on("error", () => resolve("gone"));
  });
}

/** Deep nesting breaks recursive code further in, `JSON.stringify` for one; this goes no deeper than the limit itself. */
function isDeeperThan(value: unknown, limit: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((child) => isDeeperThan(child, limit - 1));
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], limit - 1)) return true;
  return false;
}
