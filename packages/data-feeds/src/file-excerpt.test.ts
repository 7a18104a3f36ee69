import fc from "fast-check";
import { expect, it } from "vitest";
import { excerptOf, placeIn } from "./file-excerpt.js";

const bytes = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding);
const lines = (count: number) => Array.from({ length: count }, (_, index) => `row ${index + 1}`).join("\n");

it.each([
  ["line 12: no amount", { line: 12, column: null }],
  ["batch.xml, line 3, column 41: <Ntry> is missing", { line: 3, column: 41 }],
  ["line 7, :35B:: is no ISIN", { line: 7, column: null }],
  ["no format that is known", null],
  ["deadline 4 has passed", null],
  ["line 0: strange", null],
])("[C-14.63] the place of a reason is read: %s", (reason, place) => {
  expect(placeIn(reason)).toEqual(place);
});

it("[C-14.63] an excerpt is the lines around the place, numbered as the file numbers them", async () => {
  const { lines: shown } = await excerptOf([bytes(lines(40))], { line: 20, column: null });
  expect(shown.map(({ line, text }) => `${line} ${text}`)).toEqual(
    Array.from({ length: 11 }, (_, index) => `${15 + index} row ${15 + index}`),
  );
  const beginning = await excerptOf([bytes(lines(40))], null);
  expect(beginning.lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

it("[C-14.63] of a file in one line the part around the column is shown, and what is left out is counted", async () => {
  const text = `${"<a/>".repeat(50_000)}<wrong/>${"<b/>".repeat(50_000)}`;
  const { lines: shown } = await excerptOf([bytes(text)], { line: 1, column: 200_001 });
  expect(shown).toEqual([{ line: 1, skipped: 199_920, text: text.slice(199_920, 200_080), is_cut: true }]);
});

it.each([
  ["a container", bytes("PK\u0003\u0004\u0000\u0000"), false, []],
  ["UTF-16", bytes("\ufeffone\r\ntwo", "utf16le"), true, ["one", "two"]],
  ["Latin-1", bytes("Z\u00fcrich", "latin1"), true, ["Z\ufffdrich"]],
  ["control characters", bytes("a\u001b[2Jb\tc"), true, ["a·[2Jb\tc"]],
])("[C-14.63] %s", async (_, file, is_text, texts) => {
  const excerpt = await excerptOf([file], null);
  expect([excerpt.is_text, excerpt.lines.map(({ text }) => text)]).toEqual([is_text, texts]);
});

it("[C-14.63] an excerpt is bounded, and the same however the file comes in pieces", async () => {
  const place = fc.record({
    line: fc.integer({ min: 1, max: 30 }),
    column: fc.option(fc.integer({ min: 1, max: 600 })),
  });
  const row = fc.string({ maxLength: 400, unit: fc.constantFrom("a", "ß", "€", " ") });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 30 }),
      fc.option(place),
      fc.integer({ min: 1, max: 97 }),
      async (rows, at, size) => {
        const file = bytes(rows.join("\n"));
        const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, index) =>
          file.subarray(index * size, (index + 1) * size),
        );
        const whole = await excerptOf([file], at);
        expect(await excerptOf(pieces, at)).toEqual(whole);
        expect(whole.lines.length).toBeLessThanOrEqual(11);
        for (const { line, skipped, text, is_cut } of whole.lines) {
          expect(text.length).toBeLessThanOrEqual(160);
          expect((rows[line - 1] as string).slice(skipped).startsWith(text)).toBe(true);
          expect(is_cut).toBe((rows[line - 1] as string).length > skipped + 160);
        }
      },
    ),
    { numRuns: 60 },
  );
});
