import { type Codes, isInName, isSpace, startsName } from "./characters.js";
import type { MarkupDocument } from "./document.js";
import { MAX_ELEMENT_NAMES, matchesAt } from "./names.js";

/** Maximum number of attributes per element; the widest rows of real files have about 110. */
const MAX_ATTRIBUTES = 1_000;

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;

/**
 * Splits SGML and XML alike into tags and text, from `offset` on. Comments, processing instructions and blank text are skipped; CDATA is literal
 * text. Declarations are faults, because a document could define entities with them. A `<` without a name is text, as banks write "BALANCE < 0".
 * A fault is the last token.
 *
 * The current token is in the fields of the tokenizer and changes with {@link next}: large files have tens of millions of tokens.
 */
export class Tokenizer {
  kind: "open" | "close" | "text" | "fault" | "end" = "end";
  /** Start of the token in the text. */
  offset = 0;
  /** Of text: its end, whether it is literal (CDATA), and whether it has a `&`. */
  to = 0;
  isLiteral = false;
  hasReferences = false;
  /** Of a tag: the number of its name. */
  name = 0;
  /** Of an opening tag: whether it also closes its element, and the position of its attributes; 0 if it has none. */
  isEmpty = false;
  attributes = 0;
  /** Of a fault. */
  reason = "";

  readonly #text: string;
  readonly #codes: Codes;
  readonly #document: MarkupDocument;
  #at: number;

  /** @param codes of the document's text */
  constructor(document: MarkupDocument, codes: Codes, offset: number) {
    this.#document = document;
    this.#text = document.source;
    this.#codes = codes;
    this.#at = offset;
  }

  /**
   * Reads the next token.
   * @param innermost number of the innermost open element's name, so that its closing tag needs no lookup; -1 = none
   */
  next(innermost: number): void {
    const codes = this.#codes;
    for (;;) {
      const start = this.#at;
      let at = start;
      while (isSpace(codes[at] as number)) at += 1;
      if (at >= codes.length) {
        this.kind = "end";
        return;
      }
      if (!this.#beginsMarkup(at)) {
        this.#takeText(start, at);
        return;
      }
      const second = codes[at + 1] as number;
      if (second === SLASH) this.#takeClosingTag(at, innermost);
      else if (second !== EXCLAMATION && second !== QUESTION) this.#takeOpeningTag(at);
      else if (this.#passes(at)) continue;
      return;
    }
  }

  #beginsMarkup(at: number): boolean {
    const codes = this.#codes;
    if (codes[at] !== LT) return false;
    const second = codes[at + 1] as number;
    if (second === SLASH) return startsName(codes[at + 2] as number);
    return startsName(second) || second === EXCLAMATION || second === QUESTION;
  }

  #takeText(start: number, firstCharacter: number): void {
    const codes = this.#codes;
    let hasReferences = false;
    let at = firstCharacter;
    for (; at < codes.length; at += 1) {
      const code = codes[at] as number;
      if (code === LT && this.#beginsMarkup(at)) break;
      if (code === AMPERSAND) hasReferences = true;
    }
    this.#isText(start, at, false, hasReferences);
    this.#at = at;
  }

