import type { SessionLanguage } from "@org/core";
import { type FieldProblem, type Html, html } from "@org/pages";
import type { Messages } from "../messages/messages.js";

/** One screen in words and markup, without the page around it. */
export interface Screen {
  readonly title: string;
  readonly body: Html;
}

/** What every screen is drawn from. */
export interface ScreenContext {
  readonly language: SessionLanguage;
  readonly messages: Messages;
  /** Path of the session's one address, `/connect/<link>`; the forms post below it. */
  readonly path: string;
  readonly csrfToken: string;
}

/** A form that changes something: posts to `<path>/<step>` with the token that proves it came from our page. */
export function postForm(context: ScreenContext, step: string, content: Html): Html {
  return html`<form method="post" action="${context.path}/${step}" accept-charset="utf-8">
<input type="hidden" name="csrf_token" value="${context.csrfToken}">
${content}</form>`;
}

/** The way out, on every screen of an open session. */
export function cancelForm(context: ScreenContext): Html {
  return postForm(context, "cancel", html`<button class="whole" type="submit">${context.messages.cancel}</button>`);
}

/** The title, marked when the screen shows an error, since that is what is read out first. */
export function titled(messages: Messages, title: string, problems: readonly FieldProblem[]): string {
  return problems.length > 0 ? `${messages.errorPrefix}: ${title}` : title;
}

/**
 * What is of use only where the client runs, which puts the content in the template's place after so many seconds. Without it
 * a browser neither shows nor reads out a template. The opposite is `data-unscripted` on an element: the client takes it away.
 */
export function scripted(content: Html, afterSeconds = 0): Html {
  return html`<template data-after-seconds="${afterSeconds}">${content}</template>`;
}
