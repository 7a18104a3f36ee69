import type { Html } from "@org/pages";
import type { GrantRowView, NoticePageKind, ReviewView, SignInView } from "../page-views.js";

/** Every word of the authorization pages, in one language. */
export interface PageWords {
  /** Before the title of a page with a problem. */
  readonly error: string;
  readonly step: (step: 1 | 2) => string;
  /** What stands for names that are missing or illegible. */
  readonly nameless: Readonly<
    Record<"app" | "application" | "person" | "organisation" | "client" | "place" | "address" | "permission", string>
  >;
  readonly account: {
    readonly person: string;
    readonly credentials: string;
    readonly signedInAs: string;
    readonly ofOrganisation: (person: Html, organisation: Html) => Html;
    readonly somebodyElse: string;
  };
  readonly client: {
    readonly label: string;
    readonly verified: string;
    readonly notVerified: string;
    readonly place: string;
    readonly returnsTo: string;
    readonly anybody: string;
    readonly onThisComputer: string;
    readonly opensLinks: (scheme: Html) => Html;
  };
  readonly signIn: {
    readonly title: string;
    readonly lead: string;
    /** Of the page of grants. */
    readonly ownTitle: string;
    readonly ownLead: string;
    readonly clientId: string;
    readonly clientIdHint: string;
    readonly clientSecret: string;
    readonly enterClientId: string;
    readonly enterClientSecret: string;
    readonly next: string;
    readonly cancel: string;
    readonly asPerson: string;
    readonly asPersonHint: string;
    readonly leaveConsole: string;
    readonly stored: string;
    readonly ownStored: string;
    readonly problems: Readonly<Record<Exclude<NonNullable<SignInView["problem"]>, "too_many_attempts">, string>>;
    /** @param wait for example `in 14 minutes`; null when unknown */
    readonly tooManyAttempts: (wait: string | null) => string;
  };
  readonly review: {
    readonly title: string;
    readonly lead: string;
    readonly useDifferent: string;
    readonly limitedByRole: string;
    readonly unknownScopes: string;
    readonly allowed: string;
    readonly deletion: string;
    readonly deletionHint: string;
    readonly whose: string;
    readonly allClients: string;
    readonly allClientsHint: string;
    readonly someClients: string;
    readonly someClientsHint: string;
    readonly searchClients: string;
    readonly search: string;
    /** How many clients a search found and how many of these are shown. */
    readonly found: (total: number, shown: number) => string;
    readonly approve: string;
    readonly deny: string;
    readonly foot: (address: Html) => Html;
    readonly problems: Readonly<Record<Exclude<NonNullable<ReviewView["problem"]>, "too_many_clients">, string>>;
    readonly tooManyClients: (max: number) => string;
  };
  /** Title and sentence of each permission. */
  readonly permissions: Readonly<Record<string, readonly [title: string, allows: string]>>;
  readonly unknownPermission: string;
  readonly notice: {
    readonly next: string;
    readonly returnToApp: string;
    readonly returnsTo: (address: Html) => Html;
    readonly forDeveloper: string;
    readonly reference: (traceId: Html) => Html;
    readonly kinds: Readonly<
      Record<NoticePageKind, { readonly title: string; readonly text: string; readonly next: string }>
    >;
  };
  readonly grants: {
    readonly title: string;
    readonly ended: string;
    readonly ofTenant: string;
    readonly ofPerson: string;
    readonly ofCredentials: string;
    readonly signOut: string;
    readonly more: string;
    readonly all: string;
    readonly nobody: string;
    readonly nobodyHint: string;
    readonly flows: Readonly<Record<GrantRowView["flow"], string>>;
    readonly times: (count: number) => string;
    readonly each: (app: Html) => Html;
    readonly permissions: string;
    readonly whose: string;
    readonly clientsGone: string;
    readonly onlyOf: (clients: readonly Html[], others: number) => Html;
    readonly since: string;
    readonly lastUsed: string;
    readonly validUntil: string;
    readonly end: (app: Html, count: number) => Html;
  };
}
