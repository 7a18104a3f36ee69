import { decodeAs, decodeDeclared, knownEncoding, refuseTooLarge, utf16Of } from "../decoding.js";
import type { MarkupElement } from "./element.js";
import { readTree } from "./tree.js";

/**
 * Reads an XML file into its root element. Namespace prefixes go: whatever a bank calls its prefixes, the names are the same.
 * Document type declarations, and so entities of a document's own, are refused.
 */
export function readXml(file: Uint8Array): MarkupElement {
  refuseTooLarge(file);
  return readTree(decode(file), 0, { nameOf: localName, aggregates: null }, file);
}

/** Reads XML documents that stand one below the other, each with its declaration; most files are one. */
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