  #isText(offset: number, to: number, isLiteral: boolean, hasReferences: boolean): void {
    this.kind = "text";
    this.offset = offset;
    this.to = to;
    this.isLiteral = isLiteral;
    this.hasReferences = hasReferences;
  }

  #fault(reason: string, offset: number): void {
    this.kind = "fault";
    this.reason = reason;
    this.offset = offset;
  }

  #takeClosingTag(start: number, innermost: number): void {
    const codes = this.#codes;
    if (innermost >= 0) {
      const known = this.#document.names.of(innermost);
      const end = start + 2 + known.length;
      if (codes[end] === GT && matchesAt(codes, start + 2, known)) {
        this.#isTag("close", innermost, start, end + 1);
        return;
      }
    }
    let at = this.#endOfName(start + 2);
    const name = this.#name;
    while (isSpace(codes[at] as number)) at += 1;
    if (codes[at] !== GT) this.#fault("a tag that is never closed by >", start);
    else this.#isTag("close", name, start, at + 1);
  }

  #isTag(kind: "open" | "close", name: number, offset: number, end: number): void {
    if (name < 0) {
      this.#fault(`more than ${MAX_ELEMENT_NAMES} names of elements or attributes`, offset);
      return;
    }
    this.kind = kind;
    this.name = name;
    this.offset = offset;
    this.#at = end;
  }

  /** The number of the name that {@link #endOfName} read last. */
  #name = 0;

  #endOfName(start: number, names = this.#document.names): number {
    const codes = this.#codes;
    let hash = 0;
    let at = start;
    for (; ; at += 1) {
      const code = codes[at] as number;
      if (!isInName(code)) break;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    this.#name = names.at(this.#text, start, at, hash ^ (hash >>> 15), codes);
    return at;
  }

  #takeOpeningTag(start: number): void {
    const codes = this.#codes;
    let at = this.#endOfName(start + 1);
    const name = this.#name;
    this.attributes = 0;
    if (codes[at] !== GT) {
      at = this.#endOfAttributes(at, start);
      if (this.kind === "fault") return;
      while (isSpace(codes[at] as number)) at += 1;
    }
    this.isEmpty = codes[at] === SLASH;
    if (this.isEmpty) at += 1;
    if (codes[at] !== GT) this.#fault("a tag that is never closed by >", start);
    else this.#isTag("open", name, start, at + 1);
  }

  /** The end of the last attribute. Anything else is left to the caller, which expects the end of the tag. */
  #endOfAttributes(from: number, tag: number): number {
    const codes = this.#codes;
    const { attributes } = this.#document;
    let end = from;
    for (let count = 0; ; count += 1) {
      let at = end;
      while (isSpace(codes[at] as number)) at += 1;
      if (at === end || !startsName(codes[at] as number)) return end;
      at = this.#endOfName(at, attributes.names);
      const name = this.#name;
      while (isSpace(codes[at] as number)) at += 1;
      if (codes[at] !== EQUALS) return end;
      at += 1;
      while (isSpace(codes[at] as number)) at += 1;
      const quote = codes[at];
      if (quote !== QUOTE && quote !== APOSTROPHE) return end;
      let from = at + 1;
      let hasReferences = false;
      for (at = from; ; at += 1) {
        const code = codes[at] as number;
        if (code === quote) break;
        if (code === AMPERSAND) hasReferences = true;
        if (code === LT || at >= codes.length) return end;
      }
      if (count === MAX_ATTRIBUTES) this.#fault(`more than ${MAX_ATTRIBUTES} attributes in one element`, tag);
      else if (name < 0) this.#fault(`more than ${MAX_ELEMENT_NAMES} names of elements or attributes`, tag);
      if (this.kind === "fault") return end;
      if (count === 0) this.attributes = attributes.begin();
      end = at + 1;
      while (from < at && isSpace(codes[from] as number)) from += 1;
      while (from < at && isSpace(codes[at - 1] as number)) at -= 1;
      attributes.add(this.attributes, name, from, at, hasReferences);
    }
  }

  /** Skips comments, processing instructions and blank CDATA. Returns false if there is a token instead, which may be a fault. */
  #passes(at: number): boolean {
    const codes = this.#codes;
    const text = this.#text;
    if (text.startsWith("<!--", at)) return this.#passesTo("-->", at, 4, "a comment that is never closed");
    if (text.startsWith("<![CDATA[", at)) {
      if (!this.#passesTo("]]>", at, 9, "a CDATA section that is never closed")) return false;
      const [from, to] = [at + 9, this.#at - 3];
      if (text.slice(from, to).trim() === "") return true;
      this.#isText(from, to, true, false);
      return false;
    }
    if (codes[at + 1] === QUESTION) return this.#passesTo("?>", at, 2, "a processing instruction that is never closed");
    this.#fault("a declaration inside the document", at);
    return false;
  }

  #passesTo(end: string, start: number, beginning: number, fault: string): boolean {
    const found = this.#text.indexOf(end, start + beginning);
    if (found < 0) this.#fault(fault, start);
    else this.#at = found + end.length;
    return found >= 0;
  }
}
