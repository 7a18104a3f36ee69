import { invalid, invalidValue, type ReceivedDocument, type ReceivedDocuments } from "@org/core";
import { DocumentText } from "./document-text.js";
import { GrowingBytes } from "./growing-bytes.js";
import { parseJsonObject } from "./json.js";
import { type BodyLimit, tooLarge } from "./read-body.js";
import { Utf8Check } from "./utf8-check.js";

/** A submission: the body with its documents' text taken out, and the documents. */
export interface LetterBody {
  readonly body: unknown;
  readonly received: ReceivedDocuments;
}

const REST_BYTES = (1024 + 64) * 1024;

/** What may stand in a submission besides its documents: as much as in any other body, and 64 KiB. */
export const restLimit: BodyLimit = {
  bytes: REST_BYTES,
  rule: `the body has at most ${REST_BYTES} bytes besides data and annex`,
};

type Field = "data" | "annex";

const FIRST_BYTES = 1024;
/** Of a key with every character of it escaped, and the quote behind it. */
const KEY_BYTES = "annex".length * "\\u0061".length + 1;

const [QUOTE, BACKSLASH, COMMA, COLON, BRACE] = [...'"\\,:{'].map((character) => character.charCodeAt(0));
const opening = new Set([..."{["].map((character) => character.charCodeAt(0)));
const closing = new Set([..."}]"].map((character) => character.charCodeAt(0)));
const space = new Set([..." \t\r\n"].map((character) => character.charCodeAt(0)));

/**
 * Reads the JSON of a submission as it arrives. The strings of `data` and `annex` are decoded from Base64 on the way and left
 * empty in the body, so that a document is held once, and not as text, bytes and parsed text at the same time. What is wrong with
 * such a string as JSON, or with its key, is refused as soon as it shows, and nothing behind it is read.
 * @param declaredBytes of the whole body, 0 when the request does not tell
 * @throws CoreError VALIDATION_ERROR, as for every body, and on a document that is given twice; TOO_LARGE, see {@link restLimit}
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
  readonly #given = new Set<Field>();
  readonly #text = new Utf8Check();
  /** The body without the documents, and without white space that goes on. */
  readonly #rest = new GrowingBytes(FIRST_BYTES, restLimit.bytes);
  #isCut = false;
  #taken = 0;
  #depth = 0;
  #isObject = false;
  #isString = false;
  #isEscaped = false;
  #isSpace = false;
  /** Whether the next string of the outermost object is a key. */
  #isKeyNext = false;
  /** The text of the last key, as far as it matters, while it is read. */
  #key: number[] | null = null;
  /** The document whose value is to come. */
  #field: Field | null = null;
  #document: DocumentText | null = null;

  constructor(maxBytes: number, declaredBytes: number) {
    this.#maxBytes = maxBytes;
    this.#declaredBytes = declaredBytes;
  }

  take(chunk: Uint8Array): void {
    this.#text.take(chunk);
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#document) at = this.#document.take(chunk, at);
      if (at < chunk.length) this.#read(chunk[at] as number);
    }
    this.#taken += chunk.length;
  }

  finish(): LetterBody {
    this.#text.finish();
    const body = parseJsonObject(this.#rest.added(), { isCut: this.#isCut });
    return { body, received: this.#received };
  }

  #read(byte: number): void {
    const isMoreSpace = this.#isSpace;
    this.#isSpace = !this.#isString && space.has(byte);
    if (this.#isSpace && isMoreSpace) {
      this.#isCut = true;
      return;
    }
    this.#keep(byte);
    if (this.#isString) this.#readInString(byte);
    else if (!this.#isSpace) this.#readOutside(byte);
  }

  #keep(byte: number): void {
    if (!this.#rest.hasRoom(1)) throw tooLarge(restLimit);
    this.#rest.add(byte);
  }

  #readOutside(byte: number): void {
    if (byte === QUOTE) this.#beginString();
    else if (opening.has(byte)) this.#open(byte);
    else if (closing.has(byte)) this.#depth -= 1;
    else if (byte === COMMA) this.#isKeyNext = this.#depth === 1 && this.#isObject;
    else if (byte !== COLON) this.#endValue();
  }

  #open(byte: number): void {
    this.#depth += 1;
    if (this.#depth === 1) this.#isObject = byte === BRACE;
    this.#isKeyNext = this.#depth === 1 && this.#isObject;
    this.#endValue();
  }

  #beginString(): void {
    this.#isString = true;
    if (this.#isKeyNext) {
      this.#isKeyNext = false;
      this.#key = [];
    } else if (this.#field) {
      const left = Math.max(0, this.#declaredBytes - this.#taken);
      this.#document = new DocumentText(this.#maxBytes, Math.ceil((left * 3) / 4));
    }
  }

  #readInString(byte: number): void {
    if (this.#key && this.#key.length <= KEY_BYTES) this.#key.push(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#endString();
  }

  #endString(): void {
    this.#isString = false;
    if (this.#key) {
      this.#field = fieldOf(this.#key);
      this.#key = null;
      if (this.#field) this.#begin(this.#field);
    } else if (this.#document && this.#field) {
      this.#received[this.#field] = this.#document.finish();
      this.#document = null;
      this.#isCut = true;
      this.#endValue();
    }
  }

  /** The last one would count, as everywhere in JSON: but then whoever sends thousands has each of them decoded. */
  #begin(field: Field): void {
    if (this.#given.has(field)) throw invalid(invalidValue(field, "must not be given twice"));
    this.#given.add(field);
  }

  /** A value that is no text is no document. */
  #endValue(): void {
    this.#field = null;
  }
}

/** Keys may be written with escapes. Bytes beyond ASCII come out as other letters: neither name has any. */
function fieldOf(quoted: readonly number[]): Field | null {
  if (quoted.length > KEY_BYTES) return null;
  try {
    const name: unknown = JSON.parse(`"${String.fromCharCode(...quoted)}`);
    return name === "data" || name === "annex" ? name : null;
  } catch {
    return null;
  }
}
