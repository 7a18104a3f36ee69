import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
} from "@cantoo/pdf-lib";

/** A page of a PDF: its size in points, and its text in the order in which it is drawn, without any white space. */
export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly text: string;
  /** Pictures drawn on it. */
  readonly pictures: number;
}

/** Reads the pages of a PDF that Chromium has printed: glyphs become characters by the `ToUnicode` map of their font (ISO 32000-2 §9.10.3). */
export async function readPdf(bytes: Uint8Array): Promise<readonly ReadPage[]> {
  const document = await PDFDocument.load(bytes);
  return document.getPages().map((page) => ({ ...page.getSize(), ...contentOf(page) }));
}

/** Choosing a font, showing glyphs in hexadecimal, drawing an object, in the order of the page. */
const OPERATORS = /\/(\S+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\/(\S+) Do\b/g;

function contentOf(page: PDFPage): Pick<ReadPage, "text" | "pictures"> {
  const fonts = new Map<string, ReadonlyMap<string, string>>();
  let font: ReadonlyMap<string, string> = new Map();
  let text = "";
  let pictures = 0;
  for (const [, name, glyphs, drawn] of streamOf(page.node.Contents()).matchAll(OPERATORS)) {
    if (drawn !== undefined) pictures += 1;
    if (name !== undefined) {
      if (!fonts.has(name)) fonts.set(name, charactersOf(page, name));
      font = fonts.get(name) ?? font;
    }
    for (const [glyph] of glyphs?.matchAll(/.{4}/g) ?? []) text += font.get(glyph.toUpperCase()) ?? "";
  }
  const letters = text.replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize("NFKC"));
  return { text: letters.replace(/\s/g, ""), pictures };
}

function streamOf(object: unknown): string {
  if (object instanceof PDFArray)
    return object
      .asArray()
      .map((_, at) => streamOf(object.lookup(at)))
      .join("\n");
  return object instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(object).decode()).toString("latin1") : "";
}

/** The characters of a font's glyphs, by their numbers as four hexadecimal digits. */
function charactersOf(page: PDFPage, name: string): ReadonlyMap<string, string> {
  const font = page.node.Resources()?.lookup(PDFName.of("Font"), PDFDict).lookup(PDFName.of(name), PDFDict);
  const map = streamOf(font?.lookup(PDFName.of("ToUnicode")));
  const characters = new Map<string, string>();
  const set = (glyph: number, text: string) => characters.set(glyph.toString(16).toUpperCase().padStart(4, "0"), text);
  for (const [, lines = ""] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = "", text = ""] of lines.matchAll(/<(\w+)>\s*<(\w+)>/g)) set(parseInt(glyph, 16), utf16(text));
  for (const [, lines = ""] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first = "", last = "", text = ""] of lines.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let glyph = parseInt(first, 16); glyph <= parseInt(last, 16); glyph += 1)
        set(glyph, String.fromCodePoint((utf16(text).codePointAt(0) ?? 0) + glyph - parseInt(first, 16)));
  return characters;
}

/** Big-endian UTF-16 in hexadecimal. */
function utf16(hexadecimal: string): string {
  return Buffer.from(hexadecimal, "hex").swap16().toString("utf16le");
}
