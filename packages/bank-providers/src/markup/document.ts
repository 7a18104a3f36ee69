import { AttributeList } from "./attribute-list.js";
import { Names } from "./names.js";

/**
 * What is deeper, more or longer than this is refused. Real files stay below 15 levels and 300 characters; the number of elements is
 * that of 300,000 positions and bounds the memory to 100 MB.
 */
export const MAX_ELEMENT_DEPTH = 100;
export const MAX_ELEMENTS = 3_000_000;
export const MAX_VALUE = 100_000;

/** Numbers of an element, one after the other from its place on; of places 0 is none, since nothing leads to the root. */
export const NAME = 0;
/** Where its tag starts in the text. */
export const OFFSET = 1;
/** -1 of the root. */
export const PARENT = 2;
export const NEXT = 3;
export const FIRST_CHILD = 4;
/** Where its value starts in the text, or {@link APART}. */
export const FROM = 5;
/** Where its value ends; 0 where it has none. */
export const TO = 6;
/** Where its attributes are in the list of them; 0 where it has none. */
export const ATTRIBUTES = 7;
const SIZE = 8;

/** In {@link FROM}: the value does not stand in the text as it is. */
export const APART = -1;

/**
 * Characters of an element with its tags, by which the first piece of memory is measured: too large a one makes V8 collect garbage, and one
 * that has to grow is copied. Files of camt.053 without white space have 20.
 */
const USUAL_ELEMENT = 16;

/**
 * An SGML or XML document: its text, and what its elements are as numbers, in one piece of memory beside the heap. A file of 64 MiB has
 * millions of elements, most of which nobody asks for.
 */
export class MarkupDocument {
  readonly source: string;
  readonly names: Names;
  /** Grows while the document is read: whoever adds elements asks for it anew. */
  elements: Int32Array;
  readonly attributes = new AttributeList();
  /** Values that do not stand in the text as they are. */
  readonly valuesApart = new Map<number, string>();

  /** @param nameOf turns the name of an element as written into the one that it carries */
  constructor(source: string, nameOf: (written: string) => string) {
    this.source = source;
    this.names = new Names(nameOf);
    this.elements = new Int32Array((Math.min(MAX_ELEMENTS, Math.ceil(source.length / USUAL_ELEMENT)) + 1) * SIZE);
  }

  /** Makes room for the `index`-th element of the file; its place. */
  placeFor(index: number): number {
    const place = index * SIZE;
    if (place + SIZE > this.elements.length) {
      const grown = new Int32Array(Math.min(this.elements.length * 2, (MAX_ELEMENTS + 1) * SIZE));
      grown.set(this.elements);
      this.elements = grown;
    }
    return place;
  }

  nameAt(place: number): string {
    return this.names.of(this.elements[place + NAME] as number);
  }

  valueAt(place: number): string {
    const to = this.elements[place + TO] as number;
    if (to === 0) return "";
    const from = this.elements[place + FROM] as number;
    return from === APART ? (this.valuesApart.get(place) ?? "") : this.source.slice(from, to);
  }

  /** The first child of a name; 0 for none. */
  childAt(place: number, name: string): number {
    const wanted = this.names.numberOf(name);
    return this.#named(this.elements[place + FIRST_CHILD] as number, wanted);
  }

  /** The next element of the same name and parent; 0 for none. */
  alikeAfter(place: number): number {
    return this.#named(this.elements[place + NEXT] as number, this.elements[place + NAME] as number);
  }

  #named(first: number, wanted: number): number {
    const { elements } = this;
    let at = first;
    while (at !== 0 && elements[at + NAME] !== wanted) at = elements[at + NEXT] as number;
    return at;
  }
}
