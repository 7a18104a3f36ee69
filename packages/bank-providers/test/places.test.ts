import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFeed } from "../src/feeds.js";
import { type MarkupElement, placeOf } from "../src/markup/element.js";
import { readXml } from "../src/markup/xml-document.js";
import { feedFixture } from "./feed-files.js";

const dialects: Readonly<Record<string, { readonly text: string; readonly refused?: true }>> = JSON.parse(
  feedFixture("dialects.json").toString(),
);
const fixtures = [
  "activity.flex.xml",
  "brokerage-sgml.ofx",
  "brokerage-xml.ofx",
  "holdings.mt535",
  "statement.camt053.xml",
];
const files = [
  ...fixtures.map((name) => [name, feedFixture(name)] as const),
  ...Object.entries(dialects).flatMap(([name, { text, refused }]) =>
    refused ? [] : [[name, Buffer.from(text, "latin1")] as const],
  ),
];

/** Whether a row stands at a place: an element's tag, a field, or the beginning of a block or message. */
function isRowAt(text: string, place: string): boolean {
  const [, line, column] = /^line (\d+)(?:, column (\d+))?$/.exec(place) ?? [];
  const rest = text.split(/\r\n|\r|\n/)[Number(line) - 1]?.slice(Number(column ?? 1) - 1) ?? "";
  return (column === undefined ? /^(?::\d\d[A-Z]?:|\{1:)/ : /^<\w/).test(rest.trimStart());
}

describe("[C-7.202] each holding and movement says where it stands", () => {
  it.each(files)("%s", (_, file) => {
    const { portfolios, holdings, transactions } = readFeed(file, { interim: true }).snapshot;
    const text = file.toString("latin1");
    const stated = (portfolios ?? []).filter(({ holdings_unknown }) => !holdings_unknown);
    for (const { place = "none" } of [...stated, ...(holdings ?? []), ...(transactions ?? [])])
      expect([place, isRowAt(text, place)]).toEqual([place, true]);
  });
});

it("[C-7.202] places are the same in whatever order they are asked for", () => {
  const breaks = fc.constantFrom("\n", "\r\n", "\r", "", `${" ".repeat(3_000)}\n`);
  const around = (inside: fc.Arbitrary<string>) =>
    fc
      .tuple(fc.constantFrom("A", "B"), breaks, fc.array(inside, { maxLength: 4 }))
      .map(([name, lineEnd, within]) => `<${name}>${lineEnd}${within.join(lineEnd)}</${name}>`);
  const tree = around(around(around(fc.constantFrom("<A/>", "<B/>"))));
  const all = (element: MarkupElement): MarkupElement[] => [element, ...element.children.flatMap(all)];
  fc.assert(
    fc.property(tree, fc.array(fc.nat(), { maxLength: 20 }), (text, order) => {
      const once = (index: number) => placeOf(all(readXml(Buffer.from(text)))[index] as MarkupElement);
      const elements = all(readXml(Buffer.from(text)));
      for (const pick of order) {
        const index = pick % elements.length;
        expect(placeOf(elements[index] as MarkupElement)).toBe(once(index));
      }
    }),
    { numRuns: 100 },
  );
});
