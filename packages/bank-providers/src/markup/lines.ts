const CR = 13;
const LF = 10;

/** Characters from one place whose line is kept to the next: a place before the last one is found from there. */
const BLOCK = 4_096;

/** Finds lines and columns in a text; CRLF, LF and a lone CR each end a line. The text is gone through once, as far as it is asked for. */
export class LineFinder {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;
  /** Line, and start of the line, at the beginning of each block that was gone through. */
  readonly #lines = [1];
  readonly #starts = [0];

  constructor(text: string) {
    this.#text = text;
  }

  /** `line 12, column 3` of an offset, both from 1. */
  at(offset: number): string {
    const block = Math.min(Math.floor(offset / BLOCK), this.#lines.length - 1);
    if (offset < this.#at || block * BLOCK > this.#at) {
      this.#at = block * BLOCK;
      this.#line = this.#lines[block] as number;
      this.#lineStart = this.#starts[block] as number;
    }
    while (this.#at < offset) this.#goTo(Math.min(offset, (Math.floor(this.#at / BLOCK) + 1) * BLOCK));
    return `line ${this.#line}, column ${offset - this.#lineStart + 1}`;
  }

  /** Goes on within a block, at most to the beginning of the next one. */
  #goTo(end: number): void {
    const text = this.#text;
    let [line, lineStart] = [this.#line, this.#lineStart];
    for (let at = this.#at; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== LF && (code !== CR || text.charCodeAt(at + 1) === LF)) continue;
      line += 1;
      lineStart = at + 1;
    }
    [this.#at, this.#line, this.#lineStart] = [end, line, lineStart];
    if (end !== this.#lines.length * BLOCK) return;
    this.#lines.push(line);
    this.#starts.push(lineStart);
  }
}

/** {@link LineFinder} for one offset. */
export function lineAndColumn(text: string, offset: number): string {
  return new LineFinder(text).at(offset);
}
