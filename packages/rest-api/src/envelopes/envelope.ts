import { conflictReasons } from "@org/core";
import { z } from "zod";
import type { Failure, FailureCode } from "../failure.js";

/** How one failure is answered: the status, and the code in the body (null when the body has none). */
export interface FailureAnswer {
  readonly status: number;
  readonly code: string | null;
}

/** A family's error format: one table over every failure, and the body for each row. */
export interface Envelope {
  readonly name: string;
  readonly rows: Readonly<Record<FailureCode, FailureAnswer>>;
  bodyOf(failure: Failure, traceId: string): unknown;
  /** Schema of the body, for the API document. */
  schemaOf(code: FailureCode): z.ZodType;
}

/** The limit that a request exceeded, the same in every envelope. */
export const limitReachedSchema = z.object({
  limit: z.string().describe("Name of the limit, such as open_sessions; docs/reference/limits.md lists them."),
  value: z.number(),
  ends_at: z.string().nullable().describe("When to try again (RFC 3339); null when time alone does not end it."),
});

/** Of an UNAVAILABLE after which the change may have been made. The same in every envelope. */
export const outcomeSchema = z
  .literal("unknown")
  .optional()
  .describe(
    "The change may or may not have been made: repeat the request with the same Idempotency-Key, or look before you repeat it. Without this, nothing was changed.",
  );

/** Of a CONFLICT: why. The same in every envelope. */
export const reasonSchema = z
  .enum(conflictReasons)
  .optional()
  .describe(
    "Of a CONFLICT: why, as a code that stays; docs/tutorials/first-letter.md says what each means. mail_in_doubt: decide about the mail first (mails/confirm, mails/retry or mails/withdraw). mail_has_left: too late to undo. nothing_to_undo: the letter's last change is not a move that can be undone.",
  );

/** What each failure means, for human readers. */
export const failureMeanings: Readonly<Record<FailureCode, string>> = {
  UNAUTHENTICATED: "empty, invalid or expired access token",
  UNAUTHORIZED: "the application may not perform the action",
  VALIDATION_ERROR: "missing required fields or invalid values",
  NOT_FOUND: "no object with this id",
  CONFLICT: "the object is not in a state that allows it",
  CONFIRMATION_REQUIRED: "the action has to be confirmed",
  TOO_LARGE: "the body, or a document in it, is too large",
  IDEMPOTENCY_MISMATCH: "the Idempotency-Key was used with another body",
  INSUFFICIENT_DATA: "the figure would be a guess; details says what is missing",
  RATE_LIMITED: "more than one caller or tenant may have; details names the limit, see Retry-After",
  UNKNOWN_PATH: "no such endpoint",
  METHOD_NOT_ALLOWED: "only POST is allowed",
  UNSUPPORTED_MEDIA_TYPE: "the body is in another format than the endpoint takes",
  TOO_SLOW: "the body came too slowly, or stopped coming",
  UNAVAILABLE:
    "something that the request needs does not answer, see Retry-After; nothing was changed, unless `outcome` is `unknown`",
  INTERNAL_ERROR: "an unexpected condition",
};
