import { decodeAs, decodeDeclared, knownEncoding, refuseTooLarge, utf16Of } from "../decoding.js";
import { type MarkupElement, readTree, refuse } from "./element.js";
import { decodeReferences } from "./references.js";
import { attributePattern } from "./tokenizer.js";

/**
 * Reads an XML file into its root element. Namespace prefixes go: whatever a bank calls its prefixes, the names are the same.
 * Document type declarations, and so entities of a document's own, are refused.
 */
export function readXml(file: Uint8Array): MarkupElement {
  refuseTooLarge(file);
  return readTree(decode(file), 0, { nameOf: localName, aggregates: null });
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
  const declared = /<\?xml\b[^>]*\bencoding\s*=\s*["']([^"']*)["']/i.exec(head)?.[1] ?? "utf-8";
  return decodeDeclared(file, knownEncoding(declared));
}

/** Attributes of an element by name; prefixes stay. */
export class Attributes {
  readonly #element: MarkupElement;
  readonly #values = new Map<string, string>();
  /** Names given twice with two values. */
  readonly #doubled = new Set<string>();

  constructor(element: MarkupElement) {
    this.#element = element;
    if (element.attributes === null) return;
    attributePattern.lastIndex = element.attributes;
    for (let match = attributePattern.exec(element.source); match; match = attributePattern.exec(element.source)) {
      const [, name = "", quotedValue = ""] = match;
      const value = decodeReferences(quotedValue.slice(1, -1));
      if (value === null) throw refuse(element, `${name} holds a reference to a character that may not be used`);
      if ((this.#values.get(name) ?? value) !== value) this.#doubled.add(name);
      this.#values.set(name, value.trim());
    }
  }

  /** A value; empty and absent are both null. One that is given twice would be two answers to one question: refused. */
  get(name: string): string | null {
    if (this.#doubled.has(name)) throw refuse(this.#element, `${name} is given twice`);
    return this.#values.get(name) || null;
  }

  /** A value that must be there and not be empty. */
  required(name: string): string {
    const value = this.get(name);
    if (value === null) throw refuse(this.#element, `${name} is ${this.#values.has(name) ? "empty" : "missing"}`);
    return value;
  }

  /** Words for people: of two given, the last one, with a remark. */
  words(name: string, warn: (message: string) => void): string | null {
    if (this.#doubled.has(name)) warn(`${name} is given twice, which XML does not allow; the last one is taken`);
    return this.#values.get(name) || null;
  }
}
