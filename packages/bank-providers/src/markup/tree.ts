import { FeedRefusal } from "@org/provider-kit";
import { keepShared } from "../kept-objects.js";
import { type Codes, codesOf, isSpace } from "./characters.js";
import {
  APART,
  ATTRIBUTES,
  FIRST_CHILD,
  FROM,
  MAX_ELEMENT_DEPTH,
  MAX_ELEMENTS,
  MAX_VALUE,
  MarkupDocument,
  NAME,
  NEXT,
  OFFSET,
  PARENT,
  TO,
} from "./document.js";
import { elementPath, MarkupElement } from "./element.js";
import { lineAndColumn } from "./lines.js";
import { decodeReferences } from "./references.js";
import { Tokenizer } from "./tokenizer.js";

/** The notation of a format's documents. */
export interface Notation {
  /** Converts a name as written to the name that elements have. */
  readonly nameOf: (written: string) => string;
  /**
   * Null if every element is closed (XML). In SGML a value ends at the next tag, and its closing tag may be missing. This set names the elements
   * that contain others and must be closed; a tag alone does not show which of the two kinds it opens.
   */
  readonly aggregates: ReadonlySet<string> | null;
}

/**
 * Parses a text from `offset` on and returns the root element. Elements that do not nest, text outside of an element and a truncated document are
 * a FeedRefusal.
 * @param file that the text was decoded from, if it is the text of a whole file
 */
export function readTree(text: string, offset: number, notation: Notation, file?: Uint8Array): MarkupElement {
  refuseControlCharacters(text);
  return new TreeBuilder(text, codesOf(text, file), offset, notation).build();
}

/** Stands for no element in place of an element's index. */
const NONE = -1;

class TreeBuilder {
  readonly #document: MarkupDocument;
  readonly #codes: Codes;
  readonly #aggregates: ReadonlySet<string> | null;
  readonly #tokens: Tokenizer;
  /** The innermost open element. */
  #current = NONE;
  #depth = 0;
  #count = 0;
  /** The last child of each open element by depth; 0 = none. */
  readonly #lastChild = new Int32Array(MAX_ELEMENT_DEPTH + 1);

  constructor(source: string, codes: Codes, offset: number, { nameOf, aggregates }: Notation) {
    this.#document = new MarkupDocument(source, nameOf);
    this.#codes = codes;
    this.#aggregates = aggregates;
    this.#tokens = new Tokenizer(this.#document, codes, offset);
  }

