import { isAscii } from "node:buffer";
import { FeedRefusal, MAX_FEED_BYTES } from "@org/provider-kit";
import iconv from "iconv-lite";

/** @throws FeedRefusal for a file above {@link MAX_FEED_BYTES} */
export function refuseTooLarge(file: Uint8Array): void {
  if (file.byteLength > MAX_FEED_BYTES)
    throw new FeedRefusal("file", `is larger than ${MAX_FEED_BYTES / 1024 / 1024} MiB`);
}

/** Maps encoding names that banks write to the decoder's. ASCII and Latin-1 are read as Windows-1252, which contains both. */
export function knownEncoding(name: string): string {
  const plain = name.trim().toLowerCase();
  if (/^(none|(us-?)?ascii|ansi|(iso-?)?8859-1|latin-?1|)$/.test(plain)) return "windows-1252";
  if (/^utf-?8$/.test(plain)) return "utf-8";
  if (/^(utf-?16(le|be)?|unicode|ucs-?2)$/.test(plain)) return "utf-16";
  const windows = /^(?:windows-|cp)?(125[0-8])$/.exec(plain)?.[1];
  if (windows !== undefined) return `windows-${windows}`;
  if (/^iso-8859-([2-9]|1[0-6])$/.test(plain) && iconv.encodingExists(plain)) return plain;
  throw new FeedRefusal("header", `names an encoding that is not known: ${JSON.stringify(name.slice(0, 40))}`);
}

/** Detects UTF-16 by its byte order mark or by the zero beside a first `<` or letter; null for other encodings. */
export function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if ((first === 0xff && second === 0xfe) || (first !== undefined && first > 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second > 0)) return "utf-16be";
  return null;
}

/**
 * Decodes a file whose bytes are not UTF-16, whatever it declares. Programs that build a document in memory first declare it UTF-16 and then
 * store it as UTF-8 or Windows-1252.
 * @param declared as returned by {@link knownEncoding}
 * @throws FeedRefusal for invalid bytes in a file that declares UTF-8
 */
export function decodeDeclared(file: Uint8Array, declared: string): string {
  if (declared === "utf-16") return decodeUtf8(file) ?? decodeAs(file, "windows-1252");
  if (declared !== "utf-8") return decodeAs(file, declared);
  const text = decodeUtf8(file);
  if (text === null) throw new FeedRefusal("file", "holds bytes that are not UTF-8, which it says it is");
  return text;
}

/** The text, or null if the bytes are not UTF-8. A byte order mark is removed. */
export function decodeUtf8(file: Uint8Array): string | null {
  if (isAscii(file)) return latin1Of(file);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    return null;
  }
}

/** Does not use TextDecoder: several Node releases decode `windows-1252` as Latin-1 (nodejs/node#56542). */
export function decodeAs(file: Uint8Array, encoding: string): string {
  if (encoding === "windows-1252") {
    const text = latin1Of(file);
    // The encodings differ only in these.
    if (!/[\u0080-\u009F]/.test(text)) return text;
  }
  return iconv.decode(Buffer.from(file.buffer, file.byteOffset, file.byteLength), encoding);
}

/** Decodes one byte per character: V8 stores such a string in half the memory. */
function latin1Of(file: Uint8Array): string {
  return Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString("latin1");
}
