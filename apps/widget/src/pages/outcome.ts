import { html } from "@org/pages";
import { noticeOf, signOf } from "../outcome-words.js";
import type { WidgetState } from "../widget-state.js";
import type { Page, PageContext } from "./page.js";

type Outcome = Extract<WidgetState, { screen: "outcome" }>;

/** The end of a session that has no address to return to. */
export function outcomePage({ messages }: PageContext, outcome: Outcome): Page {
  const { title, text } = noticeOf(messages, outcome);
  const sign = signOf(outcome.status);
  return {
    status: 200,
    title,
    body: html`${sign && html`<p class="sign ${sign.kind}" aria-hidden="true">${sign.character}</p>`}
<h1>${title}</h1>
<p class="lead" role="status">${text}</p>
<p>${messages.closePage}</p>`,
  };
}
