import type { ReceivedDocument, ReceivedDocuments } from "@org/core";
import { Base64Decoder } from "./base64-decoder.js";
import { parseJsonObject } from "./json.js";

/** A submission: the body with its documents' text taken out, and the documents. */
export interface LetterBody {
  readonly body: unknown;
  readonly received: ReceivedDocuments;
}

const [QUOTE, BACKSLASH, SLASH, COMMA, COLON] = [...'"\\/,:'].map((character) => character.charCodeAt(0));
const LETTER_U = "u".charCodeAt(0);
const opening = new Set([..."{["].map((character) => character.charCodeAt(0)));
const closing = new Set([..."}]"].map((character) => character.charCodeAt(0)));
const space = new Set([..." \t\r\n"].map((character) => character.charCodeAt(0)));

/**
 * Reads the JSON of a submission as it arrives. The strings of `data` and `annex` are decoded from Base64 on the way and left
 * empty in the body, so that a document is held once, and not as text, bytes and parsed text at the same time. Whatever in them
 * is not Base64 stays in the body: what is wrong with it as JSON is found there.
 * @param declaredBytes of the whole body, 0 when the request does not tell
 * @throws CoreError VALIDATION_ERROR, as for every body
 */
export async function readLetterBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  declaredBytes: number,
): Promise<LetterBody> {
  const reader = new LetterBodyReader(maxBytes, declaredBytes);
  for await (const chunk of chunks) reader.take(chunk);
  return reader.finish();
}

class LetterBodyReader {
  readonly #maxBytes: number;
  readonly #declaredBytes: number;
  readonly #received: Record<string, ReceivedDocument> = {};
  /** The body without the documents. */
  readonly #rest: Buffer[] = [];
  #taken = 0;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** Digits of a \\u in a document that are still to come, and their value so far. */
  #digits = 0;
  #code = 0;
  /** Whether the next string of the outermost object is a key. */
  #isKeyNext = false;
  /** The text of the last key, while it is read, and once its value is to come. */
  #key: number[] = [];
  #isKey = false;
  #field: "data" | "annex" | null = null;
  #document: Base64Decoder | null = null;

  constructor(maxBytes: number, declaredBytes: number) {
    this.#maxBytes = maxBytes;
    this.#declaredBytes = declaredBytes;
  }

  take(chunk: Uint8Array): void {
    let kept = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#document && !this.#isEscaped) {
        const end = this.#document.take(chunk, at, chunk.length);
        this.#keep(chunk, kept, at);
        kept = end;
        at = end;
        if (end === chunk.length) break;
        // Some encoders escape every slash.
        if (chunk[at] === BACKSLASH && chunk[at + 1] === SLASH) {
          this.#document.take(chunk, at + 1, at + 2);
          kept = at + 2;
          at += 1;
          continue;
        }
      }
      this.#read(chunk[at] as number);
    }
    this.#keep(chunk, kept, chunk.length);
    this.#taken += chunk.length;
  }

  finish(): LetterBody {
    const body = parseJsonObject(Buffer.concat(this.#rest), { isCut: Object.keys(this.#received).length > 0 });
    return { body, received: this.#received };
  }

  /** Copied: a piece would keep the whole chunk that it is of. */
  #keep(chunk: Uint8Array, from: number, to: number): void {
    if (to > from) this.#rest.push(Buffer.from(chunk.subarray(from, to)));
  }

  #read(byte: number): void {
    if (this.#isString) this.#readInString(byte);
    else if (byte === QUOTE) this.#beginString();
    else if (opening.has(byte)) {
      this.#depth += 1;
      this.#isKeyNext = this.#depth === 1;
      this.#endValue();
    } else if (closing.has(byte)) this.#depth -= 1;
    else if (this.#depth === 1 && byte === COMMA) this.#isKeyNext = true;
    else if (byte !== COLON && !space.has(byte)) this.#endValue();
  }

  #beginString(): void {
    this.#isString = true;
    if (this.#depth !== 1) return;
    if (this.#isKeyNext) {
      this.#isKeyNext = false;
      this.#isKey = true;
      this.#key = [];
    } else if (this.#field) {
      const left = Math.max(0, this.#declaredBytes - this.#taken);
      this.#document = new Base64Decoder(this.#maxBytes, Math.ceil((left * 3) / 4));
    }
  }

  #readInString(byte: number): void {
    if (this.#isKey) this.#key.push(byte);
    if (this.#isEscaped) this.#readEscaped(byte);
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#endString();
    else this.#document?.fail();
  }

  /** An escape may stand for a character of Base64, too. */
  #readEscaped(byte: number): void {
    this.#isEscaped = false;
    const document = this.#document;
    if (!document) return;
    if (this.#digits > 0) {
      this.#code = this.#code * 16 + Number.parseInt(String.fromCharCode(byte), 16);
      this.#digits -= 1;
      this.#isEscaped = this.#digits > 0;
    } else if (byte === LETTER_U) {
      this.#digits = 4;
      this.#code = 0;
      this.#isEscaped = true;
    } else this.#code = byte === SLASH ? SLASH : Number.NaN;
    if (this.#isEscaped) return;
    // A code beyond a byte would be taken for what its last byte says.
    const isCharacter = this.#code < 256 && document.take(Uint8Array.of(this.#code), 0, 1) === 1;
    if (!isCharacter) document.fail();
  }

  #endString(): void {
    this.#isString = false;
    if (this.#isKey) {
      this.#isKey = false;
      this.#field = fieldOf(this.#key);
      if (this.#field) delete this.#received[this.#field];
    } else if (this.#document && this.#field) {
      this.#received[this.#field] = this.#document.finish();
      this.#document = null;
      this.#field = null;
    }
  }

  /** A value that is no text is no document. */
  #endValue(): void {
    this.#field = null;
  }
}

/** Keys may be written with escapes. */
function fieldOf(quoted: readonly number[]): "data" | "annex" | null {
  if (quoted.length > 64) return null;
  try {
    const name: unknown = JSON.parse(`"${Buffer.from(quoted).toString()}`);
    return name === "data" || name === "annex" ? name : null;
  } catch {
    return null;
  }
}
