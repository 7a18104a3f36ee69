import { type Html, html } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import { logoOf, privacyLink } from "./frame.js";
import { requesterName, type Screen, type ScreenContext, stepForm } from "./screen.js";
import { whatIsRead } from "./terms.js";

/** First screen of a link: who asks for what, what is about to happen, and the Continue button that makes this browser the owner. */
export function landingScreen(
  context: ScreenContext,
  { bank, terms, relogin, privacy_notice }: Extract<WidgetState, { screen: "landing" }>,
): Screen {
  const { messages } = context;
  const name = requesterName(context);
  const title =
    bank === null ? messages.landingTitle : relogin ? messages.renewTitleOf(bank) : messages.landingTitleOf(bank);
  const steps = bank === null ? [messages.bankTitle, ...messages.landingSteps] : messages.landingSteps;
  // A notice of the program's own says what it wants to say, but not what the access could do.
  const stated = terms?.rights ?? (privacy_notice === null ? "unstated" : null);
  const rights = stated && messages.rights[stated];
  return {
    title,
    body: html`${requesterHead(context)}
<h1>${title}</h1>
<p class="lead">${relogin ? messages.renewText(name) : messages.landingText(name)}</p>
<ol class="ahead">${steps.map((step) => html`<li>${step}</li>`)}</ol>
<h2>${messages.privacyHeading}</h2>
${whatIsRead(context, terms)}
<p class="notice">${privacy_notice ?? messages.defaultPrivacyNotice(name)}${rights && `\n\n${rights}`}</p>
${privacyLink(context)}
${stepForm(context, "continue", html`<button class="first" type="submit">${messages.continue}</button>`)}`,
  };
}

function requesterHead(context: ScreenContext): Html | null {
  const { requester } = context;
  return requester && html`<p class="requester">${logoOf(context)}<span>${requester.name}</span></p>`;
}
