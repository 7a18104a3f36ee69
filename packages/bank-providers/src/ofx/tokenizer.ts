/** A piece of an OFX body. `offset` is where it starts in the text. Names are upper-case; text is as written, undecoded. */
export type Token =
  | { readonly kind: "open"; readonly name: string; readonly offset: number; readonly empty: boolean }
  | { readonly kind: "close"; readonly name: string; readonly offset: number }
  | { readonly kind: "text"; readonly text: string; readonly literal: boolean; readonly offset: number }
  | { readonly kind: "fault"; readonly reason: string; readonly offset: number };

/** Where markup begins: a `<` followed by anything else is text, as banks write it ("BALANCE < 0"). */
const markup = /<(?=\/?[A-Za-z_]|[!?])/g;
const openTag = /<([A-Za-z_][A-Za-z0-9_.:-]*)(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*?)?(\/?)>/y;
const closeTag = /<\/([A-Za-z_][A-Za-z0-9_.:-]*)\s*>/y;

/**
 * Cuts SGML and XML alike into tags and text, from `offset` on. Comments vanish, CDATA is literal text; declarations are
 * faults. A fault is the last token.
 */
export function* tokenize(text: string, offset: number): Generator<Token> {
  const names = new Map<string, string>();
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

function readMarkup(text: string, at: number, names: Map<string, string>): { token: Token | null; end: number } {
  const second = text[at + 1];
  if (second === "/") {
    closeTag.lastIndex = at;
    const match = closeTag.exec(text);
    if (!match) return fault("a tag that is never closed by >", at);
    return { token: { kind: "close", name: interned(names, match[1] ?? ""), offset: at }, end: closeTag.lastIndex };
  }
  if (second !== "!" && second !== "?") {
    openTag.lastIndex = at;
    const match = openTag.exec(text);
    if (!match) return fault("a tag that is never closed by >", at);
    const name = interned(names, match[1] ?? "");
    return { token: { kind: "open", name, offset: at, empty: match[2] === "/" }, end: openTag.lastIndex };
  }
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4);
    return end < 0 ? fault("a comment that is never closed", at) : { token: null, end: end + 3 };
  }
  if (text.startsWith("<![CDATA[", at)) {
    const end = text.indexOf("]]>", at + 9);
    if (end < 0) return fault("a CDATA section that is never closed", at);
    return { token: { kind: "text", text: text.slice(at + 9, end), literal: true, offset: at + 9 }, end: end + 3 };
  }
  return fault("a declaration inside the document", at);
}

function fault(reason: string, offset: number): { token: Token; end: number } {
  return { token: { kind: "fault", reason, offset }, end: offset };
}

/** One string per name: a name cut out of the text would keep the whole text alive and cost its own header each time. */
function interned(names: Map<string, string>, name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const upper = name.toUpperCase();
  names.set(name, upper);
  return upper;
}
