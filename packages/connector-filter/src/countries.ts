import { codeNumber, countryKey, keyOfCode } from "./country.js";

/**
 * The lower-case ISO 3166-1 alpha-3 code of a country given as alpha-3 code, alpha-2 code or English name, in any case;
 * null when the text names no country of today.
 */
export function alpha3Of(text: string): string | null {
  const key = countryKey(text.trim());
  return typeof key === "number" && known().has(key) ? lettersOf(key) : null;
}

let knownKeys: ReadonlySet<number> | undefined;

function known(): ReadonlySet<number> {
  knownKeys ??= new Set(alpha2Codes().flatMap((code) => (keyOfCode[code] === code ? [] : [keyOfCode[code] as number])));
  return knownKeys;
}

/** Every packed pair of letters; those of countries have an alpha-3 code as their key. */
function alpha2Codes(): number[] {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  return letters.flatMap((first) => letters.map((second) => codeNumber(first + second)));
}

function lettersOf(key: number): string {
  return String.fromCharCode(96 + (key >> 10), 96 + ((key >> 5) & 31), 96 + (key & 31));
}
