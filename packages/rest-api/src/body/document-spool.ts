import type { ReceivedDocument } from "@org/core";
import type { DocumentSink } from "./base64-decoder.js";
import { GrowingBytes } from "./growing-bytes.js";

/** Keeps large documents outside of memory while they arrive. */
export interface DocumentSpool {
  /** Starts a document. @throws any error of the storage, such as a full disk */
  begin(): Promise<SpooledDocument>;
}

/** One document kept outside of memory. Removing it leaves nothing behind. */
export interface SpooledDocument {
  write(bytes: Uint8Array): Promise<void>;
  /** Copies everything written to the beginning of `target`. */
  readInto(target: Buffer): Promise<void>;
  remove(): Promise<void>;
}

/** Maximum memory for one document while it arrives. */
const IN_MEMORY_BYTES = 256 * 1024;
const FIRST_BYTES = 64 * 1024;

/**
 * Receives a decoded document. Between two chunks, anything beyond 256 KiB moves to the spool, so that a submission that arrives
 * slowly, or never completes, holds next to no memory. Without a spool it stays in memory.
 */
export class SpoolingSink implements DocumentSink {
  readonly #buffer: GrowingBytes;
  readonly #maxBytes: number;
  readonly #spool: DocumentSpool | null;
  #spooled: SpooledDocument | null = null;
  #spooledBytes = 0;

  constructor(spool: DocumentSpool | null, maxBytes: number, expectedBytes: number) {
    this.#spool = spool;
    this.#maxBytes = maxBytes;
    this.#buffer = new GrowingBytes(FIRST_BYTES, maxBytes, expectedBytes);
  }

  hasRoom(count: number): boolean {
    return this.#spooledBytes + this.#buffer.length + count <= this.#maxBytes && this.#buffer.hasRoom(count);
  }

  add(byte: number): void {
    this.#buffer.add(byte);
  }

  addDecoded(text: string, count: number): boolean {
    return this.#buffer.addDecoded(text, count);
  }

  added(): Uint8Array {
    return this.#buffer.added();
  }

  drop(): void {
    this.#buffer.drop();
  }

  /** Moves to the spool what is too much for memory. Called between two chunks. */
  async settle(): Promise<void> {
    if (this.#spool === null || this.#buffer.length < IN_MEMORY_BYTES) return;
    this.#spooled ??= await this.#spool.begin();
    await this.#spooled.write(this.#buffer.added());
    this.#spooledBytes += this.#buffer.length;
    this.#buffer.reset();
  }

  /**
   * Returns the whole document once it has arrived.
   * @param hold waits until there is room for this many bytes
   */
  async whole(received: ReceivedDocument, hold: (bytes: number) => Promise<void>): Promise<ReceivedDocument> {
    if ("failure" in received) return received;
    await hold(this.#spooledBytes + this.#buffer.length);
    if (this.#spooled === null) return received;
    const bytes = Buffer.allocUnsafeSlow(this.#spooledBytes + this.#buffer.length);
    await this.#spooled.readInto(bytes.subarray(0, this.#spooledBytes));
    this.#buffer.added().copy(bytes, this.#spooledBytes);
    this.#buffer.drop();
    return { bytes };
  }

  async remove(): Promise<void> {
    await this.#spooled?.remove();
  }
}
