import type { CustomerSessions, SessionLanguage } from "@org/core";
import { pageHeadersFor, renderDocument, styleSource } from "@org/pages";
import type { Request, Response } from "express";
import { bankListOf, bankQueryOf, searchOf } from "./bank-list.js";
import { type BankOffer, draw, drawingVersion } from "./draw.js";
import type { FormFault } from "./forms.js";
import { type LanguageChoice, preferredLanguage, similarLanguages } from "./language-choice.js";
import { messagesIn } from "./messages/languages.js";
import { statusOfNotice } from "./screens/notice.js";
import type { ScreenContext } from "./screens/screen.js";
import { contextFor, type OwnerCookie, requestOf, viewFor, type WidgetRequest } from "./visit.js";
import { type NoticeKind, type WidgetState, widgetStateOf } from "./widget-state.js";

/** Answers browsers. */
export interface Presenter {
  /** Shows the current state of the session; with faults, the posted form again. */
  present(visit: WidgetRequest, request: Request, response: Response, faults?: readonly FormFault[]): Promise<void>;
  /** Answers an accepted form. */
  moved(visit: WidgetRequest, request: Request, response: Response): Promise<void> | void;
  /** Sends a browser to the bank's own page. */
  leave(visit: WidgetRequest, url: string, request: Request, response: Response): Promise<void> | void;
  /** Shows a notice, in the language of the browser. */
  notify(kind: NoticeKind, path: string, request: Request, response: Response, traceId?: string): void;
}

/** Answers with pages, also when there is no session to look up. */
export interface PagePresenter extends Presenter {
  show(response: Response, context: ScreenContext, state: WidgetState): void;
}

/** Answer to `GET <link>/state`, and to a form that is sent with `Accept: application/json`. */
export interface StateAnswer {
  readonly language: SessionLanguage;
  /** Must accompany every form; empty when this browser may not send any. */
  readonly csrf_token: string;
  /** Faults of the submitted form. */
  readonly faults: readonly FormFault[];
  readonly state: WidgetState;
  /** Where the browser goes next, away from these pages. */
  readonly leads_to?: string;
  /** Drawing of the state; null when `?seen=<version>` names the current one. */
  readonly drawing: { readonly title: string; readonly html: string } | null;
}

/** What both presenters need. */
export interface Presentation {
  readonly sessions: CustomerSessions;
  /** Where a browser on the first page gets its secret from. */
  readonly cookie: OwnerCookie;
  readonly languages: LanguageChoice;
}

/** Loads what to show, for either presenter. */
async function lookUp({ sessions, cookie }: Presentation, visit: WidgetRequest, request: Request, response: Response) {
  const view = await viewFor(sessions, visit, request);
  const context = contextFor(visit, view, response, cookie);
  const state = widgetStateOf(view);
  return { context, state, offer };

  /** Loads the banks to choose from, if the session is at that step. */
  async function offer(): Promise<BankOffer | null> {
    if (state.screen !== "bank-choice") return null;
    const query = bankQueryOf(request);
    const near = similarLanguages(request, context.language);
    const found = await sessions.banks(visit.link, visit.owner, { ...query, near }, requestOf(visit));
    return { query, list: bankListOf(found, context) };
  }
}

/** During a database outage the page reloads after this time. */
export const AWAY_SECONDS = 3;

function isUnavailable(state: WidgetState): boolean {
  return state.screen === "notice" && state.notice === "away";
}

function statusOf(state: WidgetState, faults: readonly FormFault[]): number {
  if (state.screen === "notice") return statusOfNotice(state.notice);
  return faults.length > 0 ? 400 : 200;
}

/**
 * Makes the presenter that answers with pages, which work without JavaScript.
 * @param presentation with `script`, the path of the client that takes over a page where JavaScript runs; null = pages without it
 */
