/** Why somebody does not get in, or not further. What is wrong with an input is a CoreError, as everywhere. */
export type PeopleErrorCode =
  /** There is no session, or it has ended. */
  | "not_signed_in"
  /** Whatever was shown did not prove who somebody is. Nobody is told what was wrong with it. */
  | "refused"
  /** At the identity provider they went back without signing in, or were not let in for this application (`access_denied`). */
  | "cancelled"
  /** The identity provider does not answer, or its metadata cannot be used. */
  | "provider_away"
  /** The invitation was used, replaced, or is too old. */
  | "invitation_ended"
  /** Signed in, and their role does not allow it. */
  | "not_allowed"
  /** Allowed, once they have proved again who they are. */
  | "confirm_again";

/** A refusal by {@link PeopleErrorCode}. `reason` is for the audit trail and the log, never for the answer. */
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
