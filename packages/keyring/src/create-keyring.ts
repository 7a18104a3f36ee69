import { documentSealing, type SealedBytes } from "./document-sealing.js";
import { checkKeys, type KeyringKey } from "./parse-keyring.js";
import { keyIdOf, textSealing } from "./text-sealing.js";

/** What a sealed value is for, and the row that it belongs to; it opens under the same two only. */
export interface SealContext {
  readonly purpose: string;
  readonly row: string;
}

/** Encrypts under the first of its keys, decrypts under all of them. */
export interface Keyring {
  /** Encrypts text (well-formed Unicode) as a compact JWE. */
  seal(plaintext: string, context: SealContext): Promise<string>;
  /** Decrypts what `seal` made. Throws `KeyringError` `unknown_key`, `tampered` or `wrong_context`. */
  open(sealed: string, context: SealContext): Promise<string>;
  /**
   * Encrypts a sealed text, or the `key` of sealed bytes, again under the first key, for the same purpose and row. What is under
   * that key already is answered as it is. Throws `KeyringError` `unknown_key` or `tampered`.
   */
  reseal(sealed: string): Promise<string>;
  /**
   * Encrypts a document under a key of its own; `key` is that key, sealed. With `mayOverwrite` the ciphertext takes the place of
   * the bytes, so that a large document is not held twice.
   */
  sealBytes(bytes: Uint8Array, context: SealContext, options?: { mayOverwrite?: boolean }): Promise<SealedBytes>;
  /** Decrypts what `sealBytes` made. Throws like `open`. */
  openBytes(sealed: SealedBytes, context: SealContext): Promise<Uint8Array>;
  /** Id of the key that a sealed text, or the `key` of sealed bytes, needs. Throws `tampered` when it is neither. */
  keyIdOf(sealed: string): string;
  /** Id of the key that encrypts. */
  readonly activeKeyId: string;
  readonly keyIds: readonly string[];
}

/** Makes a keyring of at least one key. Throws `KeyringError` `bad_key_material` with every fault. */
export function createKeyring(keys: readonly KeyringKey[]): Keyring {
  checkKeys(keys);
  const text = textSealing(keys);
  const keyIds = keys.map(({ id }) => id);
  return { ...text, ...documentSealing(text), keyIdOf, keyIds, activeKeyId: keyIds[0] as string };
}
