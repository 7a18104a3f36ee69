/** The place of a fault in a file; both numbers count from 1. */
export interface FilePlace {
  readonly line: number;
  /** Null if only the line is known. */
  readonly column: number | null;
}

/** An excerpt around a place in a file: at most eleven lines of at most 160 characters, however large the file is. */
export interface FileExcerpt {
  /** Null if the reason names no place; the excerpt is then the beginning of the file. */
  readonly place: FilePlace | null;
  /** False for a file that is not text, such as a container or an encrypted file; it has no lines. */
  readonly is_text: boolean;
  readonly lines: readonly ExcerptLine[];
}

interface ExcerptLine {
  readonly line: number;
  /** Number of characters left out at the beginning of the line. */
  readonly skipped: number;
  readonly text: string;
  /** Whether the line continues after `text`. */
  readonly is_cut: boolean;
}

/** Lines shown before the place, and after it. */
const CONTEXT_LINES = 5;
const LINE_CHARACTERS = 160;

/** The place that a refusal names, as in `line 12, column 3: …`; null if it names none. */
export function placeIn(reason: string): FilePlace | null {
  const found = /\bline (\d{1,9})(?:, column (\d{1,9}))?/u.exec(reason);
  if (found === null) return null;
  const [, line, column] = found;
  return Number(line) < 1 ? null : { line: Number(line), column: column === undefined ? null : Number(column) };
}

/**
 * Reads an excerpt from a stream of bytes and keeps nothing else in memory. Bytes that are not UTF-8 are shown as U+FFFD, control characters as
 * `·`.
 * @param place centre of the excerpt; null = the beginning of the file
 */
export async function excerptOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  place: FilePlace | null,
): Promise<FileExcerpt> {
  const first = Math.max(1, (place?.line ?? 1) - CONTEXT_LINES);
  const last = place === null ? 1 + 2 * CONTEXT_LINES : place.line + CONTEXT_LINES;
  const reading = new Reading(first, last, place);
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf(piece));
    const text = decoder.decode(piece, { stream: true });
    if (text.includes("\0")) return { place, is_text: false, lines: [] };
    if (reading.read(text)) break;
  }
  return { place, is_text: true, lines: reading.lines() };
}

/** The encoding according to the byte order mark, UTF-8 without one. */
function encodingOf(piece: Uint8Array): string {
  if (piece[0] === 0xff && piece[1] === 0xfe) return "utf-16le";
  return piece[0] === 0xfe && piece[1] === 0xff ? "utf-16be" : "utf-8";
}

/** Counts lines and characters, and keeps those in the excerpt. */
class Reading {
  readonly #first: number;
  readonly #last: number;
  readonly #place: FilePlace | null;
  readonly #kept: { line: number; skipped: number; text: string; is_cut: boolean }[] = [];
  #line = 1;
  /** Characters read of the current line. */
  #column = 0;

  constructor(first: number, last: number, place: FilePlace | null) {
    this.#first = first;
    this.#last = last;
    this.#place = place;
  }

  /** Returns true once nothing more is needed. */
  read(text: string): boolean {
    let from = 0;
    while (from < text.length) {
      const end = text.indexOf("\n", from);
      const stop = end === -1 ? text.length : end;
      if (this.#line >= this.#first) this.#keep(text, from, stop);
      this.#column += stop - from;
      if (end === -1) return false;
      this.#line += 1;
      this.#column = 0;
      if (this.#line > this.#last) return true;
      from = end + 1;
    }
    return false;
  }

  lines(): readonly ExcerptLine[] {
    return this.#kept.map(({ text, ...line }) => ({ ...line, text: text.replace(/\r$/u, "").replace(CONTROLS, "·") }));
  }

  #keep(text: string, from: number, stop: number): void {
    let kept = this.#kept.at(-1);
    if (kept?.line !== this.#line) {
      const { line, column } = this.#place ?? { line: 0, column: null };
      // Of a long line, the part around the column is shown.
      const skipped = line === this.#line && column !== null ? Math.max(0, column - 1 - LINE_CHARACTERS / 2) : 0;
      kept = { line: this.#line, skipped, text: "", is_cut: false };
      this.#kept.push(kept);
    }
    const begin = Math.max(from, from + kept.skipped + kept.text.length - this.#column);
    const room = LINE_CHARACTERS - kept.text.length;
    if (begin >= stop) return;
    kept.text += text.slice(begin, Math.min(stop, begin + room));
    kept.is_cut = kept.is_cut || stop - begin > room;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
