import { keepShared } from "../kept-objects.js";
import { type MarkupElement, refuse } from "./element.js";
import { decodeReferences } from "./references.js";
import { readTree } from "./tree.js";

/** The attributes of an element by name; prefixes are part of the name. */
export class Attributes {
  readonly element: MarkupElement;

  constructor(element: MarkupElement) {
    this.element = element;
    const { attributes } = element.document;
    if (!attributes.hasReferences(element.attributes)) return;
    for (let at = 0; ; ) {
      at = attributes.next(element.attributes, at, "with references");
      if (at === 0) return;
      if (this.#valueAt(at) === null)
        throw refuse(element, `${attributes.nameAt(at)} holds a reference to a character that may not be used`);
    }
  }

  /** A value; null if empty or missing. Two different values are ambiguous and refused. */
  get(name: string): string | null {
    const at = this.#find(name);
    if (at === 0) return null;
    if (this.#lastOfTwo(at) !== at) throw refuse(this.element, `${name} is given twice`);
    return this.#valueAt(at) || null;
  }

  /** Whether the element has the attribute, empty or not. */
  has(name: string): boolean {
    return this.#find(name) !== 0;
  }

  /** A value that must not be missing or empty. */
  required(name: string): string {
    return this.get(name) ?? this.#missing(name);
  }

  /** Text for people: if there are two, the last one, with a warning. */
  words(name: string, warn: (message: string) => void): string | null {
    const at = this.#find(name);
    if (at === 0) return null;
    const last = this.#lastOfTwo(at);
    if (last !== at) warn(`${name} is given twice, which XML does not allow; the last one is taken`);
    return this.#valueAt(last) || null;
  }

  #find(name: string): number {
    const { document, attributes: list } = this.element;
    const wanted = document.attributes.names.numberOf(name);
    return wanted < 0 ? 0 : document.attributes.find(list, wanted);
  }

  /** The last attribute of the same name with another value; the first one if all values are the same. */
  #lastOfTwo(first: number): number {
    const { document, attributes: list } = this.element;
    const { attributes } = document;
    if (!attributes.hasDoubles(list)) return first;
    let last = first;
    for (let at = first; at !== 0; at = attributes.alikeAfter(list, at))
      if (this.#valueAt(at) !== this.#valueAt(last)) last = at;
    return last;
  }

  #missing(name: string): never {
    throw refuse(this.element, `${name} is ${this.#find(name) === 0 ? "missing" : "empty"}`);
  }

  /** Null for a reference to a character that is not allowed. */
  #valueAt(at: number): string | null {
    const { attributes, source } = this.element.document;
    const written = attributes.writtenAt(at, source);
    return attributes.hasReferencesAt(at) ? (decodeReferences(written)?.trim() ?? null) : written;
  }
}

keepShared(new Attributes(readTree('<A B="C"/>', 0, { nameOf: (written) => written, aggregates: null })));
