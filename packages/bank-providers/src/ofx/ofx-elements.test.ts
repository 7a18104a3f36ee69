import { describe, expect, it } from "vitest";
import { accessRefusal } from "../../test/ofx-files.js";
import { MAX_ELEMENT_DEPTH, MAX_ELEMENTS, MAX_VALUE } from "../markup/document.js";
import type { MarkupElement } from "../markup/element.js";
import { MAX_ELEMENT_NAMES } from "../markup/names.js";
import { readElements } from "./ofx-elements.js";

const sgml = (body: string) => outline(readElements(Buffer.from(body, "latin1")));
const xml = (body: string) => outline(readElements(Buffer.from(`<?xml version="1.0"?>${body}`)));

/** `OFX(A=1 B())` for a tree. */
function outline(element: MarkupElement): string {
  if (element.text !== "") return `${element.name}=${element.text}`;
  return `${element.name}(${element.children.map(outline).join(" ")})`;
}

describe("SGML", () => {
  it.each([
    ["values without closing tags", "<OFX><A>1<B>2</OFX>", "OFX(A=1 B=2)"],
    ["values with closing tags", "<OFX>\n<A>1</A>\r\n<B>2</B></OFX>", "OFX(A=1 B=2)"],
    ["both mixed, aggregates closed", "<OFX><X><A>1<B>2</B></X><C>3</OFX>", "OFX(X(A=1 B=2) C=3)"],
    ["a one-line header", "OFXHEADER:100DATA:OFXSGMLCHARSET:1252COMPRESSION:NONE<OFX><A>1</OFX>", "OFX(A=1)"],
    ["names in lower case", "<ofx><a>1</A></ofx>", "OFX(A=1)"],
    ["an empty value left open", "<OFX><X><MEMO><A>1</X></OFX>", "OFX(X(MEMO() A=1))"],
    ["an empty value that is closed", "<OFX><A></A><B>1</OFX>", "OFX(A() B=1)"],
    [
      "several in a row",
      "<OFX><BAL><NAME><X.USERID><DTASOF><A>1<B>2</BAL><C>3</OFX>",
      "OFX(BAL(NAME() X.USERID() DTASOF() A=1 B=2) C=3)",
    ],
    ["an empty value at the end", "<OFX><BAL><A>1<MEMO></BAL></OFX>", "OFX(BAL(A=1 MEMO()))"],
    [
      "one that is closed elsewhere",
      "<OFX><BAL><MEMO>x</MEMO></BAL><BAL><MEMO><A>1</BAL></OFX>",
      "OFX(BAL(MEMO=x) BAL(MEMO() A=1))",
    ],
    ["one before aggregates", "<OFX><CURDEF><BAL><A>1</BAL><BAL></BAL></OFX>", "OFX(CURDEF() BAL(A=1) BAL())"],
    ["spaces around values", "<OFX><A>  1 2\t\n</OFX>", "OFX(A=1 2)"],
    [
      "a bare ampersand and a bare less-than sign",
      "<OFX><A>AT&T < 3 &lt; 4 &bogus;</OFX>",
      "OFX(A=AT&T < 3 < 4 &bogus;)",
    ],
    ["references", "<OFX><A>&amp;amp;&#65;&#x42;&gt;x&nbsp;y</OFX>", "OFX(A=&amp;AB>x\u00A0y)"],
    ["an end-of-file mark", "<OFX><A>1</OFX>\r\n\u001A", "OFX(A=1)"],
  ])("reads %s", (_, text, expected) => {
    expect(sgml(text)).toBe(expected);
  });
});

describe("XML", () => {
  it.each([
    ["closed elements", "<OFX><A>1</A><X><B/></X></OFX>", "OFX(A=1 X(B()))"],
    ["CDATA and comments", "<OFX><!-- <A> --><A><![CDATA[<&amp;>]]> b</A></OFX>", "OFX(A=<&amp;> b)"],
    ["attributes, which mean nothing", "<OFX xmlns:x=\"a>b\"><A q='1'>1</A></OFX>", "OFX(A=1)"],
  ])("reads %s", (_, text, expected) => {
    expect(xml(text)).toBe(expected);
  });

  it("lets values stay open, as banks that put this header over SGML do", () => {
    expect(xml("<OFX><A>1<B></OFX>")).toBe("OFX(A=1 B())");
    expect(() => xml("<OFX><A>1<B>2</B></A></OFX>")).toThrow("</A> where </OFX> was expected");
  });
});

