import { invalid, invalidValue, type ReceivedDocument, type ReceivedDocuments } from "@org/core";
import { Base64Decoder } from "./base64-decoder.js";
import { type BodyLimit, tooLarge } from "./body-limit.js";
import { ByteInput } from "./byte-input.js";
import { type DocumentSpool, SpoolingSink } from "./document-spool.js";
import { GrowingBytes } from "./growing-bytes.js";
import { parseJsonObject, refusedBody } from "./json.js";

/** A submission: the body with its documents' text removed, and the documents. */
export interface LetterBody {
  readonly body: unknown;
  readonly received: ReceivedDocuments;
}

const REST_BYTES = (1024 + 64) * 1024;

/** Limit for everything in a submission except its documents: as much as any other body, and 64 KiB. */
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
/** Characters that may follow a backslash, besides `u` (RFC 8259 §7). */
const escapes = new Set(codesOf('"\\/bfnrt'));

/**
 * Parses the JSON of a submission as it arrives. The strings of `data` and `annex` are decoded from Base64 on the way and left
 * empty in the body, so that a document is held once, not as text, bytes and parsed text at the same time. A JSON error in such a
 * string or its key is reported immediately, and the rest is not read.
 * docs/decisions/letter-bodies.md explains why this is hand-written.
 * @param declaredBytes size of the whole body, 0 when the request does not declare it
 * @param keeping where large documents are kept until they are complete
 * @throws CoreError VALIDATION_ERROR, as for every body, and for a document given twice; TOO_LARGE, see {@link restLimit}
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

/** Where documents are kept until they are complete, and how memory for them is reserved then. */
export interface Keeping {
  readonly spool: DocumentSpool | null;
  /** Waits until this many more bytes may be held in memory. */
  hold(bytes: number): Promise<void>;
}

const IN_MEMORY: Keeping = { spool: null, hold: async () => {} };

/** Scans the outermost object just far enough to find the documents. The parser decides at the end whether the rest is valid JSON. */
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
  /** The document whose value comes next. */
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
      // The sink expects the rest of the declared length. This is only a hint: GrowingBytes allocates as bytes arrive.
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
    // Only a string can be a document.
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

  /** JSON would let the last one win, but then a sender of thousands would have each of them decoded. */
  function begin(name: Field): void {
    if (given.has(name)) throw invalid(invalidValue(name, "must not be given twice"));
    given.add(name);
  }
}

/** Maximum length of a document's key with every character escaped, including the closing quote. */
const KEY_BYTES = "annex".length * "\\u0061".length + 1;

/** Copies a string that starts after its opening quote. Returns it with its closing quote, at most {@link KEY_BYTES} + 1 bytes. */
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

/** Decodes a key, which may contain escapes. Non-ASCII bytes become wrong letters, but neither name has any. */
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
 * Decodes a string from after its opening quote through its closing quote. An escape may stand for a Base64 character:
 * some encoders escape every slash.
 * @throws CoreError VALIDATION_ERROR when it is not JSON; invalid Base64 is reported when the document is finished
 */
async function decodeString(input: ByteInput, document: Base64Decoder, sink: SpoolingSink): Promise<void> {
  let isEscaped = false;
  /** Remaining digits of a \\u escape, and their value so far. */
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

/** The body without the documents and without runs of white space. */
class Rest {
  readonly #bytes = new GrowingBytes(FIRST_BYTES, restLimit.bytes);
  #endsInSpace = false;

  /** Adds white space between tokens, unless the last byte was white space. @throws CoreError TOO_LARGE */
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
