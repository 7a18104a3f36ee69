import type { SessionErrorCode, SessionStatus } from "@org/core";
import { html } from "@org/pages";
import type { Messages, Notice } from "../messages/messages.js";
import type { Page, PageContext } from "./page.js";

/** Statuses that nothing leads out of. */
export type FinishedStatus = Extract<SessionStatus, `Finished:${string}`>;

/** The end of a session that has no address to return to. */
export function outcomePage(
  { messages }: PageContext,
  status: FinishedStatus,
  errorCode: SessionErrorCode | null,
): Page {
  const { title, text } = noticeOf(messages, status, errorCode);
  return {
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<p role="status">${text}</p>
<p>${messages.closePage}</p>`,
  };
}

function noticeOf(messages: Messages, status: FinishedStatus, errorCode: SessionErrorCode | null): Notice {
  if (status === "Finished:OK") return messages.done;
  if (status === "Finished:Expired") return messages.expired;
  if (status === "Finished:Aborted") return messages.aborted;
  return messages.failed[errorCode ?? "InternalError"];
}
