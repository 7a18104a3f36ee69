import { type FieldProblem, html, problemSummary } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import { fieldControls } from "./fields.js";
import {
  heading,
  inLanguage,
  restartForm,
  type Screen,
  type ScreenContext,
  stepForm,
  titled,
  titleWith,
} from "./screen.js";

/** A question of the bank during a login, such as how to confirm it or which accounts to share. */
export function askScreen(
  context: ScreenContext,
  { bank, fields, message }: Extract<WidgetState, { screen: "ask" }>,
  problems: readonly FieldProblem[],
): Screen {
  const { messages, language } = context;
  return {
    title: titled(messages, titleWith(messages.askTitle, bank), problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
${heading(messages.askTitle, bank)}
<p class="lead">${messages.askText}</p>
${
  message !== null &&
  html`<div class="card"><p class="quiet">${messages.bankSays}</p>
<p>${inLanguage(message, language)}</p></div>`
}
${stepForm(
  context,
  "answer",
  html`${fieldControls(context, fields, problems)}
<button class="first" type="submit">${messages.continue}</button>`,
)}
${restartForm(context)}`,
  };
}
