import { CoreError, parseUuid, type Uuid } from "@org/core";
import { answerEmpty, answerJson, BodyError, type Exchange, readBytes, requireFormat } from "@org/http";
import { PeopleError, PROVIDER_SIGN_IN_MS, type ProviderSignIn } from "@org/people";
import type { Log } from "@org/rest-api";
import { orSignedOut } from "./endpoints/session-view.js";
import { enter } from "./endpoints/sign-in.js";
import type { OpenCall, OwnServices } from "./own-endpoint.js";

const CALLBACK = "/console/sign-in/callback";
const TENANT_CALLBACK = `${CALLBACK}/:tenant_id`;

/**
 * Where an identity provider redirects browsers back to: the only redirect URI registered with it, and with no other provider.
 * @param tenantId the tenant whose own provider it is; null = the installation's
 */
export function callbackOf(tenantId: Uuid | null): string {
  return tenantId === null ? CALLBACK : `${CALLBACK}/${tenantId}`;
}

/** Pages on the way to the identity provider and back, and the endpoint that the provider calls itself. */
export const providerPages = {
  "/console/sign-in/provider": { method: "GET", summary: "Sign in with the identity provider" },
  "/console/sign-in/provider/confirm": { method: "GET", summary: "Confirm a sign-in with the identity provider" },
  [CALLBACK]: { method: "GET", summary: "Return from the identity provider" },
  [TENANT_CALLBACK]: { method: "GET", summary: "Return from a tenant's own identity provider" },
  "/console/sign-in/back-channel-logout": { method: "POST", summary: "The identity provider ends sessions" },
} as const;

export type ProviderPath = keyof typeof providerPages;

export const providerPaths = Object.keys(providerPages) as ProviderPath[];

/** Whether a path looks like a tenant's callback but its id is not a UUID in this server's format. */
export function hasMalformedTenant(path: string): boolean {
  if (!path.startsWith(`${CALLBACK}/`)) return false;
  const tenantId = parseUuid(path.slice(CALLBACK.length + 1));
  return tenantId === null || path !== callbackOf(tenantId);
}

/** Maximum size of a logout token, which names one session. */
export const MAX_LOGOUT_BYTES = 16 * 1_024;
/** Paths of console pages. The browser is never redirected anywhere else. */
const OWN_PAGE = /^\/console(?:\/[\w.~%-]+)*\/?(?:\?[\w.~%&=+:,-]*)?$/;
const MAX_PATH_LENGTH = 500;

/**
 * Redirects browsers to the provider and back. Nothing is rendered here: the page that asked, or the sign-in page, shows an error by its
 * kind (`problem`).
 * Only the provider's own checks refuse anything; see `createProviderSignIn` of @org/people.
 */
