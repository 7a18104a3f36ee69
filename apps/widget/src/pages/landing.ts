import { html } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import { cancelForm, type Page, type PageContext, postForm } from "./page.js";

/** First page of a link: what is about to happen, and the Continue button that makes this browser the owner. */
export function landingPage(
  context: PageContext,
  { bank, privacy_notice }: Extract<WidgetState, { screen: "landing" }>,
): Page {
  const { messages } = context;
  const title = bank === null ? messages.landingTitle : messages.landingTitleOf(bank);
  const steps = bank === null ? [messages.bankTitle, ...messages.landingSteps] : messages.landingSteps;
  return {
    status: 200,
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${messages.landingText}</p>
<ol class="ahead">${steps.map((step) => html`<li>${step}</li>`)}</ol>
<h2>${messages.privacyHeading}</h2>
<p class="notice">${privacy_notice ?? messages.defaultPrivacyNotice}</p>
${postForm(context, "continue", html`<button class="first" type="submit">${messages.continue}</button>`)}
${cancelForm(context)}`,
  };
}
