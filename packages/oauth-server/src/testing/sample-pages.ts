import type { AuthorizationPages, ClientView, GrantRowView, PageForm, SignInView } from "../pages/page-views.js";
import { TENANT_SCOPES } from "../scopes.js";

/**
 * Every state of the authorization pages, by name, for testing and viewing custom pages. `hostile` contains what attackers may
 * write into the names that they choose.
 */
export const samplePages: Readonly<Record<string, (pages: AuthorizationPages) => string>> = {
  "sign-in": ({ signIn }) => signIn(signInView),
  "sign-in-missing": ({ signIn }) => signIn({ ...signInView, problem: "missing" }),
  "sign-in-wrong": ({ signIn }) => signIn({ ...signInView, problem: "wrong_credentials" }),
  "sign-in-too-many": ({ signIn }) => signIn({ ...signInView, problem: "too_many_attempts", retryAfterSeconds: 840 }),
  "sign-in-for-grants": ({ signIn }) => signIn({ ...signInView, client: null, cancel: null }),
  "sign-in-people": ({ signIn }) => signIn({ ...signInView, people: { signIn: "/authorize/continue?request=sealed" } }),
  "sign-in-operator": ({ signIn }) =>
    signIn({ ...signInView, problem: "operator", people: { signOut: form("/authorize/use-different-credentials") } }),
  review: ({ review }) => review(reviewView),
  "review-person": ({ review }) => review({ ...reviewView, person: { ...ada, isLimited: true } }),
  "review-unknown-scopes": ({ review }) => review({ ...reviewView, hasUnknownScopes: true }),
  "review-no-scope": ({ review }) =>
    review({ ...reviewView, problem: "no_scope", scopes: TENANT_SCOPES.map((scope) => ({ scope, isChecked: false })) }),
  "review-clients": ({ review }) =>
    review({ ...reviewView, clients: { isLimited: false, items: clients, search: null } }),
  "review-some-clients": ({ review }) =>
    review({
      ...reviewView,
      clients: { isLimited: true, items: clients, search: { text: "", total: 1_204, shown: 3 } },
      problem: "no_client",
    }),
  "review-one-client": ({ review }) =>
    review({ ...reviewView, clients: { isLimited: true, items: clients.slice(0, 1), search: null } }),
  "review-many-clients": ({ review }) =>
    review({
      ...reviewView,
      clients: { isLimited: true, items: manyClients, search: { text: "", total: 12_040, shown: 20 } },
      problem: "too_many_clients",
    }),
  "review-verified": ({ review }) =>
    review({ ...reviewView, client: verified, scopes: [{ scope: "investments:read", isChecked: true }] }),
  "review-private-use-scheme": ({ review }) => review({ ...reviewView, client: editor }),
  "review-hostile": ({ review }) =>
    review({
      ...reviewView,
      client: hostile,
      applicationName: hostileName,
      scopes: [{ scope: `unknown:${"x".repeat(300)}`, isChecked: true }, ...reviewView.scopes],
      clients: {
        isLimited: true,
        items: [{ client_ref: "x".repeat(80), name: hostileName, isChecked: true }],
        search: { text: "Meier", total: 0, shown: 0 },
      },
    }),
  "notice-bad-request": ({ notice }) =>
    notice({ kind: "bad_request", detail: "code_challenge_method must be S256", traceId, backTo: null }),
  "notice-unknown-client": ({ notice }) => notice({ kind: "unknown_client", detail: null, traceId, backTo: null }),
  "notice-client-unreachable": ({ notice }) =>
    notice({ kind: "client_unreachable", detail: null, traceId, backTo: null }),
  "notice-bad-redirect": ({ notice }) => notice({ kind: "bad_redirect", detail: null, traceId, backTo: null }),
  "notice-expired": ({ notice }) => notice({ kind: "expired", detail: null, traceId, backTo: null }),
  "notice-answered": ({ notice }) => notice({ kind: "answered", detail: null, traceId: null, backTo: null }),
  "notice-other-browser": ({ notice }) => notice({ kind: "other_browser", detail: null, traceId, backTo: null }),
  "review-other-credentials": ({ review }) => review({ ...reviewView, problem: "other_credentials" }),
  "notice-of-grants": ({ notice }) => notice({ kind: "other_browser", detail: null, traceId, backTo: "/grants" }),
  "notice-cancelled": ({ notice }) =>
    notice({ kind: "cancelled", detail: null, traceId: null, backTo: null, returnTo }),
  "notice-too-large": ({ notice }) => notice({ kind: "too_large", detail: null, traceId, backTo: null }),
  "notice-busy": ({ notice }) => notice({ kind: "busy", detail: null, traceId, backTo: null }),
  "notice-defect": ({ notice }) => notice({ kind: "defect", detail: null, traceId, backTo: null }),
  grants: ({ grants }) => grants(grantsView),
  "grants-ended": ({ grants }) => grants({ ...grantsView, hasEndedOne: true, next: "/grants?after=2" }),
  "grants-limited": ({ grants }) =>
    grants({
      ...grantsView,
      grants: [
        { ...grant, clients: ["Meier", "M-18", "M-19", "M-20", "M-21", "M-22", "M-23"] },
        { ...grant, clients: [] },
        { ...grant, clients: [hostileName] },
      ],
    }),
  "grants-of-tenant": ({ grants }) => grants({ ...grantsView, showsWholeTenant: true }),
  "grants-of-person": ({ grants }) =>
    grants({ ...grantsView, person: ada, grants: [{ ...grant, personName: ada.name }] }),
  "grants-of-one-client": ({ grants }) => grants({ ...grantsView, grants: [grant, grant], back: "/grants" }),
  "grants-empty": ({ grants }) => grants({ ...grantsView, grants: [] }),
  "grants-hostile": ({ grants }) => grants({ ...grantsView, grants: [{ ...grant, clientName: hostileName }] }),
};

