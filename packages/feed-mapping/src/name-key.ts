/** No column has a longer name. Normalising combining marks piled up on one letter takes quadratic time (UAX #15 §3.11). */
const MAX_NAME_LENGTH = 1_000;

/** Column names are compared without regard to case and spaces. */
export function nameKey(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** A word as exports in plain ASCII write it, so that `Währung` and `Waehrung`, or `Quantité` and `Quantite`, are one. */
export function wordKey(word: string): string {
  return nameKey(word)
    .replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
}
