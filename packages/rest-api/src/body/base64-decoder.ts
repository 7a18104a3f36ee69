import type { ReceivedDocument } from "@org/core";

/** Values of the characters of Base64 (RFC 4648 §4) by their code. */
const OTHER = 255;
const PADDING = 64;
const values = new Uint8Array(256).fill(OTHER);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="].entries())
  values[character.charCodeAt(0)] = value;

const BACKSLASH = 0x5c;
/** What else ends a run of plain Base64 in a JSON string: its end, padding, and what Node's decoder takes of the URL-safe alphabet. */
const RUN_ENDS = [...'"=-_'].map((character) => character.charCodeAt(0));
/** Shorter runs are read one by one. */
const MIN_RUN_LENGTH = 64;

/** Where a decoded document goes, piece by piece: into memory, or elsewhere. */
export interface DocumentSink {
  /** Whether it takes `count` more bytes; none is added when it does not. */
  hasRoom(count: number): boolean;
  add(byte: number): void;
  /** Adds what Node decodes a text to if these are `count` bytes, for which there is room; otherwise nothing. Answers which. */
  addDecoded(text: string, count: number): boolean;
  /** What was added. */
  added(): Uint8Array;
  /** Lets go of it: it is no document. */
  drop(): void;
}

/** Decodes one document from Base64 while it arrives, so that its text is never held. */
export class Base64Decoder {
  readonly #sink: DocumentSink;
  /** Bits of the quantum that is not complete, and how many characters they came from. */
  #bits = 0;
  #characters = 0;
  #padding = 0;
  #hasBytes = false;
  #failure: "not_base64" | "too_large" | null = null;

  constructor(sink: DocumentSink) {
    this.#sink = sink;
  }

  /** Takes characters until one that is not of Base64; returns the index of that, or the chunk's length. */
  take(chunk: Buffer, from: number): number {
    for (let at = from + this.#takeRun(chunk, from); at < chunk.length; at += 1) {
      const value = values[chunk[at] as number] as number;
      if (value === OTHER) return at;
      this.#takeValue(value);
    }
    return chunk.length;
  }

  /** Takes one character by its code, which need not be of Base64. */
  takeCode(code: number): void {
    const value = values[code] ?? OTHER;
    if (value === OTHER) this.fail();
    else this.#takeValue(value);
  }

  /** What arrived is not strict Base64. */
  fail(): void {
    this.#end("not_base64");
  }

  finish(): ReceivedDocument {
    if (this.#failure === null) this.#finishQuantum();
    return this.#failure === null ? { bytes: this.#sink.added() } : { failure: this.#failure };
  }

  /**
   * Takes whole quanta at once while there is nothing but the alphabet, as in all but the last characters of a document: Node decodes them
   * many times faster than they are looked at one by one. Its decoder skips what is not Base64, which shows in the length.
   * @returns how many characters it took
   */
  #takeRun(chunk: Buffer, from: number): number {
    if (this.#characters > 0 || this.#padding > 0 || this.#failure !== null) return 0;
    const escaped = chunk.indexOf(BACKSLASH, from);
    let run = chunk.subarray(from, escaped < 0 ? chunk.length : escaped);
    // Looked at first: where escape follows escape, nothing behind the next one is searched.
    if (run.length < MIN_RUN_LENGTH) return 0;
    for (const code of RUN_ENDS) {
      const end = run.indexOf(code);
      if (end >= 0) run = run.subarray(0, end);
    }
    const length = run.length & ~3;
    const count = (length / 4) * 3;
    if (length === 0 || !this.#sink.hasRoom(count)) return 0;
    const text = run.toString("latin1", 0, length);
    if (!this.#sink.addDecoded(text, count)) return 0;
    this.#hasBytes = true;
    return length;
  }

  #takeValue(value: number): void {
    if (this.#failure !== null) return;
    if (value === PADDING) this.#padding += 1;
    else if (this.#padding > 0) this.fail();
    else this.#add(value);
  }

  #add(value: number): void {
    this.#bits = (this.#bits << 6) | value;
    this.#characters += 1;
    if (this.#characters < 4) return;
    this.#write(3);
    this.#characters = 0;
    this.#bits = 0;
  }

  /** Bits that decode to nothing have to be zero. */
  #finishQuantum(): void {
    const isWhole = this.#characters === 0 && this.#padding === 0 && this.#hasBytes;
    const spare = this.#characters === 2 ? 4 : 2;
    const isPadded =
      this.#characters >= 2 && this.#characters + this.#padding === 4 && (this.#bits & ((1 << spare) - 1)) === 0;
    if (isPadded) {
      const count = this.#characters - 1;
      this.#bits <<= 6 * this.#padding;
      this.#write(count);
    } else if (!isWhole) this.fail();
  }

  #write(count: number): void {
    if (!this.#sink.hasRoom(count)) {
      this.#end("too_large");
      return;
    }
    this.#hasBytes = true;
    for (let shift = 16; shift > 16 - 8 * count; shift -= 8) this.#sink.add((this.#bits >> shift) & 0xff);
  }

  #end(failure: "not_base64" | "too_large"): void {
    // Too large stays too large, whatever comes behind it.
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#sink.drop();
  }
}
