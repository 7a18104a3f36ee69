import { isUtf8 } from "node:buffer";
import { FeedRefusal, MAX_FEED_BYTES } from "@org/provider-kit";
import iconv from "iconv-lite";

/** What can be in a file that is read as it stands: no mark at its beginning, UTF-8 and no zeros. */
const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/**
 * The bytes of a file as UTF-8 without a mark.
 * @param encoding of the mapping; a mark at the beginning of the file wins over it
 * @throws FeedRefusal for bytes that are not in the encoding, zeros, and files above {@link MAX_FEED_BYTES}
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

/** Where UTF-8 ends to be that, within a byte or three. */
function firstBroken(bytes: Buffer): number {
  let [whole, broken] = [0, bytes.length];
  while (broken - whole > 1) {
    const middle = (whole + broken) >> 1;
    const text = bytes.subarray(0, middle);
    // A character that is cut at the end is not broken yet.
    if ([0, 1, 2, 3].some((cut) => isUtf8(text.subarray(0, Math.max(0, middle - cut))))) whole = middle;
    else broken = middle;
  }
  return whole;
}

/** The line, from 1, that a byte is in. */
function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < offset; at = bytes.indexOf(10, at + 1)) line += 1;
  return line;
}
