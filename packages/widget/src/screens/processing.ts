import { html } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import { heading, type Screen, type ScreenContext, scripted, titleWith } from "./screen.js";

/** After this time, people wonder whether anything is still happening. */
const LONG_SECONDS = 4;

/** Shown while the bank processes the login. */
export function processingScreen(
  context: ScreenContext,
  { bank }: Extract<WidgetState, { screen: "processing" }>,
): Screen {
  const { messages } = context;
  return {
    title: titleWith(messages.processingTitle, bank),
    body: html`<div class="waiting" aria-hidden="true"></div>
${heading(messages.processingTitle, bank)}
<div role="status"><p class="lead">${messages.processingText}</p>
${scripted(html`<p>${messages.processingLonger}</p>`, LONG_SECONDS)}</div>
<p data-unscripted><a class="more" href="${context.path}">${messages.checkNow}</a></p>`,
  };
}
