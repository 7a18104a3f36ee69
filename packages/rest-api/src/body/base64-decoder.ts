import type { ReceivedDocument } from "@org/core";

/** Values of the characters of Base64 (RFC 4648 §4) by their code. */
const OTHER = 255;
const PADDING = 64;
const values = new Uint8Array(256).fill(OTHER);
for (const [value, character] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="].entries())
  values[character.charCodeAt(0)] = value;

const FIRST_BYTES = 64 * 1024;

/** Decodes one document from Base64 while it arrives, into one buffer, so that its text is never held. */
export class Base64Decoder {
  readonly #maxBytes: number;
  #bytes: Buffer;
  #length = 0;
  /** Bits of the quantum that is not complete, and how many characters they came from. */
  #bits = 0;
  #characters = 0;
  #padding = 0;
  #failure: "not_base64" | "too_large" | null = null;

  /** @param expectedBytes room to begin with: more is made when it does not do */
  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(expectedBytes, FIRST_BYTES)));
  }

  /** Takes characters until one that is not of Base64; answers the index of that, or `to`. */
  take(chunk: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const value = values[chunk[at] as number] as number;
      if (value === OTHER) return at;
      if (this.#failure !== null) continue;
      if (value === PADDING) this.#padding += 1;
      else if (this.#padding > 0) this.fail();
      else this.#add(value);
    }
    return to;
  }

  /** What arrived is not strict Base64. */
  fail(): void {
    this.#end("not_base64");
  }

  finish(): ReceivedDocument {
    if (this.#failure === null) this.#finishQuantum();
    return this.#failure === null ? { bytes: this.#bytes.subarray(0, this.#length) } : { failure: this.#failure };
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
    const isWhole = this.#characters === 0 && this.#padding === 0 && this.#length > 0;
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
    if (this.#length + count > this.#maxBytes) {
      this.#end("too_large");
      return;
    }
    if (this.#length + count > this.#bytes.length) this.#grow();
    for (let shift = 16; shift > 16 - 8 * count; shift -= 8) this.#bytes[this.#length++] = (this.#bits >> shift) & 0xff;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#maxBytes, 2 * this.#bytes.length + 3));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #end(failure: "not_base64" | "too_large"): void {
    // Too large stays too large, whatever comes behind it.
    this.#failure ??= failure;
    this.#bytes = Buffer.alloc(0);
  }
}
