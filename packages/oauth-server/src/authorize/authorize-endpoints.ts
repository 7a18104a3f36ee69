import type { Answer, Endpoint } from "../http/endpoint.js";
import type { Form } from "../http/read-form.js";
import type { OAuthPath } from "../routes.js";
import { uuidV7 } from "../uuid-v7.js";
import { readAuthorizationRequest } from "./authorization-request.js";
import type { AuthorizeServices } from "./authorize-services.js";
import { checkCredentials } from "./check-credentials.js";
import { decide } from "./decide.js";
import { addressOf, isVerified, returnToClient } from "./outcomes.js";
import { type PageRequest, pageEndpoint } from "./page-endpoint.js";
import { ownerOf, REMEMBERED_COOKIE, REMEMBERED_SECONDS } from "./remembered-logins.js";
import { beginVisit, findLogin, openForm, openVisit, REQUEST_SECONDS, showStep, type Visit } from "./steps.js";

/**
 * The authorization page (S1 §5.2–5.4), by path. GET `/authorize` shows step 1, or step 2 to a browser that remembers
 * credentials; every further page is led to by one of its forms, and step 2 is never skipped.
 *
 *     /authorize ──► step 1 ──sign-in──► continue ──► step 2 ──decision──► back to the client
 *                      ▲  └──cancel──► page, or client  │
 *                      └────use-different-credentials───┘
 */
export function authorizeEndpoints(services: AuthorizeServices): Readonly<Record<AuthorizePath, Endpoint>> {
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
  const context = {
    issuer,
    directory,
    from: page,
    request_id: uuidV7(page.at, random),
    expires_at: new Date(page.at.getTime() + REQUEST_SECONDS * 1000),
    hasSignedIn: async () => (await findLogin(services, page)) !== null,
  };
  const { request, client } = await readAuthorizationRequest(queryOf(page), context);
  const { visit, cookie } = beginVisit(services, { ...request, shown_application_id: null }, client);
  return showStep(services, visit, await findLogin(services, page), { headers: { "Set-Cookie": cookie } });
}

async function goOn(services: AuthorizeServices, page: PageRequest): Promise<Answer> {
  const visit = await openVisit(services, page, queryOf(page).get("request") ?? undefined);
  return showStep(services, visit, await findLogin(services, page));
}

/** Checks the credentials of step 1. One generic message for whatever is wrong; the secret is never shown again. */
async function signIn(services: AuthorizeServices, page: PageRequest, form: Form): Promise<Answer> {
  const visit = await openForm(services, page, form);
  const login = await checkCredentials(services, page, form);
  if (login.kind === "cookie") {
    // Leads on by GET, so that neither reloading step 2 nor going back to it posts the secret again.
    return seeOther(await continueAddress(services, visit), {
      "Set-Cookie": services.cookies.set(REMEMBERED_COOKIE, login.cookie, REMEMBERED_SECONDS),
    });
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
  const login = await findLogin(services, page);
  if (login) page.record({ action: "login.ended", ...ownerOf(login) });
  await services.logins.forget(services.cookies.read(page.req, REMEMBERED_COOKIE));
  return seeOther(await continueAddress(services, visit), {
    "Set-Cookie": services.cookies.clear(REMEMBERED_COOKIE),
  });
}

async function cancel(services: AuthorizeServices, page: PageRequest, form: Form): Promise<Answer> {
  const { request, client } = await openForm(services, page, form);
  const { client_id } = request;
  const answer = { error: "access_denied", error_description: "cancelled by the user" };
  const login = await findLogin(services, page);
  // Of nobody in particular, who may do so again and again: it is counted with refusals.
  if (login) page.record({ action: "authorization.denied", ...ownerOf(login), client_id });
  else page.record({ action: "authorization.refused", client_id, detail: answer.error });
  if (isVerified(client) || login) return returnToClient(request, services.issuer, answer);
  const returnTo = { href: addressOf(request, services.issuer, answer), address: request.redirect_uri };
  const html = services.pages.notice({ kind: "cancelled", detail: null, traceId: null, backTo: null, returnTo });
  return { status: 200, html };
}

async function continueAddress({ seal }: AuthorizeServices, { request, browserSecret }: Visit): Promise<string> {
  const sealed = await seal.seal({ ...request, shown_application_id: null }, browserSecret);
  return `/authorize/continue?request=${sealed}`;
}

function seeOther(location: string, headers: Readonly<Record<string, string>>): Answer {
  return { status: 303, headers: { ...headers, Location: location } };
}

function queryOf({ req }: PageRequest): URLSearchParams {
  return new URLSearchParams((req.url ?? "").split("?").slice(1).join("?"));
}
