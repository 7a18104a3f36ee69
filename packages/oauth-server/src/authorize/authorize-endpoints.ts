import { firstLanguage } from "@org/pages";
import type { Answer, OAuthEndpoint } from "../http/endpoint.js";
import type { Form } from "../http/read-form.js";
import type { OAuthPath } from "../routes.js";
import { uuidV7 } from "../uuid.js";
import { readAuthorizationRequest } from "./authorization-request.js";
import type { AuthorizeServices } from "./authorize-services.js";
import { checkCredentials } from "./check-credentials.js";
import { decide } from "./decide.js";
import { findLogin, findPerson } from "./find-login.js";
import { ownerOf } from "./login.js";
import { isVerified, redirectLocation, returnToClient } from "./outcomes.js";
import { type PageRequest, pageEndpoint } from "./page-endpoint.js";
import { REMEMBERED_COOKIE, REMEMBERED_SECONDS } from "./remembered-logins.js";
import { beginVisit, continuePath, openForm, openVisit, REQUEST_SECONDS, showStep } from "./steps.js";

/**
 * The endpoints of the authorization page (S1 §5.2–5.4), by path. GET `/authorize` shows step 1, or step 2 if credentials are
 * remembered for the browser. The forms of a page lead to every further page, and step 2 is never skipped.
 *
 *     /authorize ──► step 1 ──sign-in──► continue ──► step 2 ──decision──► back to the client
 *                      ▲  └──cancel──► page, or client  │     ▲
 *                      ├────use-different-credentials───┼─────┘
 *                      └──as a person──► continue ──► sign-in for people ──► continue ──► step 2
 */
export function authorizeEndpoints(services: AuthorizeServices): Readonly<Record<AuthorizePath, OAuthEndpoint>> {
  const page = (answer: (services: AuthorizeServices, page: PageRequest, form: Form) => Promise<Answer>) =>
    pageEndpoint(services, { backTo: null }, (request, form) => answer(services, request, form));
  return {
    "/authorize": page(begin),
    "/authorize/continue": page(goOn),
    "/authorize/sign-in": page(signIn),
    "/authorize/use-different-credentials": page(useDifferentCredentials),
    "/authorize/cancel": page(cancel),
    "/authorize/decision": page(decide),
  };
}

type AuthorizePath = Extract<OAuthPath, `/authorize${string}`>;

async function begin(services: AuthorizeServices, page: PageRequest): Promise<Answer> {
  const { issuer, directory, random } = services;
  const query = queryOf(page);
  // OpenID Connect Core 3.1.2.1: the most preferred language comes first, and unknown ones are no error.
  const language = firstLanguage((query.get("ui_locales") ?? "").split(" "));
  page.language = language ?? page.language;
  const context = {
    issuer,
    directory,
    from: page,
    request_id: uuidV7(page.at, random),
    expires_at: new Date(page.at.getTime() + REQUEST_SECONDS * 1000),
    hasSignedIn: async () => (await findLogin(services, page)) !== null,
  };
  const { request, client } = await readAuthorizationRequest(query, context);
  const opened = { ...request, shown_application_id: null, ...(language && { language }) };
  const { visit, cookie } = beginVisit(services, page, opened, client);
  return showStep(services, visit, await findLogin(services, page), { headers: { "Set-Cookie": cookie } });
}

async function goOn(services: AuthorizeServices, page: PageRequest): Promise<Answer> {
  const query = queryOf(page);
  const visit = await openVisit(services, page, query.get("request") ?? undefined);
  const login = await findLogin(services, page, visit.request);
  if (login || !visit.request.as_person || !services.people) return showStep(services, visit, login);
  const person = await findPerson(services, page);
  if (person && person.tenant === null)
    return showStep(services, visit, null, { status: 403, signInProblem: "operator" });
  // A person who returns without having signed in chooses again.
  if (person || query.has("back")) return showStep(services, visit, null);
  return seeOther(services.people.signInPath(query.get("request")));
}

/** Checks the credentials of step 1. All faults get the same generic message, and the secret is never shown again. */
async function signIn(services: AuthorizeServices, page: PageRequest, form: Form): Promise<Answer> {
  const visit = await openForm(services, page, form);
  const login = await checkCredentials(services, page, form);
  if (login.kind === "cookie") {
    // Redirects with GET, so that reloading step 2 or going back to it does not post the secret again.
    return seeOther(await continuePath(services, visit), [
      services.cookies.set(REMEMBERED_COOKIE, login.cookie, REMEMBERED_SECONDS),
    ]);
  }
  const { problem, status, retryAfterSeconds } = login;
  const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  const facts = {
    status,
    headers,
    signInProblem: problem,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return showStep(services, visit, null, facts);
}

async function useDifferentCredentials(services: AuthorizeServices, page: PageRequest, form: Form): Promise<Answer> {
  const visit = await openForm(services, page, form);
  const next = await continuePath(services, visit);
  if (visit.request.as_person) return seeOther(next, (await services.people?.signOut(page.req)) ?? []);
  const login = await findLogin(services, page);
  if (login) page.record({ action: "login.ended", ...ownerOf(login) });
  await services.logins.forget(services.cookies.read(page.req, REMEMBERED_COOKIE), page);
  return seeOther(next, [services.cookies.clear(REMEMBERED_COOKIE)]);
}

async function cancel(services: AuthorizeServices, page: PageRequest, form: Form): Promise<Answer> {
  const { request, client } = await openForm(services, page, form);
  const { client_id } = request;
  const answer = { error: "access_denied", error_description: "cancelled by the user" };
  const login = await findLogin(services, page, request);
  // Nobody has signed in, and anyone can repeat this: it counts as a refusal.
  if (login) page.record({ action: "authorization.denied", ...ownerOf(login), client_id });
  else page.record({ action: "authorization.refused", client_id, detail: answer.error });
  if (isVerified(client) || login) return returnToClient(request, services.issuer, answer);
  const returnTo = { href: redirectLocation(request, services.issuer, answer), address: request.redirect_uri };
  const view = { kind: "cancelled", detail: null, traceId: null, backTo: null, returnTo } as const;
  return { status: 200, html: services.pages(page.language).notice(view) };
}

function seeOther(location: string, cookies: readonly string[] = []): Answer {
  return { status: 303, headers: { Location: location, ...(cookies.length > 0 && { "Set-Cookie": [...cookies] }) } };
}

function queryOf({ req }: PageRequest): URLSearchParams {
  return new URLSearchParams((req.url ?? "").split("?").slice(1).join("?"));
}
