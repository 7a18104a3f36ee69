import { decodeAs, decodeDeclared, knownEncoding, refuseTooLarge, utf16Of } from "../decoding.js";
import type { MarkupElement } from "./element.js";
import { readTree } from "./tree.js";

/**
 * Reads an XML file and returns its root element. Namespace prefixes are removed, because each bank chooses its own. Document type declarations,
 * and so a document's own entities, are refused.
 */
export function readXml(file: Uint8Array): MarkupElement {
  refuseTooLarge(file);
  return readTree(decode(file), 0, { nameOf: localName, aggregates: null }, file);
}

/** Reads concatenated XML documents, each with its declaration; most files have one. */
export function readXmlDocuments(file: Uint8Array): readonly MarkupElement[] {
  refuseTooLarge(file);
  const text = decode(file);
  const starts = [...text.matchAll(/<\?xml\s/g)].map(({ index }) => index);
  return [0, ...starts.slice(1)].map((start, number, all) =>
    readTree(text.slice(start, all[number + 1]), 0, { nameOf: localName, aggregates: null }),
  );
}

function localName(written: string): string {
  return written.slice(written.indexOf(":") + 1);
}

function decode(file: Uint8Array): string {
  const wide = utf16Of(file);
  if (wide !== null) return decodeAs(file, wide);
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.byteLength, 400)).toString("latin1");
  const declared = /<\?xml\b[^<>]*\bencoding\s*=\s*["']([^"']*)["']/i.exec(head)?.[1] ?? "utf-8";
  return decodeDeclared(file, knownEncoding(declared));
}
