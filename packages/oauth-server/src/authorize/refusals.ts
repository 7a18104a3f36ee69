import type { OAuthErrorCode } from "../oauth-error.js";
import type { NoticeKind } from "../pages/page-views.js";

/** A request that is answered with a page, because it is not certain that its client may be answered. */
export class PageRefusal extends Error {
  constructor(
    readonly kind: NoticeKind,
    /** For the developer of the client; repeats nothing that was sent. */
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

/** A request that is refused by sending its client an error (RFC 6749 §4.1.2.1). */
export class RedirectRefusal extends Error {
  constructor(
    readonly to: ReturnAddress,
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
  }
}
