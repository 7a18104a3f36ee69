import { CoreError } from "@org/core";
import { PeopleError, type PeopleErrorCode } from "@org/people";
import { type Envelope, lettersEnvelope, RestError, type RestErrorCode } from "@org/rest-api";

/** How each error of `@org/people` is answered. The second entry is the code in the body, where it is finer than REST's. */
const rows: Readonly<Record<Exclude<PeopleErrorCode, "provider_away">, readonly [RestErrorCode, string?]>> = {
  not_signed_in: ["UNAUTHENTICATED"],
  refused: ["UNAUTHORIZED", "REFUSED"],
  cancelled: ["UNAUTHORIZED", "CANCELLED"],
  invitation_ended: ["UNAUTHORIZED", "INVITATION_ENDED"],
  not_allowed: ["UNAUTHORIZED"],
  confirm_again: ["UNAUTHORIZED", "CONFIRM_AGAIN"],
};

/** Error format of the console: the letters API's, with finer codes. */
export const consoleEnvelope: Envelope = {
  ...lettersEnvelope,
  name: "Console",
  bodyOf(failure, traceId) {
    const body = lettersEnvelope.bodyOf(failure, traceId) as { error: object };
    return failure.reason === undefined ? body : { ...body, error: { ...body.error, code: failure.reason } };
  },
};

/** Converts errors of `@org/people` to REST errors. Other errors are returned as they are. */
export function inWordsOfRest(error: unknown): unknown {
  if (!(error instanceof PeopleError)) return error;
  if (error.code === "provider_away")
    return new CoreError("UNAVAILABLE", error.message, { cause: error, retryAfterSeconds: PROVIDER_SECONDS });
  const [code, reason] = rows[error.code];
  return consoleRefusal(code, error.message, reason, error);
}

/** `Retry-After` when an identity provider is unavailable. */
const PROVIDER_SECONDS = 10;

/** Makes a REST error, with a finer code where there is one. */
export function consoleRefusal(code: RestErrorCode, message: string, reason?: string, cause?: unknown): RestError {
  return new RestError(code, message, {}, { ...(reason !== undefined && { reason }), cause });
}
