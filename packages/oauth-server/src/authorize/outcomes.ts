import type { OAuthClient } from "../clients/oauth-client.js";
import type { Answer } from "../http/endpoint.js";
import type { OAuthErrorCode } from "../oauth-error.js";
import type { NoticePageKind } from "../pages/page-views.js";

/** Refuses a request with a page, because it is not certain that its client may be answered. */
export class PageRefusal extends Error {
  constructor(
    readonly kind: NoticePageKind,
    /** For the developer of the client; contains nothing of the request. */
    readonly detail: string | null = null,
  ) {
    super(detail ?? kind);
  }
}

/** Where the answer to a client goes. */
export interface ReturnAddress {
  readonly redirect_uri: string;
  readonly state: string | null;
}

/** Refuses a request by redirecting an error to its client (RFC 6749 §4.1.2.1). */
export class RedirectRefusal extends Error {
  constructor(
    readonly to: ReturnAddress,
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Whether an operator vouches for a client, which is so for applications. Any other client has only claimed who it is. */
export function isVerified({ kind }: Pick<OAuthClient, "kind">): boolean {
  return kind === "application";
}

/**
 * Redirects the browser to its client with 303, so that no form is re-posted (RFC 9700 §4.12), and with `iss` (RFC 9207). The
 * redirect_uri is kept as the client wrote it, because clients compare it.
 */
export function returnToClient(
  { redirect_uri, state }: ReturnAddress,
  issuer: string,
  answer: { code: string } | { error: string; error_description: string },
): Answer {
  return { status: 303, headers: { Location: redirectLocation({ redirect_uri, state }, issuer, answer) } };
}

/** The target of {@link returnToClient}, for a link that a person follows. */
export function redirectLocation(
  { redirect_uri, state }: ReturnAddress,
  issuer: string,
  answer: { code: string } | { error: string; error_description: string },
): string {
  const query = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }), iss: issuer });
  const joint = redirect_uri.includes("?") ? "&" : "?";
  return `${redirect_uri}${joint}${query}`;
}
