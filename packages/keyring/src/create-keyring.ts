import { type DocumentSealing, documentSealing } from "./document-sealing.js";
import { checkKeys, type KeyringKey } from "./parse-keyring.js";
import { keyIdOf, type TextSealing, textSealing } from "./text-sealing.js";

/** Encrypts under the first of its keys, decrypts under all of them. */
export interface Keyring extends TextSealing, DocumentSealing {
  /** Id of the key that opens a sealed text, or the `key` of sealed bytes. Throws `tampered` when it is neither. */
  keyIdOf(sealed: string): string;
  /** Id of the key that encrypts. */
  readonly activeKeyId: string;
  readonly keyIds: readonly string[];
}

/** Creates a keyring of at least one key. Throws `KeyringError` `bad_key_material` with every fault. */
export function createKeyring(keys: readonly KeyringKey[]): Keyring {
  checkKeys(keys);
  const text = textSealing(keys);
  const keyIds = keys.map(({ id }) => id);
  return { ...text, ...documentSealing(text), keyIdOf, keyIds, activeKeyId: keyIds[0] as string };
}
