import { codeTable, furtherNames } from "./country-table.js";

/** A country as the number of its alpha-3 code, or the text itself in lower case when it names none. */
export type CountryKey = number | string;

/** Gives equal keys to the codes and English names of one country, in any case; other text is its own key. */
export function countryKey(text: string): CountryKey {
  const lower = text.toLowerCase();
  return keyOfCode[codeNumber(lower)] ?? keyOfName(lower) ?? lower;
}

/**
 * Packs two or three ASCII letters, in any case, into 15 bits; -1 for other text. It allocates nothing, so the hot
 * loop can call it for every connector.
 */
export function codeNumber(text: string): number {
  const size = text.length;
  if (size !== 2 && size !== 3) return -1;
  const first = (text.charCodeAt(0) | 32) - 96;
  const second = (text.charCodeAt(1) | 32) - 96;
  const third = size === 3 ? (text.charCodeAt(2) | 32) - 96 : 1;
  if (first < 1 || first > 26 || second < 1 || second > 26 || third < 1 || third > 26) return -1;
  return (first << 10) | (second << 5) | (size === 3 ? third : 0);
}

const alpha2Codes: string[] = [];

/** For every packed code the key it stands for: itself, but for the alpha-2 code of a country its alpha-3 code. */
export const keyOfCode: Uint16Array = readCodes();

function readCodes(): Uint16Array {
  const keys = new Uint16Array(1 << 15).map((_, code) => code);
  for (const group of codeTable.split(" ")) {
    const first = group[0] as string;
    for (const [, rest = "", capitals = ""] of group.matchAll(/([a-z]{2})([A-Z]*)/g)) {
      const alpha2 = capitals[1] ? capitals : first + (capitals || rest[0]);
      alpha2Codes.push(alpha2.toUpperCase());
      keys[codeNumber(alpha2)] = codeNumber(first + rest);
    }
  }
  return keys;
}

let names: Map<string, number> | undefined;

/** Loads the names with the first text that is no code: the first use of `Intl` in a process takes some 20 ms. */
function keyOfName(lower: string): number | undefined {
  names ??= readNames();
  return names.get(foldName(lower));
}

function readNames(): Map<string, number> {
  const keys = new Map<string, number>();
  const add = (alpha2: string, name = "") => keys.set(foldName(name.toLowerCase()), countryKey(alpha2) as number);
  for (const style of ["short", "long"] as const) {
    const english = globalThis.Intl?.DisplayNames && new Intl.DisplayNames("en", { type: "region", style });
    for (const alpha2 of alpha2Codes) add(alpha2, english?.of(alpha2));
  }
  for (const name of furtherNames.split(",")) add(name.slice(0, 2), name.slice(2));
  return keys;
}

/** Leaves accents, punctuation and little words out, and turns "Moldova, Republic of" round. */
const foldName = (lower: string): string =>
  lower
    .split(/, | \(/)
    .reverse()
    .join(" ")
    .normalize("NFD")
    .replace(/\bst\b/, "saint")
    .replace(/\b(?:and|of|the)\b|[^\p{L}\p{N}]/gu, "");
