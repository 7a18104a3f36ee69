import type { SessionLanguage } from "@org/core";
import { type FieldProblem, type Html, html } from "@org/pages";
import type { Messages } from "../messages/messages.js";

/** One answer to a browser. */
export interface Page {
  /** HTTP status. */
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Set on a page that waits: the browser loads it again after so many seconds. */
  readonly refreshSeconds?: number;
}

/** What every page is built from. */
export interface PageContext {
  readonly language: SessionLanguage;
  readonly messages: Messages;
  /** Path of the session's one address, `/connect/<link>`; the forms post below it. */
  readonly path: string;
  readonly csrfToken: string;
}

/** A form that changes something: posts to `<path>/<step>` with the token that proves it came from our page. */
export function postForm(context: PageContext, step: string, content: Html): Html {
  return html`<form method="post" action="${context.path}/${step}" accept-charset="utf-8">
<input type="hidden" name="csrf_token" value="${context.csrfToken}">
${content}</form>`;
}

/** The way out, on every page of an open session. */
export function cancelForm(context: PageContext): Html {
  return postForm(context, "cancel", html`<button class="whole" type="submit">${context.messages.cancel}</button>`);
}

/** The title, marked when the page shows an error, since that is what is read out first. */
export function titled(messages: Messages, title: string, problems: readonly FieldProblem[]): string {
  return problems.length > 0 ? `${messages.errorPrefix}: ${title}` : title;
}