export function createProviderPages(deps: {
  readonly own: OwnServices;
  readonly signIns: ProviderSignIn;
  readonly publicUrl: string;
  readonly log: Log;
}) {
  const { own, signIns, publicUrl, log } = deps;
  const { cookies, browserSessions } = own;

  const steps: Readonly<Record<ProviderPath, (call: OpenCall, query: URLSearchParams) => Promise<void>>> = {
    async "/console/sign-in/provider"(call, query) {
      const tenant_id = parseUuid(query.get("tenant") ?? "");
      send(call.exchange, await signIns.begin({ tenant_id, return_to: ownPage(query.get("to")) }));
    },
    async "/console/sign-in/provider/confirm"(call, query) {
      const signedIn = await browserSessions.open(call.exchange);
      send(call.exchange, await signIns.beginConfirming(signedIn, { return_to: ownPage(query.get("to")) }));
    },
    [CALLBACK]: finish,
    [TENANT_CALLBACK]: finish,
    "/console/sign-in/back-channel-logout": logOut,
  };

  return async (path: ProviderPath, call: OpenCall): Promise<void> => {
    const { exchange } = call;
    const { request, response } = exchange;
    if (request.method !== providerPages[path].method)
      return answerEmpty(response, 405, { Allow: providerPages[path].method });
    try {
      await steps[path](call, new URL(request.url ?? "/", publicUrl).searchParams);
    } catch (error) {
      fail(exchange, error, "/console");
    }
  };

  function fail(exchange: Exchange, error: unknown, page: string): void {
    const problem = problemOf(error);
    if (problem === "defect")
      log.error({ err: error, trace_id: exchange.traceId }, "signing in with a provider failed");
    if (error instanceof PeopleError) exchange.note({ refusal: error.reason });
    if (exchange.request.method === "POST") notUnderstood(exchange, problem);
    else goTo(exchange, `${page}${page.includes("?") ? "&" : "?"}problem=${problem}`);
  }

  async function finish(call: OpenCall): Promise<void> {
    const { exchange, browser } = call;
    const ceremony = cookies.ceremony(exchange.request, "provider");
    if (ceremony !== undefined) cookies.clearCeremony(exchange.response, "provider");
    const answer = new URL(exchange.request.url ?? "/", publicUrl);
    const before = await orSignedOut(browserSessions.open(exchange));
    try {
      const done = await signIns.finish({ ceremony, answer }, browser, before);
      own.onProof({ method: "identity_provider", outcome: "proved" });
      if (done.begun) await enter(own, call, done.begun);
      goTo(exchange, done.return_to ?? "/console");
    } catch (error) {
      const page = await signIns.returnAddress({ ceremony, answer });
      fail(exchange, await counted(exchange, error), page ?? "/console");
    }
  }

  /** Returns the error to report: the error itself or, after too many failed proofs, the rate limit. */
  async function counted({ address }: Exchange, error: unknown): Promise<unknown> {
    if (!(error instanceof PeopleError) || error.code !== "refused") return error;
    own.onProof({ method: "identity_provider", outcome: "refused" });
    return own.countGuess({ address, of: null }).then(
      () => error,
      (tooMany: unknown) => tooMany,
    );
  }

  /** OpenID Connect Back-Channel Logout 1.0 §2.5 to 2.8: the answer only says whether the token was accepted. */
  async function logOut({ exchange: { request, response }, browser }: OpenCall): Promise<void> {
    requireFormat(request, { mediaType: "application/x-www-form-urlencoded", anyCharset: true });
    const form = new URLSearchParams(String(await readBytes(request, { maxBytes: MAX_LOGOUT_BYTES, maxSeconds: 10 })));
    const [token = "", ...more] = form.getAll("logout_token");
    if (more.length > 0) throw new PeopleError("refused", "logout_token is repeated");
    await signIns.logOut(token, browser);
    answerEmpty(response, 200);
  }

  function notUnderstood({ response }: Exchange, problem: string): void {
    const [status, error] = problem === "refused" ? [400, "invalid_request"] : [503, "temporarily_unavailable"];
    answerJson(response, status as number, { error });
  }

  function send(exchange: Exchange, { location, ceremony }: { location: string; ceremony: string }): void {
    cookies.setCeremony(exchange.response, "provider", ceremony, PROVIDER_SIGN_IN_MS);
    answerEmpty(exchange.response, 303, { Location: location });
  }

  function goTo({ response }: Exchange, page: string): void {
    answerEmpty(response, 303, { Location: publicUrl + page });
  }
}

/** Returns the path of a console page that the browser may be redirected to; null for anything else. */
function ownPage(text: string | null): string | null {
  if (text === null || text.length > MAX_PATH_LENGTH || !OWN_PAGE.test(text)) return null;
  // A browser resolves dots in the path, plain or as %2e. If that changes the path, it may leave the console.
  const { pathname, search } = new URL(text, "https://console.invalid");
  return pathname + search === text ? text : null;
}

function problemOf(error: unknown): string {
  if (error instanceof PeopleError) return error.code;
  if (error instanceof BodyError) return "refused";
  if (error instanceof CoreError && error.code === "RATE_LIMITED") return "too_many";
  return error instanceof CoreError && error.code === "UNAVAILABLE" ? "away" : "defect";
}
