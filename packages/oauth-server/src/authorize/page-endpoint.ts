import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { BodyError, type BodyLimits, type Exchange, logDefect, retryAfter } from "@org/http";
import { acceptedLanguage, type PageLanguage, pageHeadersFor } from "@org/pages";
import { isUnreachable } from "../clients/fetch-document.js";
import { type Answer, bodyFault, bodyFaultHeaders, type OAuthEndpoint } from "../http/endpoint.js";
import { type Form, readForm } from "../http/read-form.js";
import { OAuthError, outageSeconds } from "../oauth-error.js";
import type { NoticePageKind } from "../pages/page-views.js";
import type { TokenRequest } from "../token/token-context.js";
import type { AuthorizeServices } from "./authorize-services.js";
import { PageRefusal, RedirectRefusal, returnToClient } from "./outcomes.js";

/** A request to a page, with its audit record. */
export interface PageRequest extends TokenRequest {
  readonly req: IncomingMessage;
  /** Of the next page: the browser's, until the authorization request that it continues names another. */
  language: PageLanguage;
}

/**
 * An endpoint for people: every error is answered with a page, or by redirecting the error to the client, and never with JSON.
 * Scripts of other origins have no access. Pages are in the language that the client asked for, else the browser's.
 */
export function pageEndpoint(
  services: AuthorizeServices,
  { backTo }: { backTo: string | null },
  answer: (request: PageRequest, form: Form) => Promise<Answer>,
): OAuthEndpoint {
  const { pages, recorder, log } = services;
  return {
    headers: {
      ...pageHeadersFor({ ...pages("en").contentSources, hasScript: false }),
      Vary: "Accept-Language",
    },
    // Reloading or bookmarking a page that followed a form sends a GET.
    notAllowed({ headers }) {
      const language = acceptedLanguage(headers["accept-language"]);
      const view = { kind: "answered", detail: null, traceId: null, backTo } as const;
      return inLanguage(language, { status: 405, html: pages(language).notice(view) });
    },
    async answer(exchange, limits) {
      const { request: req } = exchange;
      const language = acceptedLanguage(req.headers["accept-language"]);
      const request: PageRequest = { ...recorder.begin(exchange), req, language };
      const answered = await answerOrNotice(request, exchange, limits);
      return inLanguage(request.language, answered);
    },
  };

  async function answerOrNotice(request: PageRequest, exchange: Exchange, limits: BodyLimits): Promise<Answer> {
    const { req } = request;
    const { traceId } = exchange;
    try {
      return await answer(request, req.method === "POST" ? await readForm(req, limits, PAGE_FORM) : NO_FORM);
    } catch (error) {
      if (error instanceof RedirectRefusal) {
        request.record({ action: "authorization.refused", detail: error.code });
        return returnToClient(error.to, services.issuer, { error: error.code, error_description: error.message });
      }
      const outage = outageSeconds(error);
      if (outage !== null) return awayPage(request, traceId, outage);
      const refusal = refusalOf(error, limits);
      if (refusal.kind === "defect") logDefect(log, exchange, error, "an authorization page failed");
      else request.record({ action: "authorization.refused", detail: refusal.kind });
      const view = { kind: refusal.kind, detail: refusal.detail, traceId, backTo };
      return { status: STATUS[refusal.kind], html: pages(request.language).notice(view), headers: headersOf(error) };
    }
  }

  /** A page requested with GET reloads automatically; a form waits until the person sends it again. */
  function awayPage({ req, language }: PageRequest, traceId: string, seconds: number): Answer {
    const view = { kind: "away", detail: null, traceId, backTo } as const;
    const again = req.method === "GET" ? { seconds, path: req.url ?? "/" } : null;
    return { status: STATUS.away, html: pages(language).notice({ ...view, again }), headers: retryAfter(seconds) };
  }
}

/** Says in which language an answer is, if it is a page. */
function inLanguage(language: PageLanguage, answer: Answer): Answer {
  if (answer.html === undefined) return answer;
  return { ...answer, headers: { "Content-Language": language, ...answer.headers } };
}

function refusalOf(error: unknown, limits: BodyLimits): Pick<PageRefusal, "kind" | "detail"> {
  if (error instanceof PageRefusal) return error;
  if (error instanceof BodyError) {
    const { status, message } = bodyFault(error, limits);
    return { kind: error.limit ? "busy" : status === 413 ? "too_large" : "bad_request", detail: message };
  }
  if (error instanceof OAuthError && error.code === "invalid_request")
    return { kind: "bad_request", detail: error.message };
  if (isUnreachable(error)) return { kind: "client_unreachable", detail: error.message };
  if (error instanceof OAuthError && error.code === "invalid_client_metadata")
    return { kind: "unknown_client", detail: error.message };
  if (error instanceof OAuthError && error.code === "temporarily_unavailable")
    return { kind: "busy", detail: error.message };
  return { kind: "defect", detail: null };
}

function headersOf(error: unknown): OutgoingHttpHeaders {
  if (error instanceof BodyError) return bodyFaultHeaders(error);
  const seconds = error instanceof OAuthError ? error.retryAfterSeconds : undefined;
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

const STATUS: Readonly<Record<NoticePageKind, number>> = {
  bad_request: 400,
  unknown_client: 400,
  client_unreachable: 400,
  bad_redirect: 400,
  expired: 400,
  answered: 400,
  other_browser: 403,
  cancelled: 200,
  too_large: 413,
  busy: 429,
  away: 503,
  defect: 500,
};
const PAGE_FORM = { repeatable: ["scope", "client_ref"], isChecked: false };
const NO_FORM: Form = { get: () => undefined, all: () => [] };
