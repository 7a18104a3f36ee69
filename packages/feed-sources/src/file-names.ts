import { cleanText } from "@org/core";

/** The longest accepted file name, in bytes: the limit of file systems. */
const MAX_NAME_BYTES = 255;

/** Names that the programs of custodians use for unfinished uploads. */
const halfWritten = /^\.|(?:\.part|\.filepart|\.partial|\.tmp|\.crdownload|\.writing|~)$/i;

/** Whether a file is skipped because its name says that it is still being written. */
export function isHalfWritten(name: string): boolean {
  return halfWritten.test(name);
}

/**
 * Whether a name is valid for a file in a single folder and can be shown: no path, no characters that are not shown, only text (a byte that is not UTF-8 arrives
 * as U+FFFD, and the name would then denote another file).
 */
export function isPlainName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || /[/\\\uFFFD]/u.test(name) || cleanText(name) !== name)
    return false;
  return Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** A name that was not chosen here, as it can be stored and shown: `?` stands for each character that is not shown. */
export function printableName(name: string): string {
  if (cleanText(name) === name) return name;
  return [...name].map((character) => (cleanText(character) === character ? character : "?")).join("");
}

/**
 * Whether a name matches a pattern: `*` stands for any characters, `?` for one; case is ignored. The time is bounded by the product of both lengths,
 * whatever the pattern.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  // A Mac sends `ü` as two characters.
  const charactersOf = (written: string) => [...written.normalize("NFC").toLowerCase()];
  const [text, wanted] = [charactersOf(name), charactersOf(pattern)];
  let [at, want, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (wanted[want] === "*") {
      star = want;
      mark = at;
      want += 1;
    } else if (want < wanted.length && (wanted[want] === "?" || wanted[want] === text[at])) {
      at += 1;
      want += 1;
    } else if (star >= 0) {
      // Let the last star match one more character.
      mark += 1;
      at = mark;
      want = star + 1;
    } else return false;
  }
  while (wanted[want] === "*") want += 1;
  return want === wanted.length;
}
