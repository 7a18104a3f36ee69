/** Letters that Unicode takes for letters of their own, and that people type without their stroke, dot or tail, or as two. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ı: "i",
  ĸ: "k",
  ς: "σ",
  "’": "'",
  "‘": "'",
  ʼ: "'",
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "gu");
/** Accents and other marks on letters of Latin, Greek and Cyrillic; in other scripts marks are letters. */
const MARKS = /[\u0300-\u036f]/g;
/** No name is longer. Marks that are piled up on one letter take time by the square of their number (UAX #15 §3.11). */
const MAX_LENGTH = 1_000;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * What a name is searched by: lower case, without accents, `ß` as `ss`, `ø` as `o`. A name matches when its key holds the key of what was
 * typed, so that `munchen`, `MÜNCHEN` and `Munchen` all find München. Every search for a bank goes by it. Of a text the first 1,000
 * characters count.
 */
export function searchKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().trim();
  return text
    .slice(0, MAX_LENGTH)
    .normalize("NFKD")
    .toLowerCase()
    .replace(MARKS, "")
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter)
    .trim();
}
