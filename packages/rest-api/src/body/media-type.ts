import type { IncomingMessage } from "node:http";
import { RestError } from "../failure.js";

/**
 * Refuses a body in another format than `expected`, in another charset than UTF-8, or compressed (what a compressed body
 * unfolds to is not known before it is read). A request without any body passes, to be refused for what it lacks.
 * @throws RestError UNSUPPORTED_MEDIA_TYPE
 */
export function requireMediaType(request: IncomingMessage, expected: string): void {
  const { "content-type": sent = "", "content-encoding": encoding = "identity" } = request.headers;
  const hasBody =
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
  if (!hasBody && sent === "") return;
  const [type = "", ...parameters] = sent.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (type !== expected) throw unsupported(`Content-Type must be ${expected}`, expected);
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw unsupported("charset must be utf-8", expected);
  if (encoding.toLowerCase() !== "identity") throw unsupported("Content-Encoding is not supported", expected);
}

function unsupported(message: string, expected: string) {
  return new RestError("UNSUPPORTED_MEDIA_TYPE", message, { "Accept-Post": expected });
}
