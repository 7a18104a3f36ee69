/** Bytes that come one after the other, in one buffer: it doubles as they come, whatever was announced. */
export class GrowingBytes {
  readonly #firstBytes: number;
  readonly #maxBytes: number;
  readonly #expectedBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /**
   * @param firstBytes of the buffer to begin with
   * @param expectedBytes that it is not made larger than without need
   */
  constructor(firstBytes: number, maxBytes: number, expectedBytes = maxBytes) {
    this.#firstBytes = firstBytes;
    this.#maxBytes = maxBytes;
    this.#expectedBytes = expectedBytes;
  }

  /** Whether there is room for `count` more, which is made unless it were over the limit. */
  hasRoom(count: number): boolean {
    const needed = this.#length + count;
    if (needed > this.#maxBytes) return false;
    if (needed > this.#bytes.length) this.#grow(needed);
    return true;
  }

  /** Adds a byte that there is room for. */
  add(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  /** Adds what Base64 decodes to if these are `count` bytes, for which there is room; otherwise nothing. Answers which. */
  addDecoded(text: string, count: number): boolean {
    if (this.#bytes.write(text, this.#length, "base64") !== count) return false;
    this.#length += count;
    return true;
  }

  /** What was added so far, not copied. */
  added(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Forgets them, and keeps the buffer for the next ones. */
  reset(): void {
    this.#length = 0;
  }

  /** Forgets them. */
  drop(): void {
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }

  #grow(needed: number): void {
    const doubled = Math.max(this.#firstBytes, 2 * this.#bytes.length);
    const enough = needed > this.#expectedBytes ? this.#maxBytes : this.#expectedBytes;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(doubled, enough)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
