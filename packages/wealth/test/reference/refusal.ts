/** What an answer is refused with: the code of the error, and its details. */
export class Refusal extends Error {
  readonly code: "INSUFFICIENT_DATA" | "VALIDATION_ERROR" | "NOT_FOUND";
  readonly details: readonly Readonly<Record<string, unknown>>[];

  constructor(code: Refusal["code"], details: Refusal["details"]) {
    super(`${code} ${JSON.stringify(details)}`);
    this.code = code;
    this.details = details;
  }
}
