/** Letters that Unicode does not decompose, and that people type without their stroke, dot or tail, or as two; also quotes and dashes. */
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
/** Combining marks on letters of Latin, Greek and Cyrillic; in other scripts marks distinguish letters. */
const MARKS = /[\u0300-\u036f]/g;
/** No name is longer. Normalising marks that are piled up on one letter takes time quadratic in their number (UAX #15 §3.11). */
const MAX_LENGTH = 1_000;
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * The search key of a name: lower case, without accents, `ß` as `ss`, `ø` as `o`. A name matches if its key contains the key of the typed
 * text, so that `munchen`, `MÜNCHEN` and `Munchen` all find München. Every search for a bank uses it. Of a text that is not ASCII only the
 * first 1,000 characters count.
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
