import { html } from "@org/pages";
import type { Messages, Notice } from "../messages/messages.js";
import type { FinishedStatus, WidgetState } from "../widget-state.js";
import type { Screen, ScreenContext } from "./screen.js";

type Outcome = Extract<WidgetState, { screen: "outcome" }>;

/** How a session ended. Where there is an address to return to, the client goes there from here; a page is never loaded for it. */
export function outcomeScreen({ messages }: Pick<ScreenContext, "messages">, outcome: Outcome): Screen {
  const { title, text } = noticeOf(messages, outcome);
  const sign = signOf(outcome.status);
  return {
    title,
    body: html`${sign && html`<p class="sign ${sign.kind}" aria-hidden="true">${sign.character}</p>`}
<h1>${title}</h1>
<p class="lead" role="status">${text}</p>
${
  outcome.return_url === null
    ? html`<p>${messages.closePage}</p>`
    : html`<p>${messages.leadingBack}</p>
<p><a class="more" href="${outcome.return_url}" data-leads-on>${messages.goBackNow}</a></p>`
}`,
  };
}

/** The sign above the words: what it is at a glance, for who sees it. None where the customer ended it, or time did. */
function signOf(status: FinishedStatus): { readonly kind: "good" | "warn"; readonly character: string } | null {
  if (status === "Finished:OK") return { kind: "good", character: "✓" };
  return status === "Finished:Error" ? { kind: "warn", character: "!" } : null;
}

/** How it ended, and what to do next. */
function noticeOf(messages: Messages, { status, error_code }: Outcome): Notice {
  if (status === "Finished:OK") return messages.done;
  if (status === "Finished:Expired") return messages.expired;
  if (status === "Finished:Aborted") return messages.aborted;
  return messages.failed[error_code ?? "InternalError"];
}
