import { AttributeList } from "./attribute-list.js";
import { LineFinder } from "./lines.js";
import { Names } from "./names.js";

/**
 * Limits above which a document is refused. Real files stay below 15 levels and 300 characters per value. The number of elements suffices for
 * 300,000 positions and limits the memory to 100 MB.
 */
export const MAX_ELEMENT_DEPTH = 100;
export const MAX_ELEMENTS = 3_000_000;
export const MAX_VALUE = 100_000;

/** Fields of an element, relative to its place. Place 0 is the root, and since no field refers to the root, 0 means none. */
export const NAME = 0;
/** Start of the tag in the text. */
export const OFFSET = 1;
/** -1 for the root. */
export const PARENT = 2;
export const NEXT = 3;
export const FIRST_CHILD = 4;
/** Start of the value in the text, or {@link APART}. */
export const FROM = 5;
/** End of the value; 0 if there is none. */
export const TO = 6;
/** Position in the attribute list; 0 if there are no attributes. */
export const ATTRIBUTES = 7;
export const SIZE = 8;

/** In {@link FROM}: the value is not in the text verbatim. */
export const APART = -1;

/**
 * Characters per element, tags included, used to size the first allocation: too much memory triggers garbage collection, too little must be
 * copied when it grows. Files of camt.053 without white space have 20.
 */
const USUAL_ELEMENT = 16;

/**
 * An SGML or XML document: its text, and its elements as numbers in one typed array. A file of 64 MiB has millions of elements, most of which are
 * never read.
 */
export class MarkupDocument {
  readonly source: string;
  readonly names: Names;
  /** Replaced when it grows, so code that adds elements must read it again. */
  elements: Int32Array;
  readonly attributes = new AttributeList();
  /** Values that are not in the text verbatim. */
  readonly valuesApart = new Map<number, string>();
  readonly lines: LineFinder;

  /** @param nameOf converts an element's name as written to the name to use */
  constructor(source: string, nameOf: (written: string) => string) {
    this.source = source;
    this.names = new Names(nameOf);
    this.lines = new LineFinder(source);
    this.elements = new Int32Array((Math.min(MAX_ELEMENTS, Math.ceil(source.length / USUAL_ELEMENT)) + 1) * SIZE);
  }

  /** Makes room for the element with this index; returns its place. */
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

  /** The first child with this name; 0 = none. */
  childAt(place: number, name: string): number {
    const wanted = this.names.numberOf(name);
    return this.#named(this.elements[place + FIRST_CHILD] as number, wanted);
  }

  /** The next sibling with the same name; 0 = none. */
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
