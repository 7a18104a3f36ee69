/** What went wrong: no such key here, altered or no ciphertext of ours, sealed for something else, keys unfit for use. */
export type KeyringErrorCode = "unknown_key" | "tampered" | "wrong_context" | "bad_key_material";

/** The one error of this package. Messages name key ids and purposes, never keys or contents. */
export class KeyringError extends Error {
  override readonly name = "KeyringError";

  constructor(
    readonly code: KeyringErrorCode,
    message: string,
    /** Every fault of the key material; empty for the other codes. */
    readonly issues: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
