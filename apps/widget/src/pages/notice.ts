import { html } from "@org/pages";
import type { Page, PageContext } from "./page.js";

/** Why a page cannot be shown or a form was not taken, with the status of the answer. */
const kinds = {
  taken: { status: 403, words: "taken" },
  unknownLink: { status: 404, words: "unknownLink" },
  forbidden: { status: 403, words: "forbidden" },
  badRequest: { status: 400, words: "badRequest" },
  notAllowed: { status: 405, words: "badRequest" },
  tooLarge: { status: 413, words: "tooLarge" },
  tooMany: { status: 429, words: "tooMany" },
  defect: { status: 500, words: "defect" },
} as const;
export type NoticeKind = keyof typeof kinds;

/** Says what is the matter and how to go on. @param traceId named on the page where the customer should pass it on */
export function noticePage(
  { messages, path }: Pick<PageContext, "messages" | "path">,
  kind: NoticeKind,
  traceId?: string,
): Page {
  const { status, words } = kinds[kind];
  const { title, text } = messages[words];
  const leadsBack = kind !== "taken" && kind !== "unknownLink";
  return {
    status,
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>
${traceId === undefined ? null : html`<p class="quiet">${messages.reference(traceId)}</p>`}
${leadsBack && html`<p><a href="${path}">${messages.backToPage}</a></p>`}`,
  };
}
