import { type Html, html } from "@org/pages";
import type { PageForm } from "./page-views.js";

/** A form that posts to its action what goes along and what the person fills in. */
export function postForm({ action, hidden }: PageForm, content: Html): Html {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return html`<form method="post" action="${action}" accept-charset="utf-8">
${fields}${content}</form>`;
}
