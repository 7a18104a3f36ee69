import type { RefusalReason } from "./answers.js";

/**
 * `VALIDATION_ERROR`: an argument, which `field` names. `NOT_FOUND`: a portfolio that the facts do not have. `INSUFFICIENT_DATA`: a figure would be a
 * guess; `details` say what is missing.
 */
export type WealthErrorCode = "VALIDATION_ERROR" | "NOT_FOUND" | "INSUFFICIENT_DATA";

const MAX_DETAILS = 50;

/** Says which figure is refused and why. */
export class WealthError extends Error {
  override readonly name = "WealthError";
  readonly code: WealthErrorCode;
  /** Of INSUFFICIENT_DATA: the first 50 reasons. */
  readonly details: readonly RefusalReason[];
  /** Of VALIDATION_ERROR and NOT_FOUND: the argument. */
  readonly field: string | undefined;

  constructor(
    code: WealthErrorCode,
    message: string,
    about: { details?: readonly RefusalReason[]; field?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.details = (about.details ?? []).slice(0, MAX_DETAILS);
    this.field = about.field;
  }
}

/** Refuses a figure that would be a guess. */
export function insufficientData(details: readonly RefusalReason[]): WealthError {
  const reasons = [...new Set(details.map(({ reason }) => reason))];
  return new WealthError("INSUFFICIENT_DATA", `the data do not suffice: ${reasons.join(", ")}`, { details });
}

/** Refuses an argument. */
export function invalidArgument(field: string, rule: string): WealthError {
  return new WealthError("VALIDATION_ERROR", `${field}: ${rule}`, { field });
}
