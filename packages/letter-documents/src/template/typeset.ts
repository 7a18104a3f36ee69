import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { create, type Font } from "fontkit";
import PDFDocument from "pdfkit";
import type { FilledLetter } from "./fill-template.js";

const MARGIN = 72;
const require = createRequire(import.meta.url);
let typefaces: { readonly regular: Buffer; readonly bold: Buffer; readonly glyphs: Font } | null = null;

/** Typesets a letter on A4 pages. {@link unprintable} must find nothing in its text. */
export async function typeset(letter: FilledLetter, date: Date): Promise<Uint8Array> {
  const { regular, bold } = fonts();
  const pdf = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    info: { Title: letter.title, CreationDate: date, ModDate: date },
  });
  const whole = buffer(pdf);
  pdf.registerFont("regular", regular).registerFont("bold", bold);
  pdf.font("bold").fontSize(15).text(letter.title).moveDown(1.5);
  pdf.font("regular").fontSize(10.5);
  for (const paragraph of letter.paragraphs) {
    if (typeof paragraph === "string") pdf.text(paragraph, { lineGap: 2 }).moveDown();
    else drawSignatureLine(pdf);
  }
  pdf.end();
  return whole;
}

/** Returns the characters that the letter cannot show: those without a glyph, and those of right-to-left scripts. */
export function unprintable(text: string): readonly string[] {
  const { glyphs } = fonts();
  const cannot = (character: string) =>
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(character) ||
    !glyphs.hasGlyphForCodePoint(character.codePointAt(0) as number);
  return [...new Set(text)].filter((character) => character !== "\n" && cannot(character));
}

/** Loaded with the first letter: most servers never generate one. */
function fonts() {
  typefaces ??= (() => {
    const regular = readFileSync(require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
    const bold = readFileSync(require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"));
    return { regular, bold, glyphs: create(regular) as Font };
  })();
  return typefaces;
}

function drawSignatureLine(pdf: PDFKit.PDFDocument): void {
  pdf.moveDown(4);
  if (pdf.y > pdf.page.height - 2 * MARGIN) pdf.addPage();
  pdf
    .moveTo(MARGIN, pdf.y)
    .lineTo(MARGIN + 280, pdf.y)
    .lineWidth(0.7)
    .stroke();
  pdf.moveDown(0.4);
}
