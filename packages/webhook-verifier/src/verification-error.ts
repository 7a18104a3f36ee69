/**
 * What is wrong with a delivery. `MISSING_HEADER`, `MALFORMED_HEADER`: one of the three headers. `TOO_OLD`, `TOO_NEW`: its time, or your
 * clock. `SIGNATURE_MISMATCH`: nobody who has your secret, or a private key that you trust, signed these bytes. `MALFORMED_BODY`: well
 * signed, and no event.
 */
export type WebhookVerificationErrorCode =
  | "MISSING_HEADER"
  | "MALFORMED_HEADER"
  | "TOO_OLD"
  | "TOO_NEW"
  | "SIGNATURE_MISMATCH"
  | "MALFORMED_BODY";

/** Says why a delivery is not to be trusted. Answer it with 400; its message holds nothing secret. */
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
