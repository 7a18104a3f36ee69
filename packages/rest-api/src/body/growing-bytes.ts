/** Bytes appended to one buffer, which doubles as they arrive, whatever size was announced. */
export class GrowingBytes {
  readonly #firstBytes: number;
  readonly #maxBytes: number;
  readonly #expectedBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /**
   * @param firstBytes initial size of the buffer
   * @param expectedBytes the buffer grows beyond this only when needed
   */
  constructor(firstBytes: number, maxBytes: number, expectedBytes = maxBytes) {
    this.#firstBytes = firstBytes;
    this.#maxBytes = maxBytes;
    this.#expectedBytes = expectedBytes;
  }

  /** Whether `count` more bytes fit within the limit; grows the buffer if they do. */
  hasRoom(count: number): boolean {
    const needed = this.#length + count;
    if (needed > this.#maxBytes) return false;
    if (needed > this.#bytes.length) this.#grow(needed);
    return true;
  }

  /** Adds a byte for which there is room. */
  add(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  /** Adds decoded Base64 if it yields `count` bytes, for which there must be room; otherwise adds nothing. Returns which. */
  addDecoded(text: string, count: number): boolean {
    if (this.#bytes.write(text, this.#length, "base64") !== count) return false;
    this.#length += count;
    return true;
  }

  /** The bytes added so far, not copied. */
  added(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  /** Discards the bytes and keeps the buffer for the next ones. */
  reset(): void {
    this.#length = 0;
  }

  /** Discards the bytes and the buffer. */
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
