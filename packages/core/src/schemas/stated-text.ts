/**
 * Text that a bank, a custodian's file or a catalogue states is somebody else's. It is read by people and by models, so it may
 * hold nothing that a reader does not see: such characters reorder what is shown, hide instructions or make two names look alike
 * (docs/decisions/text-from-banks.md).
 */

/** The most characters (code points) of a name, and of every other text that is kept of a bank or a file. */
export const MAX_NAME_CHARACTERS = 500;

/**
 * Whatever is not shown: control characters, halves of surrogate pairs, marks of annotations, and what Unicode calls default
 * ignorable (UAX #44), among it direction marks, zero-width characters, variation selectors and tags.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u{FFF9}-\u{FFFB}]/u;
/** Most texts of a file: nothing in them has to be looked up. */
const PLAIN = /^[ -~]*$/;
const ALL_UNSEEN = new RegExp(UNSEEN, "gu");
/** What separates words although it is a control character. */
const BREAKS = /[\t\n\v\f\r\u{85}\u{2028}\u{2029}]+/gu;

/** The text without characters that are not shown; line breaks and tabs become a space. */
export function cleanText(text: string): string {
  return !PLAIN.test(text) && UNSEEN.test(text) ? text.replace(BREAKS, " ").replace(ALL_UNSEEN, "") : text;
}

/** A name or another text that is kept, without characters that are not shown, cut to {@link MAX_NAME_CHARACTERS} where a character ends. */
export function cleanName(name: string): string {
  const clean = cleanText(name);
  // No text has more code points than code units.
  return clean.length <= MAX_NAME_CHARACTERS ? clean : cut(clean);
}

/** Characters as people count them stay whole, unless one alone is longer than a name. */
function cut(text: string): string {
  const most = [...text.slice(0, 2 * MAX_NAME_CHARACTERS)].slice(0, MAX_NAME_CHARACTERS).join("");
  if (most.length === text.length) return text;
  // What follows decides whether the last character ends here.
  const found = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text.slice(0, most.length + 50));
  const last = found.containing(most.length);
  return last === undefined || last.index === 0 ? most : most.slice(0, last.index);
}

/** What {@link cleanText} and {@link cleanName} would change in the texts of one source. */
export interface UncleanText {
  /** Texts with characters that are not shown. */
  readonly texts: number;
  /** Texts that are longer than {@link MAX_NAME_CHARACTERS}. */
  readonly longTexts: number;
  /** The first of these characters, such as `U+202E`. */
  readonly characters: readonly string[];
}

const MAX_LISTED_CHARACTERS = 5;

/** Counts what would be changed in texts. */
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
