/** The longest name of a file that is taken, in bytes: what file systems allow. */
const MAX_NAME_BYTES = 255;

/** How uploads are named until they are whole, by the programs that custodians use. */
const halfWritten = /^\.|(?:\.part|\.filepart|\.partial|\.tmp|\.crdownload|\.writing|~)$/i;

/** Whether a name is left alone because its file is still being written. */
export function isHalfWritten(name: string): boolean {
  return halfWritten.test(name);
}

/**
 * Whether a name can be a file's in one folder and be shown: no path, no control characters, nothing that is not text (a byte that is no
 * UTF-8 arrives as U+FFFD, and would name another file when it is asked for).
 */
export function isPlainName(name: string): boolean {
  if (name === "" || name === "." || name === ".." || /[/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFD]/u.test(name))
    return false;
  return Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/**
 * Whether a name matches a pattern: `*` stands for any characters, `?` for one, without regard to case. It takes time in proportion to
 * both lengths, whatever the pattern.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  const [text, wanted] = [[...name.toLowerCase()], [...pattern.toLowerCase()]];
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
      // The last star takes one character more.
      mark += 1;
      at = mark;
      want = star + 1;
    } else return false;
  }
  while (wanted[want] === "*") want += 1;
  return want === wanted.length;
}