export function createPagePresenter({
  script,
  ...shared
}: Presentation & { readonly script: string | null }): PagePresenter {
  return {
    async present(visit, request, response, faults = []) {
      const { context, state, offer } = await lookUp(shared, visit, request, response);
      if (state.screen === "outcome" && state.return_url !== null) {
        response.redirect(303, state.return_url);
        return;
      }
      const banks = await offer();
      if (banks && banks.list.items.length === 0 && banks.list.total > 0)
        response.redirect(303, `${visit.path}?${searchOf({ ...banks.query, page: banks.list.pages })}`);
      else send(response, context, state, faults, banks);
    },
    moved: (visit, _request, response) => response.redirect(303, visit.path),
    leave: (_visit, url, _request, response) => void response.status(303).set("Location", new URL(url).href).end(),
    show: (response, context, state) => send(response, context, state, [], null),
    notify(notice, path, request, response, traceId) {
      send(response, bareContext(shared, path, request), noticeState(notice, traceId), [], null);
    },
  };

  /** Sends a page. The client only takes over pages with status 200, not notices or forms with faults. */
  function send(
    response: Response,
    context: ScreenContext,
    state: WidgetState,
    faults: readonly FormFault[],
    banks: BankOffer | null,
  ): void {
    const { title, body } = draw(context, state, faults, banks);
    const status = statusOf(state, faults);
    const scripted = script !== null && status === 200 ? { script } : {};
    const image = context.requester?.logo ? { image: "'self'" } : {};
    response.set(pageHeadersFor({ style: styleSource, ...image, hasScript: "script" in scripted }));
    const seconds = state.screen === "processing" ? 2 : isUnavailable(state) ? AWAY_SECONDS : null;
    const refresh = seconds === null ? {} : { refresh: { seconds, path: context.path } };
    const { language } = context;
    response
      .status(status)
      .type("html")
      .send(renderDocument({ language, title, body, ...refresh, ...scripted }));
  }
}

/** Makes the presenter that answers the client with JSON: always a {@link StateAnswer}. */
export function createStatePresenter(shared: Presentation): Presenter {
  const present: Presenter["present"] = async (visit, request, response, faults = []) => {
    const { context, state, offer } = await lookUp(shared, visit, request, response);
    const isSeen = faults.length === 0 && request.query.seen === drawingVersion(state, context);
    send(response, context, state, faults, isSeen ? null : drawingOf(draw(context, state, faults, await offer())));
  };
  return {
    present,
    moved: (visit, request, response) => present(visit, request, response),
    async leave(visit, url, request, response) {
      const { context, state } = await lookUp(shared, visit, request, response);
      send(response, context, state, [], drawingOf(draw(context, state)), url);
    },
    notify(notice, path, request, response, traceId) {
      const context = bareContext(shared, path, request);
      const state = noticeState(notice, traceId);
      send(response, context, state, [], drawingOf(draw(context, state)));
    },
  };

  function send(
    response: Response,
    { language, csrfToken }: ScreenContext,
    state: WidgetState,
    faults: readonly FormFault[],
    drawing: StateAnswer["drawing"],
    leads_to?: string,
  ): void {
    const answer: StateAnswer = {
      language,
      csrf_token: csrfToken,
      faults,
      state,
      drawing,
      ...(leads_to !== undefined && { leads_to }),
    };
    response.status(statusOf(state, faults)).json(answer);
  }
}

function drawingOf({ title, body }: ReturnType<typeof draw>): StateAnswer["drawing"] {
  return { title, html: body.text };
}

/** Context without any session. */
function bareContext({ languages }: Presentation, path: string, request: Request): ScreenContext {
  const language = languages.read(request) ?? preferredLanguage(request);
  return { language, messages: messagesIn[language], path, site: "", csrfToken: "", requester: null };
}

function noticeState(notice: NoticeKind, traceId: string | undefined): WidgetState {
  return { screen: "notice", notice, ...(traceId === undefined ? {} : { trace_id: traceId }) };
}
