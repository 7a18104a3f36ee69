import type { CustomerSessions, SessionLanguage } from "@org/core";
import { documentOf, scriptedPageHeaders } from "@org/pages";
import type { Request, Response } from "express";
import { bankListOf, bankQueryOf, searchOf } from "./bank-list.js";
import { inWords } from "./fault-words.js";
import type { FormFault } from "./form-faults.js";
import { messagesIn } from "./messages/languages.js";
import type { NoticeKind } from "./notice-kinds.js";
import type { OwnerCookie } from "./owner-cookie.js";
import { bankChoicePage } from "./pages/bank-choice.js";
import { noticePage } from "./pages/notice.js";
import type { Page } from "./pages/page.js";
import { sessionPage } from "./session-page.js";
import { contextFor, preferredLanguage, type Visit, viewFor } from "./visit.js";
import { stateOf } from "./widget-state.js";

/** Answers browsers. */
export interface Presenter {
  /** Shows the session as it stands; with faults, the form that was posted, again. */
  present(visit: Visit, request: Request, response: Response, faults?: readonly FormFault[]): Promise<void>;
  /** Answers a form that was taken. */
  moved(visit: Visit, request: Request, response: Response): Promise<void> | void;
  /** Only tells something, in the language of the browser. */
  notify(kind: NoticeKind, path: string, request: Request, response: Response, traceId?: string): void;
}

/**
 * Answers with pages, which work without JavaScript.
 * @param cookie where a browser that sees the first page gets its secret
 * @param script path of the client, which takes a page over where JavaScript runs; null = pages without one
 */
export function createPagePresenter(sessions: CustomerSessions, cookie: OwnerCookie, script: string | null): Presenter {
  return {
    async present(visit, request, response, faults = []) {
      const view = await viewFor(sessions, visit, request);
      const context = contextFor(visit, view, request, response, cookie);
      const page = sessionPage(context, stateOf(view), faults);
      if (page !== "bank-choice") {
        if ("leadsTo" in page) response.redirect(303, page.leadsTo);
        else send(response, context, page);
        return;
      }
      const query = bankQueryOf(request);
      const banks = await sessions.banks(visit.link, visit.owner, query);
      if (banks.items.length === 0 && banks.total > 0)
        response.redirect(303, `${visit.path}?${searchOf({ ...query, page: banks.pages })}`);
      else {
        const list = bankListOf(banks, context.language);
        send(response, context, bankChoicePage(context, query, list, inWords(context.messages, faults)));
      }
    },
    moved: (visit, _request, response) => response.redirect(303, visit.path),
    notify(kind, path, request, response, traceId) {
      const language = preferredLanguage(request);
      send(response, { language, path }, noticePage({ messages: messagesIn[language], path }, kind, traceId));
    },
  };

  /** A page that only tells something, or shows again what was typed wrongly, is left as it is. */
  function send(response: Response, { language, path }: { language: SessionLanguage; path: string }, page: Page): void {
    const { title, body, refreshSeconds } = page;
    const refresh = refreshSeconds === undefined ? {} : { refresh: { seconds: refreshSeconds, path } };
    const scripted = script !== null && page.status === 200 ? { script } : {};
    if ("script" in scripted) response.set(scriptedPageHeaders);
    response
      .status(page.status)
      .type("html")
      .send(documentOf({ language, title, body, ...refresh, ...scripted }));
  }
}