const clients = [
  { client_ref: "M-17", name: "Meier", isChecked: true },
  { client_ref: "M-18", name: "Stiftung Morgenrot", isChecked: false },
  { client_ref: "M-19", name: null, isChecked: false },
];
const surnames = ["Meier", "Stiftung Morgenrot", "Familie von der Heyden-Wittgenstein und Partner", "García", "Okafor"];
/** The chosen ones first, as many as there may be. */
const manyClients = Array.from({ length: 70 }, (_, index) => ({
  client_ref: `M-${1000 + index}`,
  name: index % 7 === 6 ? null : `${surnames[index % 5]} ${index + 1}`,
  isChecked: index < 50,
}));
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const hostileName = `\u202ednuf\u202c <img src=x onerror="alert(1)"> '"> ${"Wealth Connect Support ".repeat(12)}`;

const form = (action: string): PageForm => ({ action, hidden: { request: "sealed", csrf_token: "token" } });

const returnTo = {
  href: "http://127.0.0.1:33418/oauth/callback?error=access_denied",
  address: "http://127.0.0.1:33418/oauth/callback",
};

const local: ClientView = {
  name: "Claude",
  isVerified: false,
  host: null,
  scheme: null,
  returnsTo: "http://127.0.0.1:33418/oauth/callback",
};
const editor: ClientView = {
  name: "Cursor",
  isVerified: false,
  host: null,
  scheme: "cursor",
  returnsTo: "cursor://anysphere.cursor-mcp/oauth/callback",
};
const verified: ClientView = {
  name: "Reporting Suite",
  isVerified: true,
  host: "reports.example.com",
  scheme: null,
  returnsTo: "https://reports.example.com/connect/return",
};
const hostile: ClientView = {
  name: hostileName,
  isVerified: false,
  host: `${"login.bank.example.".repeat(12)}evil.example`,
  scheme: null,
  returnsTo: `https://bank.example@${"login.bank.example.".repeat(12)}evil.example/${"a".repeat(300)}?q="><script>`,
};

const ada = { name: "Ada Lovelace", organisation: "Family office", isLimited: false };
const signInView: SignInView = {
  client: local,
  form: form("/authorize/sign-in"),
  people: null,
  cancel: form("/authorize/cancel"),
  problem: null,
  retryAfterSeconds: null,
};
const reviewView = {
  grantsAddress: "https://connect.example/grants",
  client: local,
  scopes: TENANT_SCOPES.map((scope) => ({ scope, isChecked: scope !== "connections:delete" })),
  maskedClientId: "wca_••••••••3f9a",
  applicationName: "Family office",
  person: null,
  form: form("/authorize/decision"),
  useDifferent: form("/authorize/use-different-credentials"),
  problem: null,
};
const grant: GrantRowView = {
  clientName: "Claude",
  isVerified: false,
  applicationName: "Family office",
  personName: null,
  flow: "browser",
  count: 1,
  each: null,
  scopes: TENANT_SCOPES,
  createdAt: new Date("2026-02-02T08:30:00Z"),
  lastIssuedAt: new Date("2026-03-01T17:05:00Z"),
  expiresAt: new Date("2026-03-31T17:05:00Z"),
  end: form("/grants/end"),
};
const grantsView = {
  tenantApplicationName: "Family office",
  showsWholeTenant: false,
  maskedClientId: "wca_••••••••3f9a",
  person: null,
  grants: [
    grant,
    {
      ...grant,
      clientName: "Nightly report",
      isVerified: true,
      flow: "machine" as const,
      count: 26,
      each: "/grants?application=wca_1&client=wca_1",
      scopes: ["connections:read", "investments:read"],
      expiresAt: new Date("2026-03-02T17:05:00Z"),
    },
  ],
  signOut: form("/grants/sign-out"),
  hasEndedOne: false,
  next: null,
  back: null,
};
