import type { ReceivedDocument } from "@org/core";
import { Base64Decoder } from "./base64-decoder.js";
import { refusedBody } from "./json.js";

const [QUOTE, BACKSLASH, SLASH, LETTER_U, SPACE] = codesOf('"\\/u ') as [number, number, number, number, number];
/** What a backslash may stand before, besides a `u` (RFC 8259 §7). */
const escapes = new Set(codesOf('"\\/bfnrt'));
const digits = new Map([..."0123456789abcdef"].map((digit, value) => [digit.charCodeAt(0), value]));
for (const [value, digit] of [..."ABCDEF"].entries()) digits.set(digit.charCodeAt(0), 10 + value);

/** The JSON string of a document while it arrives, from behind its opening quote. Nothing of it is held but what it decodes to. */
export class DocumentText {
  readonly #decoder: Base64Decoder;
  #isEscaped = false;
  /** Digits of a \\u that are still to come, and their value so far. */
  #digits = 0;
  #code = 0;

  constructor(maxBytes: number, expectedBytes: number) {
    this.#decoder = new Base64Decoder(maxBytes, expectedBytes);
  }

  /**
   * Takes what the chunk has of it; answers the index of its closing quote, or the chunk's length.
   * @throws CoreError VALIDATION_ERROR when it is no JSON: what is only no Base64 comes out at the end
   */
  take(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      if (this.#isEscaped) {
        this.#readEscaped(chunk[at] as number);
        continue;
      }
      at = this.#decoder.take(chunk, at, chunk.length);
      if (chunk[at] === QUOTE) return at;
      if (at < chunk.length) this.#readOther(chunk[at] as number);
    }
    return chunk.length;
  }

  finish(): ReceivedDocument {
    return this.#decoder.finish();
  }

  #readOther(byte: number): void {
    if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte < SPACE) throw refusedBody("must be valid JSON");
    else this.#decoder.fail();
  }

  /** An escape may stand for a character of Base64, too: some encoders escape every slash. */
  #readEscaped(byte: number): void {
    if (this.#digits > 0) this.#readDigit(byte);
    else if (byte === LETTER_U) {
      this.#digits = 4;
      this.#code = 0;
    } else if (escapes.has(byte)) {
      this.#isEscaped = false;
      if (byte === SLASH) this.#decoder.takeCode(SLASH);
      else this.#decoder.fail();
    } else throw refusedBody("must be valid JSON");
  }

  #readDigit(byte: number): void {
    const value = digits.get(byte);
    if (value === undefined) throw refusedBody("must be valid JSON");
    this.#code = 16 * this.#code + value;
    this.#digits -= 1;
    if (this.#digits > 0) return;
    this.#isEscaped = false;
    this.#decoder.takeCode(this.#code);
  }
}

function codesOf(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}
