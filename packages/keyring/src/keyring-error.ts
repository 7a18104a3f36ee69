/**
 * What went wrong: the key is missing, the text is altered or was not sealed here, it was sealed for another context, or keys
 * are invalid.
 */
export type KeyringErrorCode = "unknown_key" | "tampered" | "wrong_context" | "bad_key_material";

/** The only error class of this package. Messages name key ids and purposes, never keys or contents. */
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
