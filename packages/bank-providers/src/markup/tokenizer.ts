/** A piece of a document. `offset` is where it starts in the text. Text is as written, undecoded. */
export type Token =
  | {
      readonly kind: "open";
      readonly name: string;
      readonly offset: number;
      readonly empty: boolean;
      /** Where its attributes begin; null when it has none. */
      readonly attributes: number | null;
    }
  | { readonly kind: "close"; readonly name: string; readonly offset: number }
  | { readonly kind: "text"; readonly text: string; readonly literal: boolean; readonly offset: number }
  | { readonly kind: "fault"; readonly reason: string; readonly offset: number };

/** More than this many in one element are a fault; the widest rows of real files have about 110. */
const MAX_ATTRIBUTES = 1_000;

/** Where markup begins: a `<` followed by anything else is text, as banks write it ("BALANCE < 0"). */
const markup = /<(?=\/?[A-Za-z_]|[!?])/g;
const openName = /<([A-Za-z_][A-Za-z0-9_.:-]*)/y;
const openEnd = /\s*(\/?)>/y;
const closeTag = /<\/([A-Za-z_][A-Za-z0-9_.:-]*)\s*>/y;

/** One attribute with the space before it; groups: name, value in its quotation marks. Sticky: set `lastIndex` before each use. */
export const attributePattern = /\s+([A-Za-z_][A-Za-z0-9_.:-]*)\s*=\s*("[^"<]*"|'[^'<]*')/y;

/**
 * Cuts SGML and XML alike into tags and text, from `offset` on. Comments and processing instructions vanish, CDATA is literal
 * text; declarations, with which a document could define what its references stand for, are faults. A fault is the last token.
 * @param nameOf turns a name as written into the one that tokens carry
 */
export function* tokenize(text: string, offset: number, nameOf: (written: string) => string): Generator<Token> {
  const names = new Names(nameOf);
  let at = offset;
  while (at < text.length) {
    const next = nextMarkup(text, at);
    if (next > at) yield { kind: "text", text: text.slice(at, next), literal: false, offset: at };
    if (next === text.length) return;
    const { token, end } = readMarkup(text, next, names);
    if (token) yield token;
    if (token?.kind === "fault") return;
    at = end;
  }
}

function nextMarkup(text: string, from: number): number {
  markup.lastIndex = from;
  return markup.exec(text)?.index ?? text.length;
}

interface Cut {
  readonly token: Token | null;
  readonly end: number;
}

function readMarkup(text: string, at: number, names: Names): Cut {
  const second = text[at + 1];
  if (second === "/") {
    closeTag.lastIndex = at;
    const match = closeTag.exec(text);
    if (!match) return fault("a tag that is never closed by >", at);
    return { token: { kind: "close", name: names.of(match[1] ?? ""), offset: at }, end: closeTag.lastIndex };
  }
  if (second !== "!" && second !== "?") return readOpenTag(text, at, names);
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4);
    return end < 0 ? fault("a comment that is never closed", at) : { token: null, end: end + 3 };
  }
  if (text.startsWith("<![CDATA[", at)) {
    const end = text.indexOf("]]>", at + 9);
    if (end < 0) return fault("a CDATA section that is never closed", at);
    return { token: { kind: "text", text: text.slice(at + 9, end), literal: true, offset: at + 9 }, end: end + 3 };
  }
  if (second === "?") {
    const end = text.indexOf("?>", at + 2);
    return end < 0 ? fault("a processing instruction that is never closed", at) : { token: null, end: end + 2 };
  }
  return fault("a declaration inside the document", at);
}

/** Attributes are stepped over one by one: a single pattern for all of them would overflow the stack in a wide enough tag. */
function readOpenTag(text: string, at: number, names: Names): Cut {
  openName.lastIndex = at;
  const name = openName.exec(text)?.[1] ?? "";
  const attributes = openName.lastIndex;
  let end = attributes;
  let count = 0;
  for (attributePattern.lastIndex = end; attributePattern.test(text); count += 1) {
    end = attributePattern.lastIndex;
    if (count === MAX_ATTRIBUTES) return fault(`more than ${MAX_ATTRIBUTES} attributes in one element`, at);
  }
  openEnd.lastIndex = end;
  const close = openEnd.exec(text);
  if (!close) return fault("a tag that is never closed by >", at);
  const empty = close[1] === "/";
  return {
    token: { kind: "open", name: names.of(name), offset: at, empty, attributes: count === 0 ? null : attributes },
    end: openEnd.lastIndex,
  };
}

function fault(reason: string, offset: number): Cut {
  return { token: { kind: "fault", reason, offset }, end: offset };
}

/** Names kept at once; a document with more kinds of elements than this is made to fill the memory, and pays by time. */
const MAX_NAMES = 10_000;

/** One string per name: a name cut out of the text would keep the whole text alive and cost its own header each time. */
class Names {
  readonly #known = new Map<string, string>();
  readonly #nameOf: (written: string) => string;

  constructor(nameOf: (written: string) => string) {
    this.#nameOf = nameOf;
  }

  of(written: string): string {
    const known = this.#known.get(written);
    if (known !== undefined) return known;
    const name = this.#nameOf(written);
    if (this.#known.size < MAX_NAMES) this.#known.set(written, name);
    return name;
  }
}
