import type { Requester, SessionLanguage } from "@org/core";
import { type FieldProblem, type Html, html } from "@org/pages";
import { type LocalizedText, localizedText } from "@org/provider-kit";
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
  /** Path of the site, which precedes its other addresses. */
  readonly site: string;
  readonly csrfToken: string;
  /** Who asks for the data; null where nothing is known of a session. */
  readonly requester: Requester | null;
}

/** A bank's words in a language: where it has none in this one, its English ones, else any. */
export function inLanguage(words: LocalizedText, language: SessionLanguage): string {
  return localizedText(words, language) ?? "";
}

/** What the sentences call who asks; the product where nobody is known. */
export function requesterName({ requester }: ScreenContext): string {
  return requester?.name ?? "Wealth Connect";
}

/** A form that changes something: posts to `<path>/<step>` with the token that proves it came from our page. */
export function stepForm(context: ScreenContext, step: string, content: Html): Html {
  return html`<form method="post" action="${context.path}/${step}" accept-charset="utf-8">
<input type="hidden" name="csrf_token" value="${context.csrfToken}">
${content}</form>`;
}

/** The way out of a step that leads nowhere any more, such as a page of the bank that works once. */
export function restartForm(context: ScreenContext): Html {
  return stepForm(context, "restart", html`<button class="whole" type="submit">${context.messages.restart}</button>`);
}

/** The one heading of a screen, below the name of the bank where the words do not have it. */
export function heading(title: string, bank: string | null): Html {
  return html`${bank !== null && html`<p class="step">${bank}</p>`}
<h1>${title}</h1>`;
}

/** The title of a page whose heading does not name the bank. */
export function titleWith(title: string, bank: string | null): string {
  return bank === null ? title : `${title} – ${bank}`;
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
