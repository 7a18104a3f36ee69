import { html } from "@org/pages";
import type { Messages, Notice } from "../messages/messages.js";
import type { FinishedStatus, WidgetState } from "../widget-state.js";
import { heading, type Screen, type ScreenContext, titleWith } from "./screen.js";

type Outcome = Extract<WidgetState, { screen: "outcome" }>;

/**
 * Outcome of a session. If there is a return address, the client goes there from here; without the client, the server redirects
 * instead of showing this screen.
 */
export function outcomeScreen({ messages }: Pick<ScreenContext, "messages">, outcome: Outcome): Screen {
  const { title, text } = noticeOf(messages, outcome);
  const sign = signOf(outcome.status);
  return {
    title: titleWith(title, outcome.bank),
    body: html`${sign && html`<p class="sign ${sign.kind}" aria-hidden="true">${sign.character}</p>`}
${heading(title, outcome.bank)}
<p class="lead" role="status">${text}</p>
${
  outcome.return_url === null
    ? html`<p>${messages.closePage}</p>`
    : html`<p>${messages.leadingBack}</p>
<p><a class="more" href="${outcome.return_url}" data-leads-on>${messages.goBackNow}</a></p>`
}`,
  };
}

/** Sign above the text that shows the outcome at a glance. None if the customer cancelled or time ran out. */
function signOf(status: FinishedStatus): { readonly kind: "good" | "warn"; readonly character: string } | null {
  if (status === "Finished:OK") return { kind: "good", character: "✓" };
  return status === "Finished:Error" ? { kind: "warn", character: "!" } : null;
}

/** How the session ended, and what to do next. */
function noticeOf(messages: Messages, { status, error_code, remark, relogin }: Outcome): Notice {
  const { notRenewed } = messages;
  const unless = (notice: Notice, text: string) => (relogin ? { ...notice, text } : notice);
  if (status === "Finished:OK" && remark === "data_pending") return messages.dataPending[relogin ? "renew" : "connect"];
  if (status === "Finished:OK" && remark === "no_accounts") return messages.noAccounts;
  if (status === "Finished:OK") {
    const done = relogin ? messages.renewed : messages.done;
    return remark === "data_incomplete" ? { ...done, text: messages.dataIncomplete } : done;
  }
  if (status === "Finished:Expired") return unless(messages.expired, notRenewed.expired);
  if (status === "Finished:Aborted") return unless(messages.aborted, notRenewed.aborted);
  if (remark === "other_login") return messages.otherLoginEnd;
  const code = error_code ?? "InternalError";
  return code === "InternalError" ? unless(messages.failed[code], notRenewed.failed) : messages.failed[code];
}
