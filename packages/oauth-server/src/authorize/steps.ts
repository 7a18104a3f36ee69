import type { OutgoingHttpHeaders } from "node:http";
import { formToken, isFormToken, type PageLanguage } from "@org/pages";
import type { OAuthClient } from "../clients/oauth-client.js";
import { isLoopbackUri } from "../clients/redirect-uri.js";
import type { Answer } from "../http/endpoint.js";
import type { Form } from "../http/read-form.js";
import type { ClientView, PageForm, ReviewView, SignInView } from "../pages/page-views.js";
import { isGrave } from "../pages/permission-words.js";
import { ASSIGNABLE_SCOPES, MCP_SCOPES } from "../scopes.js";
import type { AuthorizeServices } from "./authorize-services.js";
import { type ClientChoice, clientsView } from "./client-choice.js";
import { type Login, loginLabel } from "./login.js";
import { isVerified, PageRefusal, RedirectRefusal } from "./outcomes.js";
import type { PageRequest } from "./page-endpoint.js";
import { maskClientId, newBrowserSecret } from "./remembered-logins.js";
import { type OpenRequest, requestIdOf } from "./request-seal.js";

/** Lifetime of an authorization request (S1 §5.4, §8). */
export const REQUEST_SECONDS = 600;

/** An open request in the browser that started it. */
export interface AuthorizationVisit {
  readonly request: OpenRequest;
  readonly client: OAuthClient;
  /** Value of the cookie that binds the request to this browser. */
  readonly browserSecret: string;
  /** Of the next page. */
  readonly language: PageLanguage;
}

/** What a step shows besides the visit. */
export interface StepFacts {
  readonly status?: number;
  readonly signInProblem?: SignInView["problem"];
  readonly retryAfterSeconds?: number;
  /** Scopes that stay checked on step 2; by default all except destructive ones. */
  readonly chosen?: readonly string[];
  /** What step 2 says of clients; all of them by default. */
  readonly clients?: ClientChoice;
  readonly reviewProblem?: ReviewView["problem"];
  readonly headers?: OutgoingHttpHeaders;
}

/** Name of the cookie of one request, so that two tabs do not overwrite each other's. */
function requestCookie(requestId: string): string {
  return `wc-authorize-${requestId.slice(-12)}`;
}

/** Binds a request to this browser; the cookie goes out with the first page. */
export function beginVisit(
  services: AuthorizeServices,
  { language }: PageRequest,
  request: OpenRequest,
  client: OAuthClient,
) {
  const browserSecret = newBrowserSecret(services.random);
  const cookie = services.cookies.set(requestCookie(request.request_id), browserSecret, REQUEST_SECONDS);
  return { visit: { request, client, browserSecret, language }, cookie };
}

/**
 * Opens the request that a page continues. Throws a `PageRefusal` when it belongs to another browser, was tampered with or has
 * expired.
 */
export async function openVisit(
  services: AuthorizeServices,
  page: PageRequest,
  sealed = "",
): Promise<AuthorizationVisit> {
  const requestId = requestIdOf(sealed);
  const browserSecret = requestId ? services.cookies.read(page.req, requestCookie(requestId)) : undefined;
  // A browser drops the cookie when the request expires; the request's id tells when it started.
  if (requestId && hasExpired(requestId, page.at)) throw new PageRefusal("expired");
  const request = browserSecret ? await services.seal.open(sealed, browserSecret) : null;
  if (!request || !browserSecret) throw new PageRefusal("other_browser");
  page.language = request.language ?? page.language;
  if (request.expires_at <= page.at) throw new PageRefusal("expired");
  const client = await services.directory.find(request.client_id, page);
  if (!client) throw new PageRefusal("unknown_client", "the client was removed");
  return { request, client, browserSecret, language: page.language };
}

/** Does the same for a form, and also checks its token (403 if wrong). */
export async function openForm(
  services: AuthorizeServices,
  page: PageRequest,
  form: Form,
): Promise<AuthorizationVisit> {
  const visit = await openVisit(services, page, form.get("request"));
  if (!isFormToken(form.get("csrf_token"), visit.browserSecret, visit.request.request_id))
    throw new PageRefusal("other_browser");
  return visit;
}

/** Shows step 2 when it is known who decides, otherwise step 1. */
export async function showStep(
  services: AuthorizeServices,
  visit: AuthorizationVisit,
  login: Login | null,
  facts: StepFacts = {},
): Promise<Answer> {
  const html = login ? await review(services, visit, login, facts) : await signIn(services, visit, facts);
  return { status: facts.status ?? 200, html, ...(facts.headers ? { headers: facts.headers } : {}) };
}

