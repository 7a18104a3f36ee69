import { formToken, isFormToken } from "@org/pages";
import { subjectOf } from "../audit.js";
import type { AuthorizeServices } from "../authorize/authorize-services.js";
import { checkCredentials } from "../authorize/check-credentials.js";
import { findLogin, findPerson } from "../authorize/find-login.js";
import { type Login, ownerOf } from "../authorize/login.js";
import { PageRefusal } from "../authorize/outcomes.js";
import { type PageRequest, pageEndpoint } from "../authorize/page-endpoint.js";
import {
  maskClientId,
  newBrowserSecret,
  REMEMBERED_COOKIE,
  REMEMBERED_SECONDS,
} from "../authorize/remembered-logins.js";
import type { Answer, OAuthEndpoint } from "../http/endpoint.js";
import type { Form } from "../http/read-form.js";
import type { GrantRowView, SignInView } from "../pages/page-views.js";
import {
  type GrantsReach,
  holderEnded,
  type NamedGrant,
  type NamedHolder,
  reachOf,
  type TenantGrants,
} from "./tenant-grants.js";

/**
 * `/grants`: the page that shows which clients have access, and ends it. Credentials show the clients of their application. A
 * person sees the grants they approved themselves, or all of their tenant if they administer it.
 */
export function grantsPages(
  services: AuthorizeServices,
  tenantGrants: TenantGrants,
): Readonly<Record<"/grants" | "/grants/sign-in" | "/grants/end" | "/grants/sign-out", OAuthEndpoint>> {
  const signedIn = async (page: PageRequest) => {
    const cookie = services.cookies.read(page.req, REMEMBERED_COOKIE);
    const login = (await findLogin(services, page)) ?? (await findLogin(services, page, { as_person: true }));
    const secret = login?.person ? login.person.cookie : cookie;
    return login && secret !== undefined ? { login, cookie: secret } : null;
  };
  const signedInByForm = async (page: PageRequest, form: Form) => {
    const found = await signedIn(page);
    if (!found || !isFormToken(form.get("csrf_token"), found.cookie, FORM)) throw new PageRefusal("other_browser");
    return found;
  };

  const show = async (page: PageRequest, login: Login, cookie: string): Promise<Answer> => {
    const query = new URLSearchParams((page.req.url ?? "").split("?")[1]);
    const { name, client_id } = login.application;
    const reach = reachOfLogin(login);
    const hidden = { csrf_token: formToken(cookie, FORM) };
    const found = await rowsOf(query, { ...reach, at: page.at }, hidden);
    return {
      status: 200,
      html: services.pages(page.language).grants({
        tenantApplicationName: name,
        showsWholeTenant: reach.application_id === null && reach.person_id === undefined,
        maskedClientId: maskClientId(client_id),
        person: login.person && {
          name: login.person.name,
          organisation: login.person.tenant?.name ?? "",
          isLimited: false,
        },
        grants: found.rows,
        signOut: { action: "/grants/sign-out", hidden },
        // Only the redirect of this page's own form knows the token; a link from elsewhere cannot claim that something has ended.
        hasEndedOne: isFormToken(query.get("ended"), cookie, ENDED),
        next: found.next,
        back: found.back,
      }),
    };
  };

  /** Rows for all clients, or for each grant of the client in the query. */
  const rowsOf = async (
    query: URLSearchParams,
    whose: GrantsReach & { readonly at: Date },
    hidden: Readonly<Record<string, string>>,
  ) => {
    const after = query.get("after");
    const [application, client] = [query.get("application"), query.get("client")];
    const person = query.get("person") ?? undefined;
    const part = { ...whose, ...(after !== null && { after }), limit: PAGE_SIZE };
    if (application === null || client === null) {
      const { holders, next } = await tenantGrants.listHolders(part);
      return {
        rows: holders.map((held) => holderRow(held, hidden)),
        next: next && addressOf({ after: next }),
        back: null,
      };
    }
    const { grants, next } = await tenantGrants.list({ ...part, application, client, person });
    const further = next && addressOf({ application, client, ...(person && { person }), after: next });
    return { rows: grants.map((grant) => grantRow(grant, hidden)), next: further, back: "/grants" };
  };

  return {
    "/grants": pageEndpoint(services, PAGE, async (page) => {
      const found = await signedIn(page);
      if (found) return show(page, found.login, found.cookie);
      // Tells an operator who returns from signing in why they see nothing.
      const isOperators = (await findPerson(services, page))?.tenant === null && (await services.people?.areThere());
      return signInPage(services, page, isOperators ? { problem: "operator" } : {});
    }),
    "/grants/sign-in": pageEndpoint(services, PAGE, async (page, form) => {
      const secret = services.cookies.read(page.req, FORM_COOKIE);
      if (!secret || !isFormToken(form.get("csrf_token"), secret, SIGN_IN_FORM)) throw new PageRefusal("other_browser");
      const login = await checkCredentials(services, page, form);
      if (login.kind === "problem") return signInPage(services, page, login);
      return seeOther("/grants", services.cookies.set(REMEMBERED_COOKIE, login.cookie, REMEMBERED_SECONDS));
    }),
    "/grants/end": pageEndpoint(services, PAGE, async (page, form) => {
      const { login, cookie } = await signedInByForm(page, form);
      const { application_id, tenant_id } = login.application;
      const actor = login.person?.actor ?? application_id;
      const whose = { ...reachOfLogin(login), at: page.at };
      const [grant_id, client] = [form.get("grant_id"), form.get("client")];
      // A grant that has already ended needs no error.
      if (grant_id !== undefined) {
        const grant = await tenantGrants.end({ ...whose, grant_id });
        if (grant) page.record({ action: "grant.ended", ...subjectOf(grant), actor });
      } else if (client !== undefined) {
        const flow = FLOWS.find((known) => known === form.get("flow")) ?? "machine";
        const part = { application: form.get("application") ?? "", client, flow, person: form.get("person") } as const;
        const { ended, ...of } = await tenantGrants.endAll({ ...whose, ...part });
        const holder = { tenant_id, application_id: of.application_id, client_id: client };
        if (ended > 0) page.record({ ...holderEnded(holder, ended), actor });
      }
      return seeOther(`/grants?ended=${formToken(cookie, ENDED)}`);
    }),
    "/grants/sign-out": pageEndpoint(services, PAGE, async (page, form) => {
      const { cookie, login } = await signedInByForm(page, form);
      if (login.person) return seeOther("/grants", ...((await services.people?.signOut(page.req)) ?? []));
      await services.logins.forget(cookie, page);
      page.record({ action: "login.ended", ...ownerOf(login) });
      return seeOther("/grants", services.cookies.clear(REMEMBERED_COOKIE));
    }),
  };
}

