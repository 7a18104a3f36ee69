import { FeedRefusal } from "@org/core";
import { decodeOfx } from "./encoding.js";
import { lineAndColumn, pathOf } from "./place.js";
import { decodeReferences } from "./references.js";
import { type Token, tokenize } from "./tokenizer.js";

/**
 * What is deeper, more or longer than this is refused. Real files stay below 15 levels and 300 characters; the number of
 * elements is that of 300,000 positions and bounds the memory to about half a gigabyte.
 */
export const MAX_DEPTH = 100;
export const MAX_ELEMENTS = 3_000_000;
export const MAX_VALUE = 100_000;

/** An element of an OFX document: either a value (`text`, trimmed) or a list of `children`; `text` is "" when it has neither. */
export interface OfxElement {
  readonly name: string;
  readonly parent: OfxElement | null;
  readonly children: readonly OfxElement[];
  readonly text: string;
  /** Where its tag starts in `source`. */
  readonly offset: number;
  /** The whole decoded file. */
  readonly source: string;
}

/**
 * Reads a file into its `OFX` element. In SGML a value ends at the next tag, so its own closing tag may be missing; aggregates
 * must be closed in both dialects. Whatever does not nest, stands outside of an element or is cut off is a FeedRefusal.
 */
export function readElements(file: Uint8Array): OfxElement {
  const { text, offset, dialect } = decodeOfx(file);
  refuseControlCharacters(text);
  const tree = new TreeBuilder(text, dialect);
  for (const token of tokenize(text, offset)) tree.take(token);
  return tree.finish();
}

interface OpenElement extends OfxElement {
  children: OpenElement[];
  text: string;
  parent: OpenElement | null;
}

const noChildren: OpenElement[] = [];

/** Values that banks leave empty and, in SGML, unclosed; a tag alone cannot show that they are no aggregates. */
const knownValues = new Set(
  "MEMO NAME DESC MESSAGE LANGUAGE TICKER FIID RATING CHECKNUM REFNUM SIC PAYEEID EXTDNAME CLTCOOKIE ORG FID TRNUID".split(
    " ",
  ),
);

class TreeBuilder {
  readonly #source: string;
  readonly #dialect: "sgml" | "xml";
  #root: OpenElement | null = null;
  #current: OpenElement | null = null;
  #depth = 0;
  #count = 0;

  constructor(source: string, dialect: "sgml" | "xml") {
    this.#source = source;
    this.#dialect = dialect;
  }

  take(token: Token): void {
    if (token.kind === "open") this.#open(token.name, token.offset, token.empty);
    else if (token.kind === "close") this.#close(token.name, token.offset);
    else if (token.kind === "text") this.#addText(token);
    else throw this.#refusal(token.offset, token.reason);
  }

  finish(): OfxElement {
    if (this.#current) throw this.#refusal(this.#source.length, "the file ends before this element is closed");
    if (!this.#root) throw new FeedRefusal("file", "has no <OFX> element");
    return this.#root;
  }

  #open(name: string, offset: number, empty: boolean): void {
    if (this.#dialect === "sgml" && this.#current && isValue(this.#current)) this.#leave();
    if (this.#current?.text) throw this.#refusal(offset, `<${name}> inside a value`);
    if (this.#root && !this.#current) throw this.#refusal(offset, `<${name}> after the end of the document`);
    if (this.#depth >= MAX_DEPTH) throw this.#refusal(offset, `elements are nested more than ${MAX_DEPTH} deep`);
    this.#count += 1;
    if (this.#count > MAX_ELEMENTS) throw this.#refusal(offset, `holds more than ${MAX_ELEMENTS} elements`);
    const element = { name, offset, parent: this.#current, children: noChildren, text: "", source: this.#source };
    if (!this.#current) this.#root = element;
    else if (this.#current.children === noChildren) this.#current.children = [element];
    else this.#current.children.push(element);
    this.#current = element;
    this.#depth += 1;
    if (empty) this.#leave();
  }

  #close(name: string, offset: number): void {
    if (this.#dialect === "sgml" && this.#current && this.#current.name !== name && isValue(this.#current))
      this.#leave();
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
      throw this.#refusal(token.offset, "text after the end of the document");
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

  #refusal(offset: number, reason: string): FeedRefusal {
    const place = lineAndColumn(this.#source, offset);
    return new FeedRefusal(this.#current ? `${place}, ${pathOf(this.#current)}` : place, reason);
  }
}

/** Whether an open element is a value, which in SGML ends where the next tag begins. */
function isValue(element: OpenElement): boolean {
  return element.children.length === 0 && (element.text !== "" || knownValues.has(element.name));
}

/** Databases and terminals choke on them; the end-of-file mark of old systems is let through at the very end only. */
function refuseControlCharacters(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  const offset = text.search(/[\u0000-\u0008\u000B\u000C\u000E-\u001F](?!\s*$)/);
  if (offset >= 0) throw new FeedRefusal(lineAndColumn(text, offset), "a control character");
}
