/** A form of a page: where it posts to, and the hidden fields that go with it. */
export interface PageForm {
  /** Path on this server. */
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The client that asks, as far as a person can judge it. */
export interface ClientView {
  /** As it calls itself; null when it gave no name. */
  readonly name: string | null;
  /** Whether the operator made it; otherwise the name is anybody's claim. */
  readonly isVerified: boolean;
  /**
   * Where it is on the web: the host of a client_id that is an address, which is all that is proven of such a client; otherwise
   * the host that control returns to. Null when it is not on the web.
   */
  readonly host: string | null;
  /**
   * Scheme of the links that control returns by, for example `cursor`, when it is a private-use one. With neither host nor
   * scheme control returns to an app on this computer.
   */
  readonly scheme: string | null;
  /** The address that control returns to, in full. */
  readonly returnsTo: string;
}

/** Step 1: client_id and client_secret of an application. */
export interface SignInView {
  /** Null on the page that shows grants, which no client asked for. */
  readonly client: ClientView | null;
  /** Posts `client_id` and `client_secret`. */
  readonly form: PageForm;
  /**
   * The other way to sign in: as a person of one's own organisation. `signIn` is a link that leads to it, `signOut` forgets an operator's
   * session, with which nothing can be allowed. Null where nobody signs in as a person.
   */
  readonly people: { readonly signIn: string } | { readonly signOut: PageForm } | null;
  /** Leads back to the client without an answer; null where nobody waits. */
  readonly cancel: PageForm | null;
  /** operator: whoever signed in as a person runs this installation, and has no data of their own. */
  readonly problem: "missing" | "wrong_credentials" | "too_many_attempts" | "operator" | null;
  /** With `too_many_attempts`: in how many seconds to try again. */
  readonly retryAfterSeconds: number | null;
}

/** Step 2: what is allowed. */
export interface ReviewView {
  readonly client: ClientView;
  /** In the order to show; checked as they are to be shown. */
  readonly scopes: readonly { readonly scope: string; readonly isChecked: boolean }[];
  /** Of the application whose data is at stake, for example `wca_••••••••3f9a`. */
  readonly maskedClientId: string;
  readonly applicationName: string;
  /** Who decides, where that is a person rather than whoever has the credentials. */
  readonly person: SignedInPersonView | null;
  /** Posts `scope` (repeated) and `decision` = `approve`, `deny`, or `review`, which shows the page again with what is chosen. */
  readonly form: PageForm;
  /** Posts nothing more; forgets the credentials, or the session of the person, and returns to step 1. */
  readonly useDifferent: PageForm;
  /** Where the person can see and end what was allowed, in full: it is shown, not linked, so that nobody leaves by it. */
  readonly grantsAddress: string;
  /** no_scope: nothing was chosen. other_credentials: another tab of the browser has signed in otherwise since the page was shown. */
  readonly problem: "no_scope" | "other_credentials" | null;
}

/** A person who has signed in, as the pages name them. */
export interface SignedInPersonView {
  readonly name: string;
  readonly organisation: string;
  /** Whether they may allow less than was asked for. */
  readonly isLimited: boolean;
}

/** A page without a form: what is the matter and how to go on. */
export interface NoticeView {
  readonly kind: NoticePageKind;
  /** What exactly is wrong with the request, for the developer of the client; plain text. */
  readonly detail: string | null;
  /** Of the log lines that belong to it. */
  readonly traceId: string | null;
  /** Where a page of this server goes on; null when the person has to go back to the app. */
  readonly backTo: string | null;
  /**
   * The way back to a client that nobody has verified: a link, for the person to follow or not. `address` is where it leads, as
   * it is to be shown.
   */
  readonly returnTo?: { readonly href: string; readonly address: string };
  /** Where the browser goes by itself, and when; left out, nowhere. */
  readonly again?: { readonly seconds: number; readonly path: string } | null;
}

export type NoticePageKind =
  | "bad_request"
  | "unknown_client"
  | "bad_redirect"
  | "expired"
  | "answered"
  | "other_browser"
  | "cancelled"
  | "too_large"
  | "busy"
  | "away"
  | "defect";

/** The grants of an application, or of all its tenant's. */
export interface GrantsView {
  readonly tenantApplicationName: string;
  /** Whether those of all the tenant's applications are shown, or this one's only. */
  readonly showsWholeTenant: boolean;
  readonly maskedClientId: string;
  /** Who has signed in, where that is a person. */
  readonly person: SignedInPersonView | null;
  readonly grants: readonly GrantRowView[];
  /** Forgets the credentials on this browser, or ends the session of the person. */
  readonly signOut: PageForm;
  /** Right after one was ended. */
  readonly hasEndedOne: boolean;
  /** Link to the following page; null on the last. */
  readonly next: string | null;
  /** Link back to all clients, where the grants of one are shown; null where all are. */
  readonly back: string | null;
}

/** What one client holds through an application: one grant, or several that are shown and ended together. */
export interface GrantRowView {
  readonly clientName: string;
  /** Whether the client is an application of the operator's making; otherwise its name is its own claim. */
  readonly isVerified: boolean;
  readonly applicationName: string;
  /** Name of the person of the organisation who approved it; null for what credentials stand for. */
  readonly personName: string | null;
  /** browser: a person allowed it on this server's page. machine: a program got it with a secret. asserted: an identity provider vouched for a person. */
  readonly flow: "browser" | "machine" | "asserted";
  /** How many grants there are. */
  readonly count: number;
  /** Link to a page that shows each by itself; null for a single one. */
  readonly each: string | null;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly lastIssuedAt: Date;
  readonly expiresAt: Date;
  /** Ends all of them. */
  readonly end: PageForm;
}

/** The pages that people see; each answers a whole HTML document. They replace the built-in ones as a whole. */
export interface AuthorizationPages {
  signIn(view: SignInView): string;
  review(view: ReviewView): string;
  notice(view: NoticeView): string;
  grants(view: GrantsView): string;
  /** Source expressions for `style-src` and `img-src` of the pages' Content-Security-Policy; scripts are never allowed. */
  readonly contentSources: { readonly style: string; readonly image?: string };
}
