import { html } from "@org/pages";
import { type NoticeKind, noticeOfKind } from "../notice-kinds.js";
import type { Page, PageContext } from "./page.js";

/** Says what is the matter and how to go on. @param traceId named on the page where the customer should pass it on */
export function noticePage(
  { messages, path }: Pick<PageContext, "messages" | "path">,
  kind: NoticeKind,
  traceId?: string,
): Page {
  const { status, words, leadsBack } = noticeOfKind(kind);
  const { title, text } = messages[words];
  return {
    status,
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${traceId === undefined ? null : html`<p class="quiet">${messages.reference(traceId)}</p>`}
${leadsBack && html`<p><a class="more" href="${path}">${messages.backToPage}</a></p>`}`,
  };
}
