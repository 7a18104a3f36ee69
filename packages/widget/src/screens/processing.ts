import { html } from "@org/pages";
import { cancelForm, type Screen, type ScreenContext, scripted } from "./screen.js";

/** After so long, people wonder whether anything still happens. */
const LONG_SECONDS = 4;

/** Shown while the bank is being asked. */
export function processingScreen(context: ScreenContext): Screen {
  const { messages } = context;
  return {
    title: messages.processingTitle,
    body: html`<div class="waiting" aria-hidden="true"></div>
<h1>${messages.processingTitle}</h1>
<div role="status"><p class="lead">${messages.processingText}</p>
${scripted(html`<p>${messages.processingLonger}</p>`, LONG_SECONDS)}</div>
<p data-unscripted><a class="more" href="${context.path}">${messages.checkNow}</a></p>
${cancelForm(context)}`,
  };
}
