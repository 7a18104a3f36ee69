/**
 * What is wrong with a delivery. `MISSING_HEADER`, `MALFORMED_HEADER`: one of the three headers. `TOO_OLD`, `TOO_NEW`: its
 * timestamp, or your clock. `SIGNATURE_MISMATCH`: these bytes were not signed with your secret or a trusted key.
 * `MALFORMED_BODY`: the signature is valid, but the body is not an event.
 */
export type WebhookVerificationErrorCode =
  | "MISSING_HEADER"
  | "MALFORMED_HEADER"
  | "TOO_OLD"
  | "TOO_NEW"
  | "SIGNATURE_MISMATCH"
  | "MALFORMED_BODY";

/** Says why a delivery must not be trusted. Answer it with 400; its message contains nothing secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";

  constructor(
    readonly code: WebhookVerificationErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
