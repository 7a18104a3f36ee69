import { type CipherGCM, createCipheriv, createDecipheriv, type DecipherGCM, randomBytes } from "node:crypto";
import { KeyringError } from "./keyring-error.js";
import type { SealContext, TextSealing } from "./text-sealing.js";

/** A document encrypted with AES-256-GCM, and its key, iv and tag as a sealed text. */
export interface SealedBytes {
  readonly key: string;
  readonly ciphertext: Uint8Array;
}

/** Encrypts each document under a key of its own. */
export interface DocumentSealing {
  /**
   * Encrypts a document under a new key; `key` is that key, sealed. With `mayOverwrite` the ciphertext overwrites the bytes, so
   * that a large document is not in memory twice.
   */
  sealBytes(bytes: Uint8Array, context: SealContext, options?: { mayOverwrite?: boolean }): Promise<SealedBytes>;
  /** Decrypts the result of `sealBytes`. Throws like `open` of {@link TextSealing}. */
  openBytes(sealed: SealedBytes, context: SealContext): Promise<Uint8Array>;
}

/** Seals bytes under a fresh document key each: rotating a keyring means resealing `key`, not the bytes. */
export function documentSealing(text: Pick<TextSealing, "seal" | "open">): DocumentSealing {
  return {
    async sealBytes(bytes, context, { mayOverwrite = false } = {}) {
      const [key, iv] = [randomBytes(32), randomBytes(12)];
      const cipher = createCipheriv(CIPHER, key, iv).setAAD(associatedData(context));
      // GCM is a stream cipher mode: `final` adds no bytes, and concatenating would copy a large document.
      const ciphertext = await through(cipher, bytes, mayOverwrite ? bytes : Buffer.allocUnsafeSlow(bytes.length));
      cipher.final();
      const documentKey = { key: base64url(key), iv: base64url(iv), tag: base64url(cipher.getAuthTag()) };
      return { key: await text.seal(JSON.stringify(documentKey), context), ciphertext };
    },
    async openBytes(sealed, context) {
      const { key, iv, tag } = readDocumentKey(await text.open(sealed.key, context));
      const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: 16 });
      decipher.setAAD(associatedData(context)).setAuthTag(tag);
      const plaintext = await through(decipher, sealed.ciphertext, Buffer.allocUnsafeSlow(sealed.ciphertext.length));
      try {
        decipher.final();
      } catch (cause) {
        throw new KeyringError("tampered", "the document does not belong to its key, or was altered", [], { cause });
      }
      return plaintext;
    },
  };
}

/** Writes what the cipher makes of `bytes` to `into`, which may be the same, and lets other work run after every few megabytes. */
async function through<Into extends Uint8Array>(
  cipher: CipherGCM | DecipherGCM,
  bytes: Uint8Array,
  into: Into,
): Promise<Into> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from > 0 && from % TURN_BYTES === 0) await new Promise((resume) => setImmediate(resume));
    into.set(cipher.update(bytes.subarray(from, from + PIECE_BYTES)), from);
  }
  return into;
}

function readDocumentKey(json: string): { key: Buffer; iv: Buffer; tag: Buffer } {
  try {
    const { key, iv, tag } = JSON.parse(json);
    const read = { key: fromBase64url(key), iv: fromBase64url(iv), tag: fromBase64url(tag) };
    if (read.key.length === 32 && read.iv.length === 12 && read.tag.length === 16) return read;
  } catch (cause) {
    throw notADocumentKey(cause);
  }
  throw notADocumentKey();
}

function notADocumentKey(cause?: unknown): KeyringError {
  return new KeyringError("tampered", "the sealed text holds no document key", [], { cause });
}

/** JSON, because joining the two with a separator could make different contexts equal. */
function associatedData({ purpose, row }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([purpose, row]));
}

function base64url(bytes: Buffer): string {
  return bytes.toString("base64url");
}

function fromBase64url(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

const PIECE_BYTES = 64 * 1024;
const TURN_BYTES = 4 * 1024 * 1024;
const CIPHER = "aes-256-gcm";
