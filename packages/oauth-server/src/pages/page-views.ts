import type { GrantedClient } from "../ports/granted-clients.js";

/** A form of a page: its target and its hidden fields. */
export interface PageForm {
  /** Path on this server. */
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The requesting client, as far as a person can judge it. */
export interface ClientView {
  /** The name it gives itself; null when it gave none. */
  readonly name: string | null;
  /** Whether the operator created it; otherwise the name is unverified. */
  readonly isVerified: boolean;
  /**
   * Where it is on the web: the host of a client_id that is a URL, which is all that is proven of such a client; otherwise the
   * host of the redirect URI. Null when it is not on the web.
   */
  readonly host: string | null;
  /**
   * The private-use scheme of its redirect URI, for example `cursor`. With neither host nor scheme the browser returns to an
   * app on this computer.
   */
  readonly scheme: string | null;
  /** The full redirect URI. */
  readonly returnsTo: string;
}

/** Step 1: enter the client_id and client_secret of an application. */
export interface SignInView {
  /** Null on the grants page, which no client requested. */
  readonly client: ClientView | null;
  /** Posts `client_id` and `client_secret`. */
  readonly form: PageForm;
  /**
   * The alternative sign-in as a person of one's own organisation. `signIn` is a link to it; `signOut` ends an operator's
   * session, with which nothing can be allowed. Null when people cannot sign in.
   */
  readonly people: { readonly signIn: string } | { readonly signOut: PageForm } | null;
  /** Returns to the client with an error; null when no client waits. */
  readonly cancel: PageForm | null;
  /** operator: the signed-in person runs this installation and has no data of their own. */
  readonly problem: "missing" | "wrong_credentials" | "too_many_attempts" | "operator" | null;
  /** With `too_many_attempts`: seconds until the next attempt. */
  readonly retryAfterSeconds: number | null;
}

/** Step 2: choose what is allowed. */
export interface ReviewView {
  readonly client: ClientView;
  /** In display order, with the initial state of each checkbox. */
  readonly scopes: readonly { readonly scope: string; readonly isChecked: boolean }[];
  /** The clients that the access may be limited to; null when there are none to choose from. */
  readonly clients?: ClientsView | null;
  /** Masked client_id of the application whose data is at stake, for example `wca_••••••••3f9a`. */
  readonly maskedClientId: string;
  readonly applicationName: string;
  /** The person who decides; null when credentials were used. */
  readonly person: SignedInPersonView | null;
  /** Whether the client also requested permissions that do not exist here and are left out. */
  readonly hasUnknownScopes?: boolean;
  /**
   * Posts `scope` (repeated), `clients` = `all` or `some`, `client_ref` (repeated), `client_search`, and `decision` = `approve`, `deny`, or
   * `review`, which shows the page again with the current choice and what the search finds.
   */
  readonly form: PageForm;
  /** Posts no further fields. It forgets the credentials, or ends the session of the person, and returns to step 1. */
  readonly useDifferent: PageForm;
  /**
   * Full URL of the page where the person can see and end grants. It is shown as text, not as a link, so that nobody leaves
   * this page.
   */
  readonly grantsAddress: string;
  /**
   * no_scope: nothing was chosen. no_client: only some clients, but none was chosen. client_gone: a chosen client is none of this login's, or no
   * longer. other_credentials: another tab of the browser has signed in differently since the page was shown.
   */
  readonly problem: "no_scope" | "no_client" | "too_many_clients" | "client_gone" | "other_credentials" | null;
}

/** The clients on step 2. */
export interface ClientsView {
  /** Whether only the checked ones are allowed. */
  readonly isLimited: boolean;
  readonly items: readonly (GrantedClient & { readonly isChecked: boolean })[];
  /** What was searched for, how many match, and how many of these are shown; null when all are shown. */
  readonly search: { readonly text: string; readonly total: number; readonly shown: number } | null;
}

/** A signed-in person, as the pages name them. */
export interface SignedInPersonView {
  readonly name: string;
  readonly organisation: string;
  /** Whether their role allows less than the client requested. */
  readonly isLimited: boolean;
}

/** A page that explains what happened and how to continue. */
export interface NoticeView {
  readonly kind: NoticePageKind;
  /** What exactly is wrong with the request, as plain text for the developer of the client. */
  readonly detail: string | null;
  /** Trace id of the related log lines. */
  readonly traceId: string | null;
  /** Path on this server where to continue; null when the person must return to the app. */
  readonly backTo: string | null;
  /** Link back to an unverified client, for the person to follow or not. `address` is its target as displayed. */
  readonly returnTo?: { readonly href: string; readonly address: string };
  /** Where and when the browser reloads automatically; without it the page stays. */
  readonly again?: { readonly seconds: number; readonly path: string } | null;
}

export type NoticePageKind =
  | "bad_request"
  | "unknown_client"
  | "client_unreachable"
  | "bad_redirect"
  | "expired"
  | "answered"
  | "other_browser"
  | "cancelled"
  | "too_large"
  | "busy"
  | "away"
  | "defect";

/** The grants of an application, or of all applications of its tenant. */
export interface GrantsView {
  readonly tenantApplicationName: string;
  /** Whether the grants of all the tenant's applications are shown, or only this one's. */
  readonly showsWholeTenant: boolean;
  readonly maskedClientId: string;
  /** The signed-in person; null when credentials were used. */
  readonly person: SignedInPersonView | null;
  readonly grants: readonly GrantRowView[];
  /** Forgets the credentials in this browser, or ends the session of the person. */
  readonly signOut: PageForm;
  /** Whether a grant has just been ended. */
  readonly hasEndedOne: boolean;
  /** Link to the next page; null on the last. */
  readonly next: string | null;
  /** Link back to all clients when the grants of one are shown, otherwise null. */
  readonly back: string | null;
}

/** What one client holds through an application: one grant, or several that are shown and ended together. */
export interface GrantRowView {
  readonly clientName: string;
  /** Whether the client is an application that the operator created; otherwise its name is unverified. */
  readonly isVerified: boolean;
  readonly applicationName: string;
  /** Name of the person who approved it; null when an application's credentials did. */
  readonly personName: string | null;
  /**
   * browser: a person allowed it on this server's page. machine: a program obtained it with a secret. asserted: an identity
   * provider vouched for a person.
   */
  readonly flow: "browser" | "machine" | "asserted";
  /** How many grants there are. */
  readonly count: number;
  /** Link to a page that lists them individually; null when there is only one. */
  readonly each: string | null;
  readonly scopes: readonly string[];
  /** The names of the clients that it is limited to; null = no limit. */
  readonly clients?: readonly string[] | null;
  readonly createdAt: Date;
  readonly lastIssuedAt: Date;
  readonly expiresAt: Date;
  /** Ends all of them. */
  readonly end: PageForm;
}

/** The pages that people see; each method returns a complete HTML document. They replace the built-in pages as a whole. */
export interface AuthorizationPages {
  signIn(view: SignInView): string;
  review(view: ReviewView): string;
  notice(view: NoticeView): string;
  grants(view: GrantsView): string;
  /** Source expressions for `style-src` and `img-src` of the pages' Content-Security-Policy; scripts are never allowed. */
  readonly contentSources: { readonly style: string; readonly image?: string };
}
