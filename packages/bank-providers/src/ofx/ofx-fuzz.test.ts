import { isDecimalString } from "@org/core";
import { FeedRefusal } from "@org/provider-kit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fixture } from "../../test/ofx-files.js";
import { ofxFormat } from "./ofx-format.js";

const files = [fixture("brokerage-sgml.ofx"), fixture("brokerage-xml.ofx")];

/** Parses the file and checks the guarantee: either a whole snapshot of plain values, or a refusal with place and reason. */
function takeOrRefuse(file: Uint8Array): "taken" | "refused" {
  try {
    const { as_of, portfolios, holdings, transactions } = ofxFormat.read(file);
    const rows = [...(portfolios ?? []), ...(holdings ?? []), ...(transactions ?? [])];
    expect(Number.isNaN(as_of.getTime())).toBe(false);
    for (const { balance } of rows) expect(balance === null || isDecimalString(balance)).toBe(true);
    return "taken";
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    expect(error.place && error.reason).toBeTruthy();
    return "refused";
  }
}

it.each([0, 1])("every cut of fixture %i before its end is refused", (index) => {
  const file = files[index] as Buffer;
  const end = file.lastIndexOf("</OFX>") + "</OFX>".length;
  for (let length = 0; length < end; length += 1) expect(takeOrRefuse(file.subarray(0, length))).toBe("refused");
  expect(takeOrRefuse(file.subarray(0, end))).toBe("taken");
});

const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 30 }),
  inserted: fc.oneof(
    fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    fc.constantFrom(
      "<",
      ">",
      "</",
      "&#",
      "&#x0;",
      "]]>",
      "<![CDATA[",
      "<!--",
      "<?",
      "<OFX>",
      "</OFX>",
      "<UNITS>",
      "</INVPOS>",
      "1e9",
      "\u0000",
      "'",
      '"',
    ),
  ),
});

it("mutated files are taken or refused, never anything else", () => {
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(edit, { minLength: 1, maxLength: 4 }), (file, edits) => {
      let text = file.toString("latin1");
      for (const { at, removed, inserted } of edits) {
        const offset = Math.floor(at * text.length);
        text = text.slice(0, offset) + inserted + text.slice(offset + removed);
      }
      takeOrRefuse(Buffer.from(text, "latin1"));
    }),
    { numRuns: 1500 },
  );
});

it("arbitrary bytes after an OFX header are taken or refused, never anything else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      takeOrRefuse(Buffer.concat([Buffer.from("OFXHEADER:100\n\n<OFX>"), bytes]));
    }),
    { numRuns: 500 },
  );
});