/** What an application reaches; for a person what they approved, or everything of their tenant if they administer it. */
function reachOfLogin({ application, person }: Login): GrantsReach {
  if (person === null) return reachOf(application);
  const { tenant_id, application_id } = application;
  if (person.power === "administer") return { tenant_id, application_id: null };
  return { tenant_id, application_id, person_id: person.person_id };
}

async function signInPage(
  services: AuthorizeServices,
  page: PageRequest,
  facts: { problem?: SignInView["problem"]; status?: number; retryAfterSeconds?: number },
): Promise<Answer> {
  const known = services.cookies.read(page.req, FORM_COOKIE);
  const secret = known ?? newBrowserSecret(services.random);
  const retryAfter = facts.retryAfterSeconds;
  const { people } = services;
  return {
    status: facts.status ?? 200,
    headers: {
      ...(known === undefined ? { "Set-Cookie": services.cookies.set(FORM_COOKIE, secret, FORM_SECONDS) } : {}),
      ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
    },
    html: services.pages(page.language).signIn({
      client: null,
      form: { action: "/grants/sign-in", hidden: { csrf_token: formToken(secret, SIGN_IN_FORM) } },
      // An operator signs out in the console, not here.
      people:
        facts.problem !== "operator" && (await people?.areThere()) ? { signIn: people?.signInPath(null) ?? "" } : null,
      cancel: null,
      problem: facts.problem ?? null,
      retryAfterSeconds: retryAfter ?? null,
    }),
  };
}

function holderRow(held: NamedHolder, hidden: Readonly<Record<string, string>>): GrantRowView {
  const { application_client_id: application, client_id: client, flow, grants: count, person } = held;
  const whose = person && { person: person.person_id };
  return {
    ...factsOf(held),
    count,
    each: count > 1 ? addressOf({ application, client, ...whose }) : null,
    end: { action: "/grants/end", hidden: { ...hidden, application, client, flow, ...whose } },
  };
}

function grantRow(grant: NamedGrant, hidden: Readonly<Record<string, string>>): GrantRowView {
  const end = { action: "/grants/end", hidden: { ...hidden, grant_id: grant.grant_id } };
  return { ...factsOf(grant), count: 1, each: null, end };
}

function factsOf(held: NamedGrant | NamedHolder) {
  return {
    clientName: held.client_name,
    isVerified: held.is_verified,
    applicationName: held.application_name,
    personName: held.person && (held.person.name ?? ""),
    flow: held.flow,
    scopes: held.scopes,
    clients: held.clients === null ? null : held.clients.map(({ client_ref, name }) => name ?? client_ref),
    createdAt: held.created_at,
    lastIssuedAt: held.last_issued_at,
    expiresAt: held.refresh_expires_at,
  };
}

function addressOf(query: Readonly<Record<string, string>>): string {
  return `/grants?${new URLSearchParams(query)}`;
}

function seeOther(location: string, ...cookies: readonly string[]): Answer {
  return { status: 303, headers: { Location: location, ...(cookies.length > 0 && { "Set-Cookie": [...cookies] }) } };
}

const PAGE = { backTo: "/grants" } as const;
const FORM = "grants";
const ENDED = "grants-ended";
const SIGN_IN_FORM = "grants-sign-in";
const FORM_COOKIE = "wc-form";
const FORM_SECONDS = 3600;
const PAGE_SIZE = 25;

const FLOWS = ["asserted", "browser", "machine"] as const;
