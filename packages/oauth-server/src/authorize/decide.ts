import type { Answer } from "../http/endpoint.js";
import type { Form } from "../http/read-form.js";
import type { Approval } from "../ports/authorization-store.js";
import { mintCode } from "../token/authorization-code.js";
import { grantLimit, grantsFull } from "../token/client-credentials-grant.js";
import type { AuthorizeServices } from "./authorize-services.js";
import { chosenClients, clientChoiceOf } from "./client-choice.js";
import { findLogin } from "./find-login.js";
import { type Login, loginLabel, ownerOf } from "./login.js";
import { PageRefusal, returnToClient } from "./outcomes.js";
import type { PageRequest } from "./page-endpoint.js";
import { type AuthorizationVisit, offeredScopes, openForm, showStep } from "./steps.js";

/**
 * Handles Approve and Deny on step 2. The first answer counts: a double click gets the same answer, and a different one changes
 * nothing.
 */
export async function decide(services: AuthorizeServices, page: PageRequest, form: Form): Promise<Answer> {
  const visit = await openForm(services, page, form);
  const login = await findLogin(services, page, visit.request);
  const chosen = form.all("scope").flatMap((value) => value.split(" "));
  const clients = clientChoiceOf(form);
  // Another tab may have signed out or in as another application, so that the page no longer shows what would be allowed.
  if (!login) return showStep(services, visit, null);
  if (loginLabel(login) !== visit.request.shown_application_id)
    return showStep(services, visit, login, { status: 409, chosen, reviewProblem: "other_credentials" });
  const decision = form.get("decision");
  if (decision === "review") return showStep(services, visit, login, { chosen, clients });
  if (decision === "deny") return deny(services, page, visit, login);
  if (decision !== "approve") throw new PageRefusal("bad_request", "decision is neither approve nor deny");

  const offered = offeredScopes(visit, login);
  if (chosen.some((scope) => !offered.includes(scope)))
    throw new PageRefusal("bad_request", "a chosen scope was not offered");
  const again = { status: 400, chosen, clients };
  if (chosen.length === 0) return showStep(services, visit, login, { ...again, reviewProblem: "no_scope" });
  const limit = await chosenClients(services, login, clients);
  if ("problem" in limit) return showStep(services, visit, login, { ...again, reviewProblem: limit.problem });
  const scopes = offered.filter((scope) => chosen.includes(scope));
  return approve(services, page, visit, login, { scopes, ...limit });
}

/** Lifetime of an authorization code from its issue, however old its request is (RFC 6749 §4.1.2: as short as possible). */
const CODE_SECONDS = 60;

async function approve(
  services: AuthorizeServices,
  page: PageRequest,
  visit: AuthorizationVisit,
  login: Login,
  { scopes, client_refs }: Pick<Approval, "scopes" | "client_refs">,
): Promise<Answer> {
  const { request, client, browserSecret } = visit;
  const { application, secret_id, person } = login;
  const limit = grantLimit(services, application.tenant_id);
  if (limit && (await services.grants.countLive(String(application.tenant_id), page.at)) >= limit.exactly)
    throw grantsFull(limit.exactly);
  const approved = { browserSecret, by: loginLabel(login), scopes, client_refs };
  const { code, code_hash } = mintCode(services.hash, request.request_id, approved);
  const { request_id, client_id, redirect_uri, code_challenge, dpop_jkt = null, audience } = request;
  const expires_at = new Date(page.at.getTime() + CODE_SECONDS * 1000);
  const { tenant_id, application_id } = application;
  const answer = await services.codes.answerRequest({
    request_id,
    client_id,
    redirect_uri,
    code_challenge,
    dpop_jkt,
    audience,
    expires_at,
    answered_at: page.at,
    decision: "approved",
    code_hash,
    tenant_id,
    application_id,
    secret_id,
    scopes,
    client_refs,
    person: person && { person_id: person.person_id, session_id: person.session_id, role: person.role },
  });
  if (answer.decision === "not_allowed") {
    services.applications.forget(application.client_id);
    return showStep(services, visit, null);
  }
  if (answer.decision === "denied" || answer.settled) throw new PageRefusal("answered");
  if (answer.first) {
    // How many clients, not which: a reference may be of a person.
    const detail = [...scopes, ...(client_refs === null ? [] : [`clients:${client_refs.length}`])].join(" ");
    page.record({ action: "authorization.approved", ...ownerOf(login), client_id, detail });
    if (client.kind === "registered") await services.clients.markClientUsed(client_id, page.at);
  }
  return returnToClient(request, services.issuer, { code });
}

async function deny(
  services: AuthorizeServices,
  page: PageRequest,
  { request }: AuthorizationVisit,
  login: Login,
): Promise<Answer> {
  const { request_id, client_id, expires_at } = request;
  const denial = { request_id, client_id, expires_at, answered_at: page.at, decision: "denied" } as const;
  const answer = await services.codes.answerRequest(denial);
  if (answer.decision !== "denied") throw new PageRefusal("answered");
  if (answer.first) page.record({ action: "authorization.denied", ...ownerOf(login), client_id });
  return returnToClient(request, services.issuer, { error: "access_denied", error_description: "denied by the user" });
}
