import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { refusedBody } from "./json.js";

/** Looks whether bytes that arrive in pieces are UTF-8, without keeping what they say. */
export class Utf8Check {
  /** None while all is ASCII, as a submission usually is to its end. */
  #decoder: TextDecoder | null = null;

  /** @throws CoreError VALIDATION_ERROR on `body` */
  take(chunk: Uint8Array): void {
    if (!this.#decoder && isAscii(chunk)) return;
    this.#decoder ??= new TextDecoder("utf-8", { fatal: true });
    decode(this.#decoder, chunk);
  }

  /** @throws CoreError VALIDATION_ERROR on `body` when a character was begun and did not come */
  finish(): void {
    if (this.#decoder) decode(this.#decoder, null);
  }
}

function decode(decoder: TextDecoder, chunk: Uint8Array | null): void {
  try {
    if (chunk) decoder.decode(chunk, { stream: true });
    else decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw refusedBody("must be UTF-8");
    throw error;
  }
}
