import { FeedRefusal } from "@org/provider-kit";
import { decodeReferences } from "./references.js";
import { type Token, tokenize } from "./tokenizer.js";

/**
 * What is deeper, more or longer than this is refused. Real files stay below 15 levels and 300 characters; the number of
 * elements is that of 300,000 positions and bounds the memory to about half a gigabyte.
 */
export const MAX_DEPTH = 100;
export const MAX_ELEMENTS = 3_000_000;
export const MAX_VALUE = 100_000;

/** An element of an SGML or XML document: either a value (`text`, trimmed) or a list of `children`; `text` is "" when it has neither. */
export interface MarkupElement {
  readonly name: string;
  readonly parent: MarkupElement | null;
  readonly children: readonly MarkupElement[];
  readonly text: string;
  /** Where its tag starts in `source`. */
  readonly offset: number;
  /** Where its attributes start in `source`; null when it has none. */
  readonly attributes: number | null;
  /** The whole decoded file. */
  readonly source: string;
}

/** How a format writes its documents. */
export interface Notation {
  /** Turns a name as written into the one that the elements carry. */
  readonly nameOf: (written: string) => string;
  /**
   * Null where every element is closed (XML). In SGML a value ends at the next tag and its own closing tag may be missing; these
   * are the elements that hold others and must be closed. A tag alone cannot show which of the two it opens.
   */
  readonly aggregates: ReadonlySet<string> | null;
}

/**
 * Reads a text from `offset` on into its root element. Whatever does not nest, stands outside of an element or is cut off is a
 * FeedRefusal.
 */
export function readTree(text: string, offset: number, notation: Notation): MarkupElement {
  refuseControlCharacters(text);
  const tree = new TreeBuilder(text, notation);
  for (const token of tokenize(text, offset, notation.nameOf)) tree.take(token);
  return tree.finish();
}

interface OpenElement extends MarkupElement {
  children: OpenElement[];
  text: string;
  parent: OpenElement | null;
}

const noChildren: OpenElement[] = [];

class TreeBuilder {
  readonly #source: string;
  readonly #notation: Notation;
  #root: OpenElement | null = null;
  #current: OpenElement | null = null;
  #depth = 0;
  #count = 0;

  constructor(source: string, notation: Notation) {
    this.#source = source;
    this.#notation = notation;
  }

  take(token: Token): void {
    if (token.kind === "open") this.#open(token);
    else if (token.kind === "close") this.#close(token.name, token.offset);
    else if (token.kind === "text") this.#addText(token);
    else throw this.#refusal(token.offset, token.reason);
  }

