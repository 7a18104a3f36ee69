import { CoreError } from "@org/core";
import { PeopleError, type PeopleErrorCode } from "@org/people";
import { type Envelope, lettersEnvelope, RestError, type RestErrorCode } from "@org/rest-api";

/** How each refusal of `@org/people` is answered; the last is the code in the body where that is a finer one than REST has. */
const rows: Readonly<Record<Exclude<PeopleErrorCode, "provider_away">, readonly [RestErrorCode, string?]>> = {
  not_signed_in: ["UNAUTHENTICATED"],
  refused: ["UNAUTHORIZED", "REFUSED"],
  cancelled: ["UNAUTHORIZED", "CANCELLED"],
  invitation_ended: ["UNAUTHORIZED", "INVITATION_ENDED"],
  not_allowed: ["UNAUTHORIZED"],
  confirm_again: ["UNAUTHORIZED", "CONFIRM_AGAIN"],
};

/** The words of the console: those of the letters API, with finer codes of its own. */
export const consoleEnvelope: Envelope = {
  ...lettersEnvelope,
  name: "Console",
  bodyOf(failure, traceId) {
    const body = lettersEnvelope.bodyOf(failure, traceId) as { error: object };
    return failure.reason === undefined ? body : { ...body, error: { ...body.error, code: failure.reason } };
  },
};

/** What of an error is answered: refusals of `@org/people` in the words of REST, everything else as it is. */
export function inWordsOfRest(error: unknown): unknown {
  if (!(error instanceof PeopleError)) return error;
  if (error.code === "provider_away")
    return new CoreError("UNAVAILABLE", error.message, { cause: error, retryAfterSeconds: PROVIDER_SECONDS });
  const [code, reason] = rows[error.code];
  return consoleRefusal(code, error.message, reason, error);
}

/** When to ask again for an identity provider that was away. */
const PROVIDER_SECONDS = 10;

/** A refusal, with a finer code where there is one. */
export function consoleRefusal(code: RestErrorCode, message: string, reason?: string, cause?: unknown): RestError {
  return new RestError(code, message, {}, { ...(reason !== undefined && { reason }), cause });
}
