import { FeedRefusal } from "@org/provider-kit";
import { decodeAs, decodeDeclared, decodeUtf8, knownEncoding, refuseTooLarge, utf16Of } from "../decoding.js";

/** An OFX file as text. `offset` is the position of `<OFX>` in it, after the header. */
export interface OfxText {
  readonly text: string;
  readonly offset: number;
}

/**
 * Decodes a file as its header declares: `ENCODING` and `CHARSET` of OFX 1.x, or the XML declaration of 2.x. A file without either is UTF-8 if
 * its bytes are valid, otherwise Windows-1252.
 */
export function decodeOfx(file: Uint8Array): OfxText {
  refuseTooLarge(file);
  const text = decode(file);
  const offset = rootOffset(text);
  if (offset === null) throw new FeedRefusal("file", "has no <OFX> element");
  return { text, offset };
}

function rootOffset(text: string): number | null {
  const offset = text.search(/<OFX[\s>]/i);
  return offset < 0 ? null : offset;
}

function decode(file: Uint8Array): string {
  const wide = utf16Of(file);
  if (wide !== null) return decodeAs(file, wide);
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 4096)).toString("latin1");
  const declared = declaredEncoding(head.slice(0, rootOffset(head) ?? head.length));
  if (declared === null) return decodeUtf8(file) ?? decodeAs(file, "windows-1252");
  return decodeDeclared(file, declared);
}

function declaredEncoding(header: string): string | null {
  if (header.startsWith("\u00EF\u00BB\u00BF")) return "utf-8";
  const xml = /<\?xml\b[^<>]*\bencoding\s*=\s*["']([^"']*)["']/i.exec(header)?.[1];
  if (xml !== undefined) return knownEncoding(xml);
  if (/<\?(xml|ofx)\b/i.test(header)) return "utf-8";
  // One-line headers have no separator between fields: `ENCODING:USASCIICHARSET:1252COMPRESSION:NONE`.
  const encoding = /ENCODING:\s*(US-?ASCII|ASCII|UNICODE|UTF-?(?:8|16))/i.exec(header)?.[1];
  if (encoding !== undefined && /16$/.test(encoding)) return "utf-16";
  if (encoding !== undefined && !/ASCII$/i.test(encoding)) return "utf-8";
  const charset = /CHARSET:\s*([^\r\n]*?)(?:COMPRESSION|[\r\n]|$)/i.exec(header)?.[1];
  return charset === undefined ? null : knownEncoding(charset.trim());
}
