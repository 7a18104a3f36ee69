import { keep } from "../kept-objects.js";
import { type MarkupElement, refuse } from "./element.js";
import { decodeReferences } from "./references.js";
import { readTree } from "./tree.js";

/** Attributes of an element by name; prefixes stay. */
export class Attributes {
  readonly #element: MarkupElement;

  constructor(element: MarkupElement) {
    this.#element = element;
    const { attributes } = element.document;
    if (!attributes.hasReferences(element.attributes)) return;
    for (let at = 0; ; ) {
      at = attributes.next(element.attributes, at, "with references");
      if (at === 0) return;
      if (this.#valueAt(at) === null)
        throw refuse(element, `${attributes.nameAt(at)} holds a reference to a character that may not be used`);
    }
  }

  /** A value; empty and absent are both null. One that is given twice would be two answers to one question: refused. */
  get(name: string): string | null {
    return this.#find(name, () => {
      throw refuse(this.#element, `${name} is given twice`);
    });
  }

  /** A value that must be there and not be empty. */
  required(name: string): string {
    const value = this.get(name);
    if (value === null) throw refuse(this.#element, `${name} is ${this.#has(name) ? "empty" : "missing"}`);
    return value;
  }

  /** Words for people: of two given, the last one, with a remark. */
  words(name: string, warn: (message: string) => void): string | null {
    return this.#find(name, () => warn(`${name} is given twice, which XML does not allow; the last one is taken`));
  }

  /** @param onSecond told once of a name that is given twice with two values */
  #find(name: string, onSecond: () => void): string | null {
    const { document, attributes: list } = this.#element;
    const { attributes } = document;
    const wanted = attributes.names.numberOf(name);
    let at = wanted < 0 ? 0 : attributes.next(list, 0, wanted);
    if (at === 0) return null;
    let value = this.#valueAt(at)?.trim() ?? "";
    let isDoubled = false;
    for (at = attributes.next(list, at, wanted); at !== 0; at = attributes.next(list, at, wanted)) {
      const other = this.#valueAt(at) ?? "";
      isDoubled ||= other !== value;
      value = other.trim();
    }
    if (isDoubled) onSecond();
    return value || null;
  }

  #has(name: string): boolean {
    const { document, attributes: list } = this.#element;
    const { attributes } = document;
    const wanted = attributes.names.numberOf(name);
    return wanted >= 0 && attributes.next(list, 0, wanted) !== 0;
  }

  /** Null for a reference to a character that may not be used. */
  #valueAt(at: number): string | null {
    const { attributes, source } = this.#element.document;
    const written = attributes.writtenAt(at, source);
    return attributes.hasReferencesAt(at) ? decodeReferences(written) : written;
  }
}

keep(new Attributes(readTree('<A B="C"/>', 0, { nameOf: (written) => written, aggregates: null })));