it.each([
  ["no root", "OFXHEADER:100", "file: has no <OFX> element"],
  [
    "a file cut off after a value",
    "<OFX>\n<X><A>1",
    "line 2, column 8, OFX/X/A: the file ends before this element is closed",
  ],
  ["a file cut off in a tag", "<OFX>\r\n<A", "line 2, column 1, OFX: a tag that is never closed by >"],
  ["a file cut off in a closing tag", "<OFX>\r<A>1</OFX", "line 2, column 5, OFX/A: a tag that is never closed by >"],
  [
    "aggregates that cross",
    "<OFX><BAL><STATUS><A>1</BAL></STATUS></OFX>",
    "line 1, column 23, OFX/BAL/STATUS: </BAL> where </STATUS> was expected",
  ],
  ["text between elements", "<OFX><A>1</A>oops<B>2</OFX>", "line 1, column 14, OFX: text between elements"],
  ["text after the end", "<OFX><A>1</OFX>x", "line 1, column 16: text after the end of the document"],
  ["a second document", "<OFX><A>1</OFX><OFX></OFX>", "line 1, column 16: <OFX> after the end of the document"],
  ["a closing tag too many", "<OFX><A>1</OFX></OFX>", "line 1, column 16: </OFX> closes nothing that is open"],
  ["a declaration", "<OFX><!ENTITY a 'b'><A>1</OFX>", "line 1, column 6, OFX: a declaration inside the document"],
  ["an open comment", "<OFX><!-- <A>1</OFX>", "line 1, column 6, OFX: a comment that is never closed"],
  ["a control character", "<OFX>\n<A>1\u0000</OFX>", "line 2, column 5: a control character"],
  [
    "a reference to one",
    "<OFX><A>1&#0;</OFX>",
    "line 1, column 9, OFX/A: a numeric reference to a character that may not be used",
  ],
  ["a reference to half a character", "<OFX><A>&#xD800;</OFX>", "line 1, column 9, OFX/A: a numeric reference"],
])("refuses %s with the place", (_, text, refusal) => {
  expect(accessRefusal(text)).toContain(refusal);
});

it.each(["INVPOSLIST", "INVTRANLIST", "CURRENCY", "STMTTRN"])("%s is no empty value: it must be closed", (name) => {
  expect(accessRefusal(`<OFX><INVSTMTRS><${name}><A>1</INVSTMTRS></OFX>`)).toContain(
    `</INVSTMTRS> where </${name}> was expected`,
  );
});

it("a file of empty values costs time in proportion to its length", () => {
  const empties = Array.from({ length: MAX_ELEMENT_DEPTH - 3 }, (_, n) => `<E${n}>`).join("");
  expect(sgml(`<OFX><BAL>${empties}${"<A>1".repeat(1_000_000)}</BAL></OFX>`).length).toBeGreaterThan(4_000_000);
});

it("numbers elements of one name in the path", () => {
  expect(accessRefusal("<OFX><X></X><X></Y></X></OFX>")).toBe(
    "line 1, column 16, OFX/X[2]: </Y> where </X> was expected",
  );
});

it("takes nesting up to the limit and refuses what is deeper", () => {
  const nested = (depth: number) => `<OFX>${"<X>".repeat(depth - 1)}${"</X>".repeat(depth - 1)}</OFX>`;
  expect(sgml(nested(MAX_ELEMENT_DEPTH))).toContain("X()");
  expect(accessRefusal(nested(MAX_ELEMENT_DEPTH + 1))).toContain(
    `elements are nested more than ${MAX_ELEMENT_DEPTH} deep`,
  );
});

it("takes values up to the limit and refuses longer ones, however they are put together", () => {
  expect(sgml(`<OFX><A>${"x".repeat(MAX_VALUE)}</OFX>`)).toHaveLength(MAX_VALUE + 7);
  expect(accessRefusal(`<OFX><A>${"x".repeat(MAX_VALUE + 1)}</OFX>`)).toContain(
    `a value of more than ${MAX_VALUE} characters`,
  );
  expect(accessRefusal(`<OFX><A>${"<![CDATA[xx]]>".repeat(MAX_VALUE / 2)}x</OFX>`)).toContain("a value of more than");
});

it("refuses more elements than fit into memory", () => {
  expect(accessRefusal(`<OFX>${"<A/>".repeat(MAX_ELEMENTS)}</OFX>`)).toContain(
    `holds more than ${MAX_ELEMENTS} elements`,
  );
});

it("refuses more names than any bank has, of elements as of attributes", () => {
  const several = (most: number, write: (name: string) => string) =>
    `<OFX>${Array.from({ length: most }, (_, n) => write(`N${n}`)).join("")}</OFX>`;
  expect(accessRefusal(several(MAX_ELEMENT_NAMES, (name) => `<${name}/>`))).toContain(
    `more than ${MAX_ELEMENT_NAMES} names`,
  );
  expect(accessRefusal(several(MAX_ELEMENT_NAMES + 1, (name) => `<A ${name}="1"/>`))).toContain(
    `more than ${MAX_ELEMENT_NAMES} names`,
  );
  expect(sgml(several(MAX_ELEMENT_NAMES - 1, (name) => `<${name} ${name}="1"/>`))).toContain(
    `N${MAX_ELEMENT_NAMES - 2}()`,
  );
});
