import { codeTable, furtherNames } from "./country-table.js";

/** A country's number in the table, counted from 1, or the lower-cased text when it names no country. */
export type CountryKey = number | string;

/** Returns equal keys for the codes and English names of one country, in any case. Any other text is its own key. */
export function countryKey(text: string): CountryKey {
  const lower = text.toLowerCase();
  return countryOfCode(lower) || (lower.length > MAX_NAME_LENGTH ? lower : (countryOfName(lower) ?? lower));
}

/** Returns the number of the country with this alpha-2 or alpha-3 code, in any case; 0 for other text. Allocates nothing. */
export const countryOfCode = (text: string): number => numbers[packedCode(text)] as number;

/**
 * Packs two or three characters into 16 bits, so that only the same code in another case packs to the same value; 0 for
 * other text. Allocates nothing, because the hot loop calls it for every connector.
 */
function packedCode(text: string): number {
  const size = text.length;
  const first = text.charCodeAt(0);
  const second = text.charCodeAt(1);
  const third = size > 2 ? text.charCodeAt(2) : 64;
  // ASCII from 64 on: the last five bits are 1 to 26 for letters, and other values for the characters between and after them.
  return size >> 1 === 1 && first & second & third & 64 && (first | second | third) < 128
    ? ((size & 1) << 15) | ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)
    : 0;
}

/** The alpha-3 and the alpha-2 code of each country, in lower case. */
export const countryCodes: readonly (readonly [string, string])[] = codeTable
  .split(" ")
  .flatMap((group) =>
    Array.from(group.slice(1).matchAll(/(.)(.)(\.|,.|;..)?/g), ([, second, third, mark = ""]): [string, string] => [
      group.charAt(0) + second + third,
      mark[2] ? mark.slice(1) : group.charAt(0) + (mark[1] ?? (mark ? third : second)),
    ]),
  );

/** Country numbers by packed code; 0 where there is no country. */
const numbers = new Uint8Array(1 << 16);
countryCodes.forEach((codes, index) => {
  for (const code of codes) numbers[packedCode(code)] = index + 1;
});

let names: Map<string, number> | undefined;

/** Loads the names on the first text that is not a code, because the first use of `Intl` in a process takes about 20 ms. */
function countryOfName(lower: string): number | undefined {
  if (!names) {
    names = new Map();
    for (const style of ["short", "long"] as const) {
      const english = globalThis.Intl?.DisplayNames && new Intl.DisplayNames("en", { type: "region", style });
      for (const [, code] of countryCodes) {
        const name = english?.of(code.toUpperCase());
        if (name) names.set(foldName(name.toLowerCase()), countryOfCode(code));
      }
    }
    for (const name of furtherNames.split(",")) names.set(foldName(name.slice(2)), countryOfCode(name.slice(0, 2)));
  }
  return names.get(foldName(lower));
}

/**
 * No name of a country is longer, whatever marks are between its letters; longer text names none. The limit is needed because
 * normalizing text made of accents takes quadratic time.
 */
export const MAX_NAME_LENGTH = 64;

/** Removes accents, punctuation and filler words. */
export const foldName = (lower: string): string =>
  lower
    .normalize("NFD")
    .replace(/\bst\b/, "saint")
    .replace(/\b(?:and|of|the)\b|[^\p{L}\p{N}]/gu, "");
