import { webcrypto as crypto, type webcrypto } from "node:crypto";
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors } from "jose";
import { KeyringError } from "./keyring-error.js";
import type { KeyringKey } from "./parse-keyring.js";

/** The purpose of a sealed value and its row; the value opens only under the same two. */
export interface SealContext {
  readonly purpose: string;
  readonly row: string;
}

/** Encrypts text under the first key, decrypts it under all keys. */
export interface TextSealing {
  /** Encrypts text (well-formed Unicode) as a compact JWE. */
  seal(plaintext: string, context: SealContext): Promise<string>;
  /** Decrypts the result of `seal`. Throws `KeyringError` `unknown_key`, `tampered` or `wrong_context`. */
  open(sealed: string, context: SealContext): Promise<string>;
  /**
   * Re-encrypts a sealed text, or the `key` of sealed bytes, under the first key, with the same purpose and row. A text that is
   * already under that key is returned unchanged. Throws `KeyringError` `unknown_key` or `tampered`.
   */
  reseal(sealed: string): Promise<string>;
}

/** Seals text as compact JWE (RFC 7516), with a fresh content key each; the context is in the protected header. */
export function textSealing(keys: readonly KeyringKey[]): TextSealing {
  const imported = new Map(keys.map(({ id, key }) => [id, importOnce(key)]));
  const [active] = keys as readonly [KeyringKey];

  const sealing: TextSealing = {
    async seal(plaintext, { purpose, row }) {
      const key = await imported.get(active.id)?.();
      if (!key) throw unknownKey(active.id);
      return new CompactEncrypt(encoder.encode(plaintext))
        .setProtectedHeader({ alg: "A256KW", enc: "A256GCM", kid: active.id, purpose, row })
        .encrypt(key);
    },
    async open(sealed, context) {
      const kid = keyIdOf(sealed);
      const key = await imported.get(kid)?.();
      if (!key) throw unknownKey(kid);
      const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, ALGORITHMS).catch((cause: unknown) => {
        throw cause instanceof errors.JOSEError ? tampered(cause) : cause;
      });
      // Checked after decryption, when the key has authenticated the header.
      requireContext(protectedHeader, context);
      return decoder.decode(plaintext);
    },
    async reseal(sealed) {
      if (keyIdOf(sealed) === active.id) return sealed;
      // The header is trusted only if the value opens under it.
      const { purpose, row } = decodeProtectedHeader(sealed);
      const context = { purpose: String(purpose), row: String(row) };
      return sealing.seal(await sealing.open(sealed, context), context);
    },
  };
  return sealing;
}

/** Reads the key id without decrypting. */
export function keyIdOf(sealed: string): string {
  try {
    const { kid } = decodeProtectedHeader(sealed);
    if (typeof kid === "string" && sealed.split(".").length === 5) return kid;
  } catch (cause) {
    throw tampered(cause);
  }
  throw tampered();
}

function requireContext(header: { readonly [name: string]: unknown }, { purpose, row }: SealContext): void {
  if (header.purpose === purpose && header.row === row) return;
  throw new KeyringError("wrong_context", `sealed for another purpose or row than ${purpose} of ${row}`);
}

function unknownKey(kid: string): KeyringError {
  return new KeyringError("unknown_key", `no encryption key with the id ${JSON.stringify(kid.slice(0, 32))}`);
}

function tampered(cause?: unknown): KeyringError {
  return new KeyringError("tampered", "not a value sealed under this keyring, or altered since", [], { cause });
}

function importOnce(key: Uint8Array): () => Promise<webcrypto.CryptoKey> {
  let pending: Promise<webcrypto.CryptoKey> | undefined;
  return () => {
    pending ??= crypto.subtle.importKey("raw", key, "AES-KW", false, ["wrapKey", "unwrapKey"]);
    return pending;
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ALGORITHMS = { keyManagementAlgorithms: ["A256KW"], contentEncryptionAlgorithms: ["A256GCM"] };
