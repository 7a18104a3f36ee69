import type { Requester, SessionLanguage } from "@org/core";
import { type FieldProblem, type Html, html } from "@org/pages";
import { type LocalizedText, localizedText } from "@org/provider-kit";
import type { Messages } from "../messages/messages.js";

/** One screen's texts and markup, without the page around it. */
export interface Screen {
  readonly title: string;
  readonly body: Html;
}

/** What every screen is drawn from. */
export interface ScreenContext {
  readonly language: SessionLanguage;
  readonly messages: Messages;
  /** Path of the session's address, `/connect/<link>`; the forms post below it. */
  readonly path: string;
  /** Path of the site, which precedes its other addresses. */
  readonly site: string;
  readonly csrfToken: string;
  /** Who asks for the data; null when no session is known. */
  readonly requester: Requester | null;
}

/** Returns a bank's text in a language, else in English, else in any. */
export function inLanguage(words: LocalizedText, language: SessionLanguage): string {
  return localizedText(words, language) ?? "";
}

/** Name of whoever asks for the data; the product's name if unknown. */
export function requesterName({ requester }: ScreenContext): string {
  return requester?.name ?? "Wealth Connect";
}

/** A form that changes something: posts to `<path>/<step>` with the token that proves it came from our page. */
export function stepForm(context: ScreenContext, step: string, content: Html): Html {
  return html`<form method="post" action="${context.path}/${step}" accept-charset="utf-8">
<input type="hidden" name="csrf_token" value="${context.csrfToken}">
${content}</form>`;
}

/** Restarts the login when a step leads nowhere, such as a single-use page of the bank. */
export function restartForm(context: ScreenContext): Html {
  return stepForm(context, "restart", html`<button class="whole" type="submit">${context.messages.restart}</button>`);
}

/** Returns to the choice of bank, where the customer may take another bank or another way to it. */
export function changeBankForm(context: ScreenContext): Html {
  const { chooseAnotherBank } = context.messages;
  return stepForm(context, "change-bank", html`<button class="whole" type="submit">${chooseAnotherBank}</button>`);
}

/** The only heading of a screen, below the bank's name if the text does not include it. */
export function heading(title: string, bank: string | null): Html {
  return html`${bank !== null && html`<p class="step">${bank}</p>`}
<h1>${title}</h1>`;
}

/** Title of a page whose heading does not name the bank. */
export function titleWith(title: string, bank: string | null): string {
  return bank === null ? title : `${title} – ${bank}`;
}

/** The title, marked when the screen shows an error, because it is read out first. */
export function titled(messages: Messages, title: string, problems: readonly FieldProblem[]): string {
  return problems.length > 0 ? `${messages.errorPrefix}: ${title}` : title;
}

/**
 * Content for pages with the client, which inserts it in the template's place after this many seconds. Without the client,
 * browsers neither show nor read out a template. The opposite is `data-unscripted` on an element: the client removes it.
 */
export function scripted(content: Html, afterSeconds = 0): Html {
  return html`<template data-after-seconds="${afterSeconds}">${content}</template>`;
}
