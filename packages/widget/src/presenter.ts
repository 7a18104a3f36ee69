import type { CustomerSessions, SessionLanguage } from "@org/core";
import { documentOf, html, scriptedPageHeaders } from "@org/pages";
import type { Request, Response } from "express";
import { bankListOf, bankQueryOf, searchOf } from "./bank-list.js";
import { type BankOffer, draw, unreachableNotice, versionOf } from "./draw.js";
import type { FormFault } from "./forms.js";
import { messagesIn } from "./messages/languages.js";
import { statusOfNotice } from "./screens/notice.js";
import type { ScreenContext } from "./screens/screen.js";
import { contextFor, type OwnerCookie, preferredLanguage, type Visit, viewFor } from "./visit.js";
import { type NoticeKind, stateOf, type WidgetState } from "./widget-state.js";

/** Answers browsers. */
export interface Presenter {
  /** Shows the session as it stands; with faults, the form that was posted, again. */
  present(visit: Visit, request: Request, response: Response, faults?: readonly FormFault[]): Promise<void>;
  /** Answers a form that was taken. */
  moved(visit: Visit, request: Request, response: Response): Promise<void> | void;
  /** Only tells something, in the language of the browser. */
  notify(kind: NoticeKind, path: string, request: Request, response: Response, traceId?: string): void;
}

/** Answer to `GET <link>/state`, and to a form that is sent with `Accept: application/json`. */
export interface StateAnswer {
  readonly language: SessionLanguage;
  /** Goes along with every form; empty where this browser may send none. */
  readonly csrf_token: string;
  /** What is wrong with the form that was sent. */
  readonly faults: readonly FormFault[];
  readonly state: WidgetState;
  /** The state as it is shown; null when `?seen=<version>` says that it is already. */
  readonly drawing: { readonly title: string; readonly html: string } | null;
}

/** Loads what there is to show, for either presenter. */
async function lookUp(
  sessions: CustomerSessions,
  cookie: OwnerCookie,
  visit: Visit,
  request: Request,
  response: Response,
) {
  const view = await viewFor(sessions, visit, request);
  const context = contextFor(visit, view, request, response, cookie);
  const state = stateOf(view);
  return { context, state, offer };

  /** The banks to choose from, at that step. */
  async function offer(): Promise<BankOffer | null> {
    if (state.screen !== "bank-choice") return null;
    const query = bankQueryOf(request);
    const found = await sessions.banks(visit.link, visit.owner, query);
    return { query, list: bankListOf(found, context.language) };
  }
}

/** While the database is away the page looks again by itself. */
export const AWAY_SECONDS = 3;

function isAway(state: WidgetState): boolean {
  return state.screen === "notice" && state.notice === "away";
}

function statusOf(state: WidgetState, faults: readonly FormFault[]): number {
  if (state.screen === "notice") return statusOfNotice(state.notice);
  return faults.length > 0 ? 400 : 200;
}

/**
 * Answers with pages, which work without JavaScript.
 * @param cookie where a browser that sees the first page gets its secret
 * @param script path of the client, which takes a page over where JavaScript runs; null = pages without one
 */
export function createPagePresenter(sessions: CustomerSessions, cookie: OwnerCookie, script: string | null): Presenter {
  return {
    async present(visit, request, response, faults = []) {
      const { context, state, offer } = await lookUp(sessions, cookie, visit, request, response);
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
    notify(notice, path, request, response, traceId) {
      send(response, bareContext(path, request), noticeState(notice, traceId), [], null);
    },
  };

  /** A page that only tells something, or shows again what was typed wrongly, is left as it is. */
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
    if ("script" in scripted) response.set(scriptedPageHeaders);
    const seconds = state.screen === "processing" ? 2 : isAway(state) ? AWAY_SECONDS : null;
    const refresh = seconds === null ? {} : { refresh: { seconds, path: context.path } };
    const whole = "script" in scripted ? html`${body}${unreachableNotice(context)}` : body;
    const { language } = context;
    response
      .status(status)
      .type("html")
      .send(documentOf({ language, title, body: whole, ...refresh, ...scripted }));
  }
}

/** Answers with JSON what the pages answer with HTML, for the client: always a {@link StateAnswer}. */
export function createStatePresenter(sessions: CustomerSessions, cookie: OwnerCookie): Presenter {
  const present: Presenter["present"] = async (visit, request, response, faults = []) => {
    const { context, state, offer } = await lookUp(sessions, cookie, visit, request, response);
    const isSeen = faults.length === 0 && request.query.seen === versionOf(state);
    send(response, context, state, faults, isSeen ? null : drawingOf(draw(context, state, faults, await offer())));
  };
  return {
    present,
    moved: (visit, request, response) => present(visit, request, response),
    notify(notice, path, request, response, traceId) {
      const context = bareContext(path, request);
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
  ): void {
    const answer: StateAnswer = { language, csrf_token: csrfToken, faults, state, drawing };
    response.status(statusOf(state, faults)).json(answer);
  }
}

function drawingOf({ title, body }: ReturnType<typeof draw>): StateAnswer["drawing"] {
  return { title, html: body.text };
}

/** Where nothing is known of a session. */
function bareContext(path: string, request: Request): ScreenContext {
  const language = preferredLanguage(request);
  return { language, messages: messagesIn[language], path, csrfToken: "" };
}

function noticeState(notice: NoticeKind, traceId: string | undefined): WidgetState {
  return { screen: "notice", notice, ...(traceId === undefined ? {} : { trace_id: traceId }) };
}
