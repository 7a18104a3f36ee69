import type { CustomerSessions, Requester, SessionLanguage } from "@org/core";
import { exchangeOf, networkOf } from "@org/http";
import type { Request, Response } from "express";
import { type LanguageChoice, preferredLanguage } from "./language-choice.js";
import { messagesIn } from "./messages/languages.js";
import type { PagePresenter } from "./presenter.js";
import type { OwnerCookie } from "./visit.js";
import { type WidgetState, widgetStateOf } from "./widget-state.js";

/**
 * `GET /connect/callback`, where banks' own pages send customers back to. The browser that owns the session is redirected to the
 * session's address; any other is told where to continue. No part of the query appears in an answer.
 */
export function handleCallback(deps: {
  sessions: CustomerSessions;
  pages: PagePresenter;
  cookie: OwnerCookie;
  languages: LanguageChoice;
  /** See `WidgetRequest`. */
  site: string;
}) {
  const path = `${deps.site}/connect/callback`;

  return async function take(request: Request, response: Response): Promise<void> {
    // A HEAD request must not use up the single-use state.
    if (request.method !== "GET") return deps.pages.notify("notAllowed", path, request, response.set("Allow", "GET"));
    const { state, ...params } = request.query;
    if (typeof state !== "string" || !areTexts(params)) return unknown(request, response);
    const keptFor = (linkHash: string) => ({
      owner: deps.cookie.readByHash(request, linkHash),
      language: deps.languages.readByHash(request, linkHash),
    });
    const { traceId, address } = exchangeOf(request);
    const preferred = preferredLanguage(request);
    const by = { trace_id: traceId, preferred_language: preferred, network: networkOf(address) };
    const outcome = await deps.sessions.resumeCallback({ state, params, keptFor }, by);
    switch (outcome.kind) {
      case "unknown":
        return unknown(request, response);
      case "onward":
        return response.redirect(303, `${deps.site}/connect/${encodeURIComponent(outcome.link)}`);
      case "elsewhere": {
        const { language, requester, bank } = outcome;
        return show(response, language ?? preferred, requester, {
          screen: "notice",
          notice: "callbackElsewhere",
          bank,
        });
      }
      case "over": {
        const { view } = outcome;
        const shown = widgetStateOf(view);
        if (shown.screen === "outcome" && shown.return_url !== null) return response.redirect(303, shown.return_url);
        if (view.kind === "unknown") return unknown(request, response);
        return show(response, view.language ?? preferred, view.requester, shown);
      }
    }
  };

  function unknown(request: Request, response: Response): void {
    deps.pages.notify("callbackUnknown", path, request, response);
  }

  function show(response: Response, language: SessionLanguage, requester: Requester, state: WidgetState): void {
    const messages = messagesIn[language];
    deps.pages.show(response, { language, messages, path, site: deps.site, csrfToken: "", requester }, state);
  }
}

/** A repeated parameter is ambiguous. */
function areTexts(params: object): params is Readonly<Record<string, string>> {
  return Object.values(params).every((value) => typeof value === "string");
}
