import { invalid, invalidValue, type ReceivedDocument, type ReceivedDocuments } from "@org/core";
import { Base64Decoder } from "./base64-decoder.js";
import { type BodyLimit, tooLarge } from "./body-limit.js";
import { ByteInput } from "./byte-input.js";
import { type DocumentSpool, SpoolingSink } from "./document-spool.js";
import { GrowingBytes } from "./growing-bytes.js";
import { parseJsonObject, refusedBody } from "./json.js";

/** A submission: the body with its documents' text taken out, and the documents. */
export interface LetterBody {
  readonly body: unknown;
  readonly received: ReceivedDocuments;
}

const REST_BYTES = (1024 + 64) * 1024;

/** How much a submission may hold besides its documents: as much as any other body, and 64 KiB. */
export const restLimit: BodyLimit = {
  bytes: REST_BYTES,
  rule: `the body has at most ${REST_BYTES} bytes besides data and annex`,
};

type Field = "data" | "annex";

const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const BRACE = 0x7b;
const SPACE = 0x20;
const opening = new Set(codesOf("{["));
const closing = new Set(codesOf("}]"));
const spaces = new Set(codesOf(" \t\r\n"));
/** What a backslash may stand before, besides a `u` (RFC 8259 §7). */
const escapes = new Set(codesOf('"\\/bfnrt'));

/**
 * Reads the JSON of a submission as it arrives. The strings of `data` and `annex` are decoded from Base64 on the way and left
 * empty in the body, so that a document is held once, and not as text, bytes and parsed text at the same time. What is wrong with
 * such a string as JSON, or with its key, is refused as soon as it shows, and nothing behind it is read.
 * Why by hand: docs/decisions/letter-bodies.md.
 * @param declaredBytes of the whole body, 0 when the request does not tell
 * @param keeping where large documents are kept until they are whole
 * @throws CoreError VALIDATION_ERROR, as for every body, and on a document that is given twice; TOO_LARGE, see {@link restLimit}
 */
export async function readLetterBody(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  declaredBytes: number,
  keeping: Keeping = IN_MEMORY,
): Promise<LetterBody> {
  const input = new ByteInput(chunks);
  const documents: SpoolingSink[] = [];
  const begin = (expectedBytes: number) => {
    const sink = new SpoolingSink(keeping.spool, maxBytes, expectedBytes);
    documents.push(sink);
    return sink;
  };
  try {
    return await readMembers(input, { begin, hold: keeping.hold }, declaredBytes);
  } finally {
    await Promise.all([input.close(), ...documents.map((document) => document.remove())]);
  }
}

/** Where documents are kept until they are whole, and how room for them is found then. */
export interface Keeping {
  readonly spool: DocumentSpool | null;
  /** Waits until so many bytes more may be in memory. */
  hold(bytes: number): Promise<void>;
}

const IN_MEMORY: Keeping = { spool: null, hold: async () => {} };

/** Follows the outermost object just far enough to find the documents: whether the rest is JSON is for the parser to say, at the end. */
async function readMembers(
  input: ByteInput,
  documents: { begin(expectedBytes: number): SpoolingSink } & Pick<Keeping, "hold">,
  declaredBytes: number,
): Promise<LetterBody> {
  const rest = new Rest();
  const sinks: Partial<Record<Field, SpoolingSink>> = {};
  const received: Partial<Record<Field, ReceivedDocument>> = {};
  const given = new Set<Field>();
  let depth = 0;
  let isObject = false;
  let isKeyNext = false;
  /** The document whose value is to come. */
  let field: Field | null = null;

  while (!input.isSpent || (await input.fill())) {
    const byte = input.take();
    if (spaces.has(byte)) {
      rest.addSpace(byte);
      continue;
    }
    rest.add(byte);
    if (byte === QUOTE && isKeyNext) {
      isKeyNext = false;
      field = fieldOf(await copyString(input, rest));
      if (field) begin(field);
    } else if (byte === QUOTE && field) {
      // Room for what is left, as far as it was declared: GrowingBytes takes none of it for granted.
      const left = Math.max(0, declaredBytes - input.position);
      const sink = documents.begin(Math.ceil((left * 3) / 4));
      const document = new Base64Decoder(sink);
      sinks[field] = sink;
      await decodeString(input, document, sink);
      received[field] = document.finish();
      rest.add(QUOTE);
      field = null;
    } else if (byte === QUOTE) await copyString(input, rest);
    else if (opening.has(byte)) {
      depth += 1;
      if (depth === 1) isObject = byte === BRACE;
      isKeyNext = depth === 1 && isObject;
      field = null;
    } else if (closing.has(byte)) depth -= 1;
    else if (byte === COMMA) isKeyNext = depth === 1 && isObject;
    // A value that is no text is no document.
    else if (byte !== COLON) field = null;
  }
  const body = parseJsonObject(rest.bytes());
  let held = 0;
  for (const name of ["data", "annex"] as const) {
    const [sink, outcome] = [sinks[name], received[name]];
    if (!sink || !outcome) continue;
    received[name] = await sink.whole(outcome, (bytes) => {
      held += bytes;
      return documents.hold(held);
    });
  }
  return { body, received };

  /** The last one would count, as everywhere in JSON: but then whoever sends thousands has each of them decoded. */
  function begin(name: Field): void {
    if (given.has(name)) throw invalid(invalidValue(name, "must not be given twice"));
    given.add(name);
  }
}