  build(): MarkupElement {
    const tokens = this.#tokens;
    for (;;) {
      tokens.next(this.#current === NONE ? NONE : (this.#document.elements[this.#current + NAME] as number));
      if (tokens.kind === "open") this.#open();
      else if (tokens.kind === "close") this.#close();
      else if (tokens.kind === "text") this.#addText();
      else if (tokens.kind === "fault") throw this.#refusal(tokens.offset, tokens.reason);
      else return this.#finish();
    }
  }

  #finish(): MarkupElement {
    if (this.#current !== NONE)
      throw this.#refusal(this.#document.source.length, "the file ends before this element is closed");
    if (this.#count === 0) throw new FeedRefusal("file", "holds no element");
    return new MarkupElement(this.#document, 0);
  }

  #open(): void {
    const { offset, name, attributes, isEmpty } = this.#tokens;
    if (this.#endsUnclosed()) this.#leave();
    const parent = this.#current;
    if (parent !== NONE && this.#document.elements[parent + TO] !== 0)
      throw this.#refusal(offset, `<${this.#document.names.of(name)}> inside a value`);
    if (parent === NONE && this.#count > 0)
      throw this.#refusal(offset, `<${this.#document.names.of(name)}> after the end of the document`);
    if (this.#depth >= MAX_ELEMENT_DEPTH)
      throw this.#refusal(offset, `elements are nested more than ${MAX_ELEMENT_DEPTH} deep`);
    if (this.#count === MAX_ELEMENTS) throw this.#refusal(offset, `holds more than ${MAX_ELEMENTS} elements`);
    const place = this.#document.placeFor(this.#count);
    const { elements } = this.#document;
    this.#count += 1;
    elements[place + NAME] = name;
    elements[place + OFFSET] = offset;
    elements[place + PARENT] = parent;
    elements[place + ATTRIBUTES] = attributes;
    if (parent !== NONE) {
      const before = this.#lastChild[this.#depth] as number;
      elements[before === 0 ? parent + FIRST_CHILD : before + NEXT] = place;
      this.#lastChild[this.#depth] = place;
    }
    this.#current = place;
    this.#depth += 1;
    this.#lastChild[this.#depth] = 0;
    if (isEmpty) this.#leave();
  }

  #close(): void {
    const { elements, names } = this.#document;
    const { name, offset } = this.#tokens;
    if (this.#current !== NONE && elements[this.#current + NAME] !== name) {
      if (this.#endsUnclosed()) this.#leave();
      if (this.#current !== NONE && elements[this.#current + NAME] !== name) this.#leaveEmptyValues(name);
    }
    if (this.#current === NONE) throw this.#refusal(offset, `</${names.of(name)}> closes nothing that is open`);
    if (elements[this.#current + NAME] !== name) {
      const expected = this.#document.nameAt(this.#current);
      throw this.#refusal(offset, `</${names.of(name)}> where </${expected}> was expected`);
    }
    this.#leave();
  }

  #addText(): void {
    const { elements, source, valuesApart } = this.#document;
    const { offset, to, isLiteral, hasReferences } = this.#tokens;
    const place = this.#current;
    if (place === NONE) {
      if (source.slice(offset, to).trim() === "\u001A") return;
      throw this.#refusal(offset, `text ${this.#count > 0 ? "after the end" : "before the beginning"} of the document`);
    }
    if (elements[place + FIRST_CHILD] !== 0) throw this.#refusal(offset, "text between elements");
    const hasValue = elements[place + TO] !== 0;
    const value = hasValue ? this.#document.valueAt(place) : "";
    if (value.length + to - offset > MAX_VALUE)
      throw this.#refusal(offset, `a value of more than ${MAX_VALUE} characters`);
    if (!hasValue && !hasReferences) {
      elements[place + FROM] = offset;
      elements[place + TO] = to;
      return;
    }
    const written = source.slice(offset, to);
    const decoded = isLiteral ? written : decodeReferences(written);
    if (decoded === null) throw this.#refusal(offset, "a numeric reference to a character that may not be used");
    valuesApart.set(place, value + decoded);
    elements[place + FROM] = APART;
    elements[place + TO] = to;
  }

  #leave(): void {
    const { elements } = this.#document;
    const place = this.#current;
    if (elements[place + TO] !== 0) this.#trimValue(place);
    this.#current = elements[place + PARENT] as number;
    this.#depth -= 1;
  }

  #trimValue(place: number): void {
    const { elements, valuesApart } = this.#document;
    const codes = this.#codes;
    let from = elements[place + FROM] as number;
    if (from === APART) {
      valuesApart.set(place, this.#document.valueAt(place).trim());
      return;
    }
    let to = elements[place + TO] as number;
    while (from < to && isSpace(codes[from] as number)) from += 1;
    while (from < to && isSpace(codes[to - 1] as number)) to -= 1;
    elements[place + FROM] = from;
    elements[place + TO] = to;
  }

  /** Whether the innermost open element is a value, which in SGML ends where the next tag begins. */
  #endsUnclosed(): boolean {
    return this.#aggregates !== null && this.#current !== NONE && this.#document.elements[this.#current + TO] !== 0;
  }

  /**
   * Treats unclosed elements that looked like aggregates as empty values: their children move beside them, into the element that is now closed.
   * Each element moves once, so a file of empty values takes linear time.
   */
  #leaveEmptyValues(closed: number): void {
    const { elements } = this.#document;
    const values: number[] = [];
    let owner = this.#current;
    for (; owner !== NONE && elements[owner + NAME] !== closed; owner = elements[owner + PARENT] as number) {
      if (!this.#aggregates || this.#aggregates.has(this.#document.nameAt(owner))) return;
      values.push(owner);
    }
    if (owner === NONE) return;
    const depth = this.#depth - values.length;
    // Each element is the last child of the one before, and the first is the owner's last child.
    for (const [index, value] of values.reverse().entries()) {
      const first = elements[value + FIRST_CHILD] as number;
      if (first === 0) continue;
      for (let child = first; child !== 0; child = elements[child + NEXT] as number) elements[child + PARENT] = owner;
      elements[value + NEXT] = first;
      elements[value + FIRST_CHILD] = 0;
      this.#lastChild[depth] = this.#lastChild[depth + index + 1] as number;
    }
    this.#depth = depth;
    this.#current = owner;
  }

  #refusal(offset: number, reason: string): FeedRefusal {
    const place = lineAndColumn(this.#document.source, offset);
    if (this.#current === NONE) return new FeedRefusal(place, reason);
    return new FeedRefusal(`${place}, ${elementPath(new MarkupElement(this.#document, this.#current))}`, reason);
  }
}

const sample = '<A B="C"><D>E</D></A>';
const small = new TreeBuilder(sample, codesOf(sample), 0, { nameOf: (written) => written, aggregates: null });
keepShared(small, small.build());

/** Refuses control characters, because databases and terminals cannot handle them. The old end-of-file mark is allowed at the very end. */
function refuseControlCharacters(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  const offset = text.search(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/);
  // Only a match before the last character counts; the text is trimmed only if there is a match.
  if (offset >= 0 && offset < text.trimEnd().length - 1)
    throw new FeedRefusal(lineAndColumn(text, offset), "a control character");
}
