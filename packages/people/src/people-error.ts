/** Why a person is refused. Invalid input is a CoreError, as everywhere. */
export type PeopleErrorCode =
  /** There is no session, or it has ended. */
  | "not_signed_in"
  /** What was presented did not prove a person's identity. The caller does not learn what was wrong. */
  | "refused"
  /** The person left the identity provider without signing in, or it denied them this application (`access_denied`). */
  | "cancelled"
  /** The identity provider does not answer, or its metadata are invalid. */
  | "provider_away"
  /** The invitation was used or replaced, or has expired. */
  | "invitation_ended"
  /** Signed in, but their role does not allow it. */
  | "not_allowed"
  /** Allowed, after they confirm their identity again. */
  | "confirm_again";

/** A refusal with a {@link PeopleErrorCode}. `reason` is for the audit trail and the log, never for the response. */
export class PeopleError extends Error {
  override readonly name = "PeopleError";

  constructor(
    readonly code: PeopleErrorCode,
    readonly reason: string,
    options: { readonly cause?: unknown } = {},
  ) {
    super(words[code], options);
  }
}

const words: Readonly<Record<PeopleErrorCode, string>> = {
  not_signed_in: "sign in first",
  refused: "this did not sign you in: try again",
  cancelled: "the identity provider has signed nobody in: try again, or go back",
  provider_away: "the identity provider cannot be reached at the moment: try again later, or sign in with a passkey",
  invitation_ended: "this invitation was used, replaced or is too old: ask for another",
  not_allowed: "your role does not allow this",
  confirm_again: "confirm first that it is you",
};
