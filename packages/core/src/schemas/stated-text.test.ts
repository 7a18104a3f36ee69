import { expect, it } from "vitest";
import { cleanName, cleanText, findUnclean, MAX_NAME_CHARACTERS } from "./stated-text.js";

const range = (from: number, to = from) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

it.each([
  ["control", [...range(0x00, 0x08), ...range(0x0e, 0x1f), ...range(0x7f, 0x84), ...range(0x86, 0x9f)]],
  ["bidirectional", [...range(0x202a, 0x202e), ...range(0x2066, 0x2069), "\u200e", "\u200f", "\u061c"]],
  ["zero-width", ["\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e"]],
  ["tag and variation", [...range(0xe0000, 0xe007f), ...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe01ef)]],
  ["lone surrogate", ["\ud800", "\udbff", "\udc00", "\udfff"]],
] as const)("[C-4.43] %s characters go", (_, characters) => {
  for (const character of characters) expect(cleanText(`a${character}b`), escape(character)).toBe("ab");
});

it("[C-4.43] line breaks and tabs become one space", () => {
  expect(cleanText("Fund\r\n\tA\u2028B\u0085C")).toBe("Fund A B C");
});

it.each(["", "Banco Ñandú", "日本株", "A\u00a0B", "😀 Fund", "שלום", "\ue000"])("%j stays as it is", (text) => {
  expect(cleanText(text)).toBe(text);
  expect(cleanName(text)).toBe(text);
});

it("[C-4.43] names are cut at 500 characters, never inside one", () => {
  expect(cleanName("a".repeat(500))).toHaveLength(500);
  expect(cleanName("a".repeat(501))).toBe("a".repeat(500));
  expect(cleanName("😀".repeat(500))).toBe("😀".repeat(500));
  expect(cleanName("😀".repeat(501))).toBe("😀".repeat(500));
  expect(cleanName(`${"a".repeat(499)}e\u0301`)).toBe("a".repeat(499));
  expect(cleanName(`${"a".repeat(498)}e\u0301b`)).toBe(`${"a".repeat(498)}e\u0301`);
  // A single character with 1,000 accents is cut, not dropped.
  expect([...cleanName(`e${"\u0301".repeat(1_000)}`)]).toHaveLength(MAX_NAME_CHARACTERS);
  // Removed characters do not count.
  expect(cleanName(`${"\u200b".repeat(900)}Fund`)).toBe("Fund");
});

it("tells how many texts it would change, and for which characters", () => {
  expect(findUnclean(["Fund", "F\u202eund", "a".repeat(501), "", "x\u{e0041}\u200b"])).toEqual({
    texts: 2,
    longTexts: 1,
    characters: ["U+202E", "U+E0041", "U+200B"],
  });
});
