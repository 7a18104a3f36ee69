import type { ReceivedDocument } from "@org/core";

/** Values of the Base64 characters (RFC 4648 §4) by character code. */
const OTHER = 255;
const PADDING = 64;
const values = new Uint8Array(256).fill(OTHER);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="].entries())
  values[character.charCodeAt(0)] = value;

const BACKSLASH = 0x5c;
/**
 * Other characters that end a run of plain Base64 in a JSON string: its end, padding, and the URL-safe characters that Node's decoder
 * would accept.
 */
const RUN_ENDS = [...'"=-_'].map((character) => character.charCodeAt(0));
/** Shorter runs are decoded character by character. */
const MIN_RUN_LENGTH = 64;

/** Receives a decoded document piece by piece, in memory or elsewhere. */
export interface DocumentSink {
  /** Whether there is room for `count` more bytes. Nothing may be added otherwise. */
  hasRoom(count: number): boolean;
  add(byte: number): void;
  /** Adds the text as Node decodes it if that yields `count` bytes, for which there must be room; otherwise adds nothing. Returns which. */
  addDecoded(text: string, count: number): boolean;
  /** The bytes added so far. */
  added(): Uint8Array;
  /** Discards the bytes, because they are not a document. */
  drop(): void;
}

/** Decodes one document from Base64 while it arrives, so that its text is never held in memory. */
export class Base64Decoder {
  readonly #sink: DocumentSink;
  /** Bits of the incomplete quantum, and the number of characters they came from. */
  #bits = 0;
  #characters = 0;
  #padding = 0;
  #hasBytes = false;
  #failure: "not_base64" | "too_large" | null = null;

  constructor(sink: DocumentSink) {
    this.#sink = sink;
  }

  /** Consumes characters up to the first that is not Base64. Returns its index, or the chunk's length. */
  take(chunk: Buffer, from: number): number {
    for (let at = from + this.#takeRun(chunk, from); at < chunk.length; at += 1) {
      const value = values[chunk[at] as number] as number;
      if (value === OTHER) return at;
      this.#takeValue(value);
    }
    return chunk.length;
  }

  /** Consumes one character by its code, which may be outside of Base64. */
  takeCode(code: number): void {
    const value = values[code] ?? OTHER;
    if (value === OTHER) this.fail();
    else this.#takeValue(value);
  }

  /** Records that the input is not strict Base64. */
  fail(): void {
    this.#end("not_base64");
  }

  finish(): ReceivedDocument {
    if (this.#failure === null) this.#finishQuantum();
    return this.#failure === null ? { bytes: this.#sink.added() } : { failure: this.#failure };
  }

  /**
   * Decodes whole quanta with Node while there are only characters of the alphabet, as in all but the last characters of a document; that
   * is many times faster than one by one. Node's decoder skips invalid characters, which shows in the decoded length.
   * @returns how many characters it took
   */
  #takeRun(chunk: Buffer, from: number): number {
    if (this.#characters > 0 || this.#padding > 0 || this.#failure !== null) return 0;
    const escaped = chunk.indexOf(BACKSLASH, from);
    let run = chunk.subarray(from, escaped < 0 ? chunk.length : escaped);
    // Checked before the searches below: where escapes are dense, all runs are short.
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

  /** The unused bits of the last quantum must be zero. */
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
    // The first failure stays: a document that is too large remains so, whatever follows.
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#sink.drop();
  }
}
