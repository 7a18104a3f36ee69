/** Encrypts values at rest, each bound to its purpose and row; `@org/keyring` implements it. Opening with another context fails. */
export interface Vault {
  seal(plaintext: string, context: VaultContext): Promise<string>;
  open(sealed: string, context: VaultContext): Promise<string>;
  /** With `mayOverwrite` the input bytes may be overwritten by the ciphertext, so that a large document is not in memory twice. */
  sealBytes(
    bytes: Uint8Array,
    context: VaultContext,
    options?: { mayOverwrite?: boolean },
  ): Promise<{ key: string; ciphertext: Uint8Array }>;
  openBytes(sealed: { key: string; ciphertext: Uint8Array }, context: VaultContext): Promise<Uint8Array>;
}

/** The purpose of a sealed value and the row it belongs to. */
export interface VaultContext {
  readonly purpose: string;
  readonly row: string;
}