/** Of a key with every character of it escaped, and the quote behind it. */
const KEY_BYTES = "annex".length * "\\u0061".length + 1;

/** Copies a string from behind its opening quote; returns it with its closing quote, as far as {@link KEY_BYTES} and one more. */
async function copyString(input: ByteInput, rest: Rest): Promise<readonly number[]> {
  const beginning: number[] = [];
  let isEscaped = false;
  while (!input.isSpent || (await input.fill())) {
    const byte = input.take();
    rest.add(byte);
    if (beginning.length <= KEY_BYTES) beginning.push(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) break;
  }
  return beginning;
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

/**
 * Decodes a string from behind its opening quote to its closing one, which it takes too. An escape may stand for a character of
 * Base64, too: some encoders escape every slash.
 * @throws CoreError VALIDATION_ERROR when it is no JSON: what is only no Base64 comes out at the end
 */
async function decodeString(input: ByteInput, document: Base64Decoder, sink: SpoolingSink): Promise<void> {
  let isEscaped = false;
  /** Digits of a \\u that are still to come, and their value so far. */
  let digits = 0;
  let code = 0;
  for (;;) {
    if (input.isSpent) {
      await sink.settle();
      if (!(await input.fill())) return;
    }
    if (!isEscaped && digits === 0) input.skipTo(document.take(input.chunk, input.at));
    if (input.isSpent) continue;
    const byte = input.take();
    if (digits > 0) {
      code = 16 * code + digitOf(byte);
      digits -= 1;
      if (digits === 0) document.takeCode(code);
    } else if (isEscaped) {
      isEscaped = false;
      if (byte === LETTER_U) {
        digits = 4;
        code = 0;
      } else if (!escapes.has(byte)) throw refusedBody("must be valid JSON");
      else if (byte === SLASH) document.takeCode(SLASH);
      else document.fail();
    } else if (byte === QUOTE) return;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte < SPACE) throw refusedBody("must be valid JSON");
    else document.fail();
  }
}

function digitOf(byte: number): number {
  const value = HEX_DIGITS.indexOf(String.fromCharCode(byte).toLowerCase());
  if (value < 0) throw refusedBody("must be valid JSON");
  return value;
}

const HEX_DIGITS = "0123456789abcdef";

const FIRST_BYTES = 1024;

/** The body without the documents, and without white space that goes on. */
class Rest {
  readonly #bytes = new GrowingBytes(FIRST_BYTES, restLimit.bytes);
  #endsInSpace = false;

  /** Adds white space between strings, unless there is some already. @throws CoreError TOO_LARGE */
  addSpace(byte: number): void {
    if (!this.#endsInSpace) this.add(byte);
    this.#endsInSpace = true;
  }

  /** @throws CoreError TOO_LARGE */
  add(byte: number): void {
    if (!this.#bytes.hasRoom(1)) throw tooLarge(restLimit);
    this.#bytes.add(byte);
    this.#endsInSpace = false;
  }

  bytes(): Buffer {
    return this.#bytes.added();
  }
}

function codesOf(characters: string): number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}
