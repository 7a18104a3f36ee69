import { html } from "@org/pages";
import { cancelForm, type Page, type PageContext } from "./page.js";

/** Shown while the bank is being asked; it loads itself again until something has changed. */
export function processingPage(context: PageContext): Page {
  const { messages } = context;
  return {
    status: 200,
    title: messages.processingTitle,
    refreshSeconds: 2,
    body: html`<div class="waiting" aria-hidden="true"></div>
<h1>${messages.processingTitle}</h1>
<p class="lead" role="status">${messages.processingText}</p>
<p><a class="more" href="${context.path}">${messages.checkNow}</a></p>
${cancelForm(context)}`,
  };
}
