import type { CustomerSessions } from "@org/core";
import { noticeOfKind } from "./notice-kinds.js";
import type { OwnerCookie } from "./owner-cookie.js";
import type { Presenter } from "./presenter.js";
import { contextFor, preferredLanguage, viewFor } from "./visit.js";
import { type StateAnswer, stateOf } from "./widget-state.js";

/** Answers with JSON what the pages answer with HTML, for the client: always a {@link StateAnswer}. */
export function createStatePresenter(sessions: CustomerSessions, cookie: OwnerCookie): Presenter {
  const present: Presenter["present"] = async (visit, request, response, faults = []) => {
    const view = await viewFor(sessions, visit, request);
    const { language, csrfToken } = contextFor(visit, view, request, response, cookie);
    const state = stateOf(view);
    const status = state.screen === "notice" ? noticeOfKind(state.notice).status : faults.length > 0 ? 400 : 200;
    const answer: StateAnswer = { language, csrf_token: csrfToken, faults, state };
    response.status(status).json(answer);
  };
  return {
    present,
    moved: (visit, request, response) => present(visit, request, response),
    notify(notice, _path, request, response, traceId) {
      const state = { screen: "notice", notice, ...(traceId === undefined ? {} : { trace_id: traceId }) } as const;
      const answer: StateAnswer = { language: preferredLanguage(request), csrf_token: "", faults: [], state };
      response.status(noticeOfKind(notice).status).json(answer);
    },
  };
}
