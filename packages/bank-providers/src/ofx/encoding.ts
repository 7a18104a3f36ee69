import { FeedRefusal } from "@org/core";
import iconv from "iconv-lite";

/** Files above this size are refused unread. 64 MiB is some hundred thousand positions. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** An OFX file as text. `body` starts at `<OFX>`, `offset` characters into the file; `header` is what stands before it. */
export interface OfxText {
  readonly text: string;
  readonly offset: number;
  /** OFX 2.x is XML, where every element is closed; 1.x is SGML, where a value's element may stay open. */
  readonly dialect: "sgml" | "xml";
}

/**
 * Decodes a file as its header says: `ENCODING` and `CHARSET` of OFX 1.x, the XML declaration of 2.x. A file without either
 * is UTF-8 if its bytes are, else Windows-1252.
 */
export function decodeOfx(file: Uint8Array): OfxText {
  if (file.byteLength > MAX_BYTES) throw new FeedRefusal("file", `is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 4096)).toString("latin1");
  const header = head.slice(0, rootOffset(head) ?? head.length);
  const text = decode(file, header);
  const offset = rootOffset(text);
  if (offset === null) throw new FeedRefusal("file", "has no <OFX> element");
  return { text, offset, dialect: /<\?(xml|ofx)\b/i.test(header) ? "xml" : "sgml" };
}

function rootOffset(text: string): number | null {
  const offset = text.search(/<OFX[\s>]/i);
  return offset < 0 ? null : offset;
}

function decode(file: Uint8Array, header: string): string {
  const declared = declaredEncoding(header);
  if (declared === null) return decodeUtf8(file) ?? decodeAs(file, "windows-1252");
  if (declared !== "utf-8") return decodeAs(file, declared);
  const text = decodeUtf8(file);
  if (text === null) throw new FeedRefusal("file", "holds bytes that are not UTF-8, which its header says it is");
  return text;
}

function declaredEncoding(header: string): string | null {
  if (header.startsWith("\u00EF\u00BB\u00BF")) return "utf-8";
  const xml = /<\?xml\b[^>]*\bencoding\s*=\s*["']([^"']*)["']/i.exec(header)?.[1];
  if (xml !== undefined) return knownEncoding(xml);
  if (/<\?(xml|ofx)\b/i.test(header)) return "utf-8";
  // One-line headers run the fields together: `ENCODING:USASCIICHARSET:1252COMPRESSION:NONE`.
  const encoding = /ENCODING:\s*(USASCII|UNICODE|UTF-?8)/i.exec(header)?.[1];
  if (encoding !== undefined && !/^USASCII$/i.test(encoding)) return "utf-8";
  const charset = /CHARSET:\s*(.*?)\s*(?:COMPRESSION|[\r\n]|$)/i.exec(header)?.[1];
  return charset === undefined ? null : knownEncoding(charset);
}

/** Names that banks write, as names that the decoder knows. ASCII and Latin 1 are read as Windows-1252, which holds both. */
function knownEncoding(name: string): string {
  const plain = name.trim().toLowerCase();
  if (/^(none|us-?ascii|(iso-?)?8859-1|latin-?1|)$/.test(plain)) return "windows-1252";
  if (/^utf-?8$/.test(plain)) return "utf-8";
  const windows = /^(?:windows-|cp)?(125[0-8])$/.exec(plain)?.[1];
  if (windows !== undefined) return `windows-${windows}`;
  if (/^iso-8859-([2-9]|1[0-6])$/.test(plain) && iconv.encodingExists(plain)) return plain;
  throw new FeedRefusal("header", `names an encoding that is not known: ${JSON.stringify(name.slice(0, 40))}`);
}

function decodeUtf8(file: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    return null;
  }
}

/** Not TextDecoder: several Node releases decode `windows-1252` as Latin 1 (nodejs/node#56542). */
function decodeAs(file: Uint8Array, encoding: string): string {
  return iconv.decode(Buffer.from(file.buffer, file.byteOffset, file.byteLength), encoding);
}
