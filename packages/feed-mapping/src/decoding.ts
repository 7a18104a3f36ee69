import { isUtf8 } from "node:buffer";
import { FeedRefusal, MAX_FEED_BYTES } from "@org/provider-kit";
import iconv from "iconv-lite";

/** Byte order marks and their encodings. */
const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/**
 * Converts a file to UTF-8 without a byte order mark.
 * @param encoding of the mapping; a byte order mark in the file takes precedence
 * @throws FeedRefusal for bytes that are invalid in the encoding, zero bytes, and files above {@link MAX_FEED_BYTES}
 */
export function toUtf8(file: Uint8Array, encoding: string): Buffer {
  if (file.byteLength > MAX_FEED_BYTES)
    throw new FeedRefusal("file", `is larger than ${MAX_FEED_BYTES / 1024 / 1024} MiB`);
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const marked = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  const text = marked ? bytes.subarray(marked[0].length) : bytes;
  const utf8 = decoded(text, marked?.[1] ?? encoding);
  const zero = utf8.indexOf(0);
  if (zero < 0) return utf8;
  throw new FeedRefusal(
    `line ${lineAt(utf8, zero)}`,
    "holds a zero byte: the file is no text, or its encoding is utf-16",
  );
}

function decoded(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "utf-8" || (encoding === "auto" && isUtf8(bytes))) {
    if (isUtf8(bytes)) return bytes;
    throw new FeedRefusal(
      `line ${lineAt(bytes, firstBroken(bytes))}`,
      "holds bytes that are not UTF-8, which the mapping says it is",
    );
  }
  const name = encoding === "auto" ? "windows-1252" : encoding === "utf-16" ? "utf-16le" : encoding;
  return Buffer.from(iconv.decode(bytes, name), "utf8");
}

/** Offset of the first invalid UTF-8, exact to three bytes. */
function firstBroken(bytes: Buffer): number {
  let [whole, broken] = [0, bytes.length];
  while (broken - whole > 1) {
    const middle = (whole + broken) >> 1;
    const text = bytes.subarray(0, middle);
    // A character cut off at the end is not invalid yet.
    if ([0, 1, 2, 3].some((cut) => isUtf8(text.subarray(0, Math.max(0, middle - cut))))) whole = middle;
    else broken = middle;
  }
  return whole;
}

/** The line number, from 1, of a byte. */
function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}
