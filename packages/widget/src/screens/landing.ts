import { html } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import { cancelForm, postForm, type Screen, type ScreenContext } from "./screen.js";

/** First screen of a link: what is about to happen, and the Continue button that makes this browser the owner. */
export function landingScreen(
  context: ScreenContext,
  { bank, privacy_notice }: Extract<WidgetState, { screen: "landing" }>,
): Screen {
  const { messages } = context;
  const title = bank === null ? messages.landingTitle : messages.landingTitleOf(bank);
  const steps = bank === null ? [messages.bankTitle, ...messages.landingSteps] : messages.landingSteps;
  return {
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
