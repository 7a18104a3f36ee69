import { type FieldProblem, html, problemSummary } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import {
  changeBankForm,
  heading,
  restartForm,
  type Screen,
  type ScreenContext,
  stepForm,
  titled,
  titleWith,
} from "./screen.js";
import { termsOfChosen } from "./terms.js";

/**
 * Shown before the customer goes to a page of the bank: its address, and that the way back leads here. It takes a tap, because people
 * should see the address of their bank before they type anything there.
 */
export function redirectScreen(
  context: ScreenContext,
  { bank, terms, bank_fixed, host }: Extract<WidgetState, { screen: "redirect" }>,
  problems: readonly FieldProblem[],
): Screen {
  const { messages } = context;
  return {
    title: titled(messages, titleWith(messages.redirectTitle, bank), problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
${heading(messages.redirectTitle, bank)}
<p class="lead">${messages.redirectText(host)}</p>
<ol class="ahead">${messages.redirectSteps.map((step) => html`<li>${step}</li>`)}</ol>
<p>${messages.sameBrowser}</p>
${!bank_fixed && termsOfChosen(context, terms)}
${stepForm(context, "redirect", html`<button class="first" type="submit">${problems.length > 0 ? messages.goToBankAgain : messages.goToBank}</button>`)}
${restartForm(context)}
${!bank_fixed && changeBankForm(context)}`,
  };
}