  finish(): MarkupElement {
    if (this.#current) throw this.#refusal(this.#source.length, "the file ends before this element is closed");
    if (!this.#root) throw new FeedRefusal("file", "holds no element");
    return this.#root;
  }

  #open({ name, offset, empty, attributes }: Extract<Token, { kind: "open" }>): void {
    if (this.#current && this.#endsUnclosed(this.#current)) this.#leave();
    if (this.#current?.text) throw this.#refusal(offset, `<${name}> inside a value`);
    if (this.#root && !this.#current) throw this.#refusal(offset, `<${name}> after the end of the document`);
    if (this.#depth >= MAX_DEPTH) throw this.#refusal(offset, `elements are nested more than ${MAX_DEPTH} deep`);
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS) throw this.#refusal(offset, `holds more than ${MAX_ELEMENTS} elements`);
    const element = {
      name,
      offset,
      attributes,
      parent: this.#current,
      children: noChildren,
      text: "",
      source: this.#source,
    };
    if (!this.#current) this.#root = element;
    else if (this.#current.children === noChildren) this.#current.children = [element];
    else this.#current.children.push(element);
    this.#current = element;
    this.#depth += 1;
    if (empty) this.#leave();
  }

  #close(name: string, offset: number): void {
    if (this.#current && this.#current.name !== name && this.#endsUnclosed(this.#current)) this.#leave();
    if (this.#current && this.#current.name !== name) this.#leaveEmptyValues(name);
    if (!this.#current) throw this.#refusal(offset, `</${name}> closes nothing that is open`);
    if (this.#current.name !== name)
      throw this.#refusal(offset, `</${name}> where </${this.#current.name}> was expected`);
    this.#leave();
  }

  #addText(token: { text: string; literal: boolean; offset: number }): void {
    if (token.text.trim() === "") return;
    const element = this.#current;
    if (!element) {
      if (token.text.trim() === "\u001A") return;
      throw this.#refusal(
        token.offset,
        `text ${this.#root ? "after the end" : "before the beginning"} of the document`,
      );
    }
    if (element.children.length > 0) throw this.#refusal(token.offset, "text between elements");
    if (element.text.length + token.text.length > MAX_VALUE) {
      throw this.#refusal(token.offset, `a value of more than ${MAX_VALUE} characters`);
    }
    const decoded = token.literal ? token.text : decodeReferences(token.text);
    if (decoded === null) throw this.#refusal(token.offset, "a numeric reference to a character that may not be used");
    element.text += decoded;
  }

  #leave(): void {
    if (!this.#current) return;
    this.#current.text = this.#current.text.trim();
    this.#current = this.#current.parent;
    this.#depth -= 1;
  }

  /** Whether an open element is a value, which in SGML ends where the next tag begins. */
  #endsUnclosed({ children, text }: OpenElement): boolean {
    return this.#notation.aggregates !== null && children.length === 0 && text !== "";
  }

  /**
   * What was taken for an aggregate and is never closed was an empty value: what follows it belongs beside it, into the element
   * that is closed now. Each element moves once, so a file of empty values costs time in proportion to its length.
   */
  #leaveEmptyValues(closed: string): void {
    const { aggregates } = this.#notation;
    const values: OpenElement[] = [];
    let owner = this.#current;
    for (; owner && owner.name !== closed; owner = owner.parent) {
      if (!aggregates || aggregates.has(owner.name)) return;
      values.push(owner);
    }
    if (!owner) return;
    for (const value of values.reverse()) {
      for (const child of value.children) {
        child.parent = owner;
        owner.children.push(child);
      }
      value.children = noChildren;
    }
    this.#depth -= values.length;
    this.#current = owner;
  }

  #refusal(offset: number, reason: string): FeedRefusal {
    const place = lineAndColumn(this.#source, offset);
    return new FeedRefusal(this.#current ? `${place}, ${pathOf(this.#current)}` : place, reason);
  }
}

/** Databases and terminals choke on them; the end-of-file mark of old systems is let through at the very end only. */
function refuseControlCharacters(text: string): void {
  // The end is found once: looking for it from each character would take time by the square of their number.
  const end = text.trimEnd().length;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  const offset = text.search(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/);
  if (offset >= 0 && offset < end - 1) throw new FeedRefusal(lineAndColumn(text, offset), "a control character");
}

/** Refuses the file at an element: `line 12, column 3, OFX/INVSTMTMSGSRSV1/…/INVPOS[2]/UNITS`. */
export function refuse(element: MarkupElement, reason: string): FeedRefusal {
  return new FeedRefusal(placeOf(element), reason);
}

/** Where an element stands: line, column, and its path. */
export function placeOf(element: MarkupElement): string {
  return `${lineAndColumn(element.source, element.offset)}, ${pathOf(element)}`;
}

/** Line and column of an offset, both from 1; CRLF, LF and a lone CR each end a line. */
export function lineAndColumn(text: string, offset: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LF && (code !== CR || text.charCodeAt(at + 1) === LF)) continue;
    line += 1;
    lineStart = at + 1;
  }
  return `line ${line}, column ${offset - lineStart + 1}`;
}

const CR = 13;
const LF = 10;

/** Names from the root down, numbered from 1 where a parent holds several of one name; long names are cut. */
function pathOf(element: MarkupElement): string {
  const step = element.name.slice(0, 60) + positionAmongSiblings(element);
  return element.parent === null ? step : `${pathOf(element.parent)}/${step}`;
}

function positionAmongSiblings(element: MarkupElement): string {
  const same = element.parent?.children.filter((sibling) => sibling.name === element.name) ?? [];
  return same.length < 2 ? "" : `[${same.indexOf(element) + 1}]`;
}