/** The scopes that can be allowed: the requested ones that the login has. Throws a `RedirectRefusal` when there are none. */
export function offeredScopes({ request }: AuthorizationVisit, { scopes, person }: Login): readonly string[] {
  const asked = askedScopes(request);
  const offered = ASSIGNABLE_SCOPES.filter((scope) => scopes.includes(scope) && asked.includes(scope));
  if (offered.length > 0) return offered;
  const whose = person ? "the role of the person who signed in" : "the application";
  throw new RedirectRefusal(request, "invalid_scope", `${whose} has none of the requested scopes`);
}

function askedScopes({ scopes }: OpenRequest): readonly string[] {
  return scopes ?? MCP_SCOPES;
}

async function signIn(services: AuthorizeServices, visit: AuthorizationVisit, facts: StepFacts): Promise<string> {
  const form = await formsOf(services, visit, null);
  return services.pages(visit.language).signIn({
    client: clientView(visit),
    form: form("sign-in"),
    people: await peopleView(services, visit, facts, form),
    cancel: form("cancel"),
    problem: facts.signInProblem ?? null,
    retryAfterSeconds: facts.retryAfterSeconds ?? null,
  });
}

/** The sign-in for people, if there are any; for operators, who have nothing to allow, the sign-out. */
async function peopleView(
  services: AuthorizeServices,
  visit: AuthorizationVisit,
  { signInProblem }: StepFacts,
  form: (step: string) => PageForm,
): Promise<SignInView["people"]> {
  if (signInProblem === "operator") return { signOut: form("use-different-credentials") };
  if (!(await services.people?.areThere())) return null;
  return { signIn: await continuePath(services, visit, { as_person: true }) };
}

/** The path where a visit continues with GET. */
export async function continuePath(
  services: AuthorizeServices,
  { request, browserSecret }: AuthorizationVisit,
  as: { readonly as_person?: true } = {},
): Promise<string> {
  const { as_person: _, ...bare } = request;
  const sealed = await services.seal.seal({ ...bare, ...as, shown_application_id: null }, browserSecret);
  return `/authorize/continue?request=${sealed}`;
}

async function review(
  services: AuthorizeServices,
  visit: AuthorizationVisit,
  login: Login,
  facts: StepFacts,
): Promise<string> {
  const form = await formsOf(services, visit, loginLabel(login));
  const offered = offeredScopes(visit, login);
  return services.pages(visit.language).review({
    client: clientView(visit),
    scopes: offered.map((scope) => ({
      scope,
      isChecked: facts.chosen?.includes(scope) ?? !isGrave(scope),
    })),
    clients: await clientsView(services, login, facts.clients),
    maskedClientId: maskClientId(login.application.client_id),
    applicationName: login.application.name,
    person: login.person && {
      name: login.person.name,
      organisation: login.person.tenant?.name ?? "",
      isLimited: offered.length < askedScopes(visit.request).length,
    },
    hasUnknownScopes: visit.request.has_unknown_scopes ?? false,
    form: form("decision"),
    useDifferent: form("use-different-credentials"),
    grantsAddress: `${services.issuer}/grants`,
    problem: facts.reviewProblem ?? null,
  });
}

/** The forms of a page: each carries the whole request, sealed together with the login that the page shows. */
async function formsOf(
  { seal }: AuthorizeServices,
  { request, browserSecret }: AuthorizationVisit,
  shown: string | null,
) {
  const hidden = {
    request: await seal.seal({ ...request, shown_application_id: shown }, browserSecret),
    csrf_token: formToken(browserSecret, request.request_id),
  };
  return (step: string): PageForm => ({ action: `/authorize/${step}`, hidden });
}

function clientView({ client, request }: AuthorizationVisit): ClientView {
  const { protocol, host } = new URL(request.redirect_uri);
  const isWeb = protocol === "https:" || protocol === "http:";
  const returnHost = !isWeb || isLoopbackUri(request.redirect_uri) ? null : host;
  return {
    name: client.client_name,
    isVerified: isVerified(client),
    // Its document proves this host, and nothing else.
    host: client.kind === "metadata_document" ? new URL(client.client_id).host : returnHost,
    scheme: isWeb ? null : protocol.slice(0, -1),
    returnsTo: request.redirect_uri,
  };
}

function hasExpired(requestId: string, at: Date): boolean {
  const begun = Number.parseInt(requestId.replaceAll("-", "").slice(0, 12), 16);
  return begun + REQUEST_SECONDS * 1000 <= at.getTime();
}
