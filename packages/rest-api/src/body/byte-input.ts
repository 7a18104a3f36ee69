import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { refusedBody } from "./json.js";

/** The bytes of a body, one chunk at a time. They must be UTF-8. */
export class ByteInput {
  chunk: Buffer = Buffer.alloc(0);
  at = 0;
  /** Total bytes of all chunks so far. */
  #arrived = 0;
  readonly #chunks: AsyncIterator<Buffer>;
  /** Null while everything is ASCII, which a submission usually is to its end. */
  #decoder: TextDecoder | null = null;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  get isSpent(): boolean {
    return this.at >= this.chunk.length;
  }

  /** Number of bytes of the body consumed so far. */
  get position(): number {
    return this.#arrived - this.chunk.length + this.at;
  }

  /** Gets the next non-empty chunk; false when there is none. @throws CoreError VALIDATION_ERROR on `body` when it is not UTF-8 */
  async fill(): Promise<boolean> {
    while (this.isSpent) {
      const { done, value } = await this.#chunks.next();
      this.#check(done ? null : value);
      if (done) return false;
      this.chunk = value;
      this.at = 0;
      this.#arrived += value.length;
    }
    return true;
  }

  /** Consumes the next byte of a chunk that is not spent. */
  take(): number {
    return this.chunk[this.at++] as number;
  }

  skipTo(at: number): void {
    this.at = at;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #check(chunk: Uint8Array | null): void {
    if (!this.#decoder && (chunk === null || isAscii(chunk))) return;
    this.#decoder ??= new TextDecoder("utf-8", { fatal: true });
    try {
      if (chunk) this.#decoder.decode(chunk, { stream: true });
      else this.#decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) throw refusedBody("must be UTF-8");
      throw error;
    }
  }
}
