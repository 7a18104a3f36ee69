/**
 * Text from a bank, a custodian's file or a catalogue is untrusted. People and models read it, so it must not contain invisible characters:
 * these reorder what is shown, hide instructions or make two names look alike (docs/decisions/text-from-banks.md).
 */

/** Maximum length of a name, and of any other text kept from a bank or a file, in code points. */
export const MAX_NAME_CHARACTERS = 500;

/**
 * Invisible characters: control characters, line and paragraph separators, lone surrogates, interlinear annotation marks, and what Unicode
 * calls default ignorable (UAX #44), such as direction marks, zero-width characters, variation selectors and tags.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{FFF9}-\u{FFFB}]/u;
/** Printable ASCII. Most texts of a file match, so nothing else has to be checked in them. */
const PLAIN = /^[ -~]*$/;
const ALL_UNSEEN = new RegExp(UNSEEN, "gu");
/** Invisible characters that separate words. */
const BREAKS = /[\t\n\v\f\r\u{85}\u{2028}\u{2029}]+/gu;

/** The text without invisible characters; line breaks and tabs become a space. */
export function cleanText(text: string): string {
  return !PLAIN.test(text) && UNSEEN.test(text) ? text.replace(BREAKS, " ").replace(ALL_UNSEEN, "") : text;
}

/** A name or another stored text without invisible characters, cut to {@link MAX_NAME_CHARACTERS} at the end of a character. */
export function cleanName(name: string): string {
  const clean = cleanText(name);
  // No text has more code points than code units.
  return clean.length <= MAX_NAME_CHARACTERS ? clean : cut(clean);
}

/** Never cuts within a grapheme cluster, unless a single one is longer than a name. */
function cut(text: string): string {
  const most = [...text.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS).join("");
  if (most.length === text.length) return text;
  // The following characters decide whether the last grapheme cluster ends here.
  const found = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.slice(0, most.length + 50));
  const last = found.containing(most.length);
  return last === undefined || last.index === 0 ? most : most.slice(0, last.index);
}

/** What {@link cleanText} and {@link cleanName} would change in the texts of one source. */
export interface UncleanText {
  /** Number of texts with invisible characters. */
  readonly texts: number;
  /** Number of texts that are longer than {@link MAX_NAME_CHARACTERS}. */
  readonly longTexts: number;
  /** The first few of the invisible characters, such as `U+202E`. */
  readonly characters: readonly string[];
}

const MAX_LISTED_CHARACTERS = 5;

/** Counts what {@link cleanText} and {@link cleanName} would change in these texts. */
export function findUnclean(texts: Iterable<string>): UncleanText {
  const characters = new Set<string>();
  const found = { texts: 0, longTexts: 0 };
  const count = (text: string) => {
    if (PLAIN.test(text) || !UNSEEN.test(text)) return;
    found.texts += 1;
    if (characters.size < MAX_LISTED_CHARACTERS)
      for (const [character] of text.matchAll(ALL_UNSEEN)) characters.add(nameOf(character));
  };
  for (const text of texts) {
    count(text);
    if (text.length > MAX_NAME_CHARACTERS && cleanName(text) !== cleanText(text)) found.longTexts += 1;
  }
  return { ...found, characters: [...characters].slice(0, MAX_LISTED_CHARACTERS) };
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
