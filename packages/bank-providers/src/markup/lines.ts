const LF = 10;

/** Characters from one place whose line is kept to the next: a place before the last one is found from there. */
const BLOCK = 4_096;

/** Finds lines and columns in a text; CRLF, LF and a lone CR each end a line. The text is gone through once, as far as it is asked for. */
export class LineFinder {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  /** The next of each at {@link #at} or after it; smaller if it has to be looked for. */
  #lf = -1;
  #cr = -1;
  /** Line, and start of the line, at the beginning of each block that was gone through. */
  readonly #lines = [1];
  readonly #starts = [0];

  constructor(text: string) {
    this.#text = text;
  }

  /** `line 12, column 3` of an offset, both from 1. Uses `join`, because a string concatenated with `+` keeps its pieces, which take more memory. */
  at(offset: number): string {
    const block = Math.min(Math.floor(offset / BLOCK), this.#lines.length - 1);
    if (offset < this.#at || block * BLOCK > this.#at) {
      this.#at = block * BLOCK;
      this.#line = this.#lines[block] as number;
      this.#lineStart = this.#starts[block] as number;
      [this.#lf, this.#cr] = [-1, -1];
    }
    while (this.#at < offset) this.#advance(Math.min(offset, (Math.floor(this.#at / BLOCK) + 1) * BLOCK));
    return ["line ", this.#line, ", column ", offset - this.#lineStart + 1].join("");
  }

  /** Goes on within a block, at most to the beginning of the next one. Searching for a character is quicker than looking at each. */
  #advance(end: number): void {
    for (;;) {
      if (this.#lf < this.#at) this.#lf = this.#next("\n");
      if (this.#cr < this.#at) this.#cr = this.#next("\r");
      const lineEnd = Math.min(this.#lf, this.#cr);
      if (lineEnd >= end) break;
      this.#at = lineEnd + 1;
      if (lineEnd === this.#cr && this.#text.charCodeAt(this.#at) === LF) continue;
      this.#line += 1;
      this.#lineStart = this.#at;
    }
    this.#at = end;
    if (end !== this.#lines.length * BLOCK) return;
    this.#lines.push(this.#line);
    this.#starts.push(this.#lineStart);
  }

  #next(character: string): number {
    const found = this.#text.indexOf(character, this.#at);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

/** {@link LineFinder.at} for one offset of a text. */
export function lineAndColumn(text: string, offset: number): string {
  return new LineFinder(text).at(offset);
}
