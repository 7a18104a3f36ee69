import type { CustomerSessions, SessionLanguage } from "@org/core";
import { documentOf } from "@org/pages";
import type { Request, Response } from "express";
import type { FormFault } from "./form-faults.js";
import { inWords } from "./form-faults.js";
import { messagesIn } from "./messages/languages.js";
import type { OwnerCookie } from "./owner-cookie.js";
import { type BankQuery, bankChoicePage, searchOf } from "./pages/bank-choice.js";
import { type NoticeKind, noticePage } from "./pages/notice.js";
import type { Page } from "./pages/page.js";
import { sessionPage } from "./session-page.js";
import { contextFor, preferredLanguage, type Visit } from "./visit.js";

/** Answers browsers with pages. */
export interface Presenter {
  /** The page of the session as it stands; with faults, the form that was posted, again. */
  present(visit: Visit, request: Request, response: Response, faults?: readonly FormFault[]): Promise<void>;
  /** A page that only tells something, in the language of the browser. */
  notify(kind: NoticeKind, path: string, request: Request, response: Response, traceId?: string): void;
}

/** @param cookie where a browser that sees the first page gets its secret */
export function createPresenter(sessions: CustomerSessions, cookie: OwnerCookie): Presenter {
  return {
    async present(visit, request, response, faults = []) {
      const view = await sessions.view(visit.link, visit.owner);
      const context = contextFor(visit, view, request, response, cookie);
      const page = sessionPage(context, view, faults);
      if (page !== "bank-choice") {
        if ("leadsTo" in page) response.redirect(303, page.leadsTo);
        else send(response, context, page);
        return;
      }
      const query = bankQueryOf(request);
      const banks = await sessions.banks(visit.link, visit.owner, query);
      if (banks.items.length === 0 && banks.total > 0)
        response.redirect(303, `${visit.path}?${searchOf({ ...query, page: banks.pages })}`);
      else send(response, context, bankChoicePage(context, query, banks, inWords(context.messages, faults)));
    },
    notify(kind, path, request, response, traceId) {
      const language = preferredLanguage(request);
      send(response, { language, path }, noticePage({ messages: messagesIn[language], path }, kind, traceId));
    },
  };
}

function send(response: Response, { language, path }: { language: SessionLanguage; path: string }, page: Page): void {
  const { title, body, refreshSeconds } = page;
  const refresh = refreshSeconds === undefined ? {} : { refresh: { seconds: refreshSeconds, path } };
  response
    .status(page.status)
    .type("html")
    .send(documentOf({ language, title, body, ...refresh }));
}

/** The search of the bank list. Whatever cannot be one is left out: an address may have been cut or edited. */
function bankQueryOf({ query }: Request): BankQuery {
  const name = typeof query.name === "string" ? query.name.replaceAll("\0", "").trim().slice(0, 100) : "";
  const country = typeof query.country === "string" && /^[a-z]{3}$/.test(query.country) ? query.country : null;
  const page = typeof query.page === "string" && /^[1-9]\d{0,5}$/.test(query.page) ? Number(query.page) : 1;
  return { name: name === "" ? null : name, country, page };
}
