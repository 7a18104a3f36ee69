import { type FieldProblem, html, problemSummary } from "@org/pages";
import type { WidgetState } from "../widget-state.js";
import { fieldControls, isUsual } from "./fields.js";
import { changeBankForm, type Screen, type ScreenContext, stepForm, titled } from "./screen.js";
import { howToMakeKey, termsOfChosen } from "./terms.js";

/** Form for what the bank asks for at login; without any fields, it only has a button to continue. */
export function credentialsScreen(
  context: ScreenContext,
  { bank, terms, bank_fixed, fields }: Extract<WidgetState, { screen: "credentials" }>,
  problems: readonly FieldProblem[],
): Screen {
  const { messages } = context;
  const title = messages.credentialsTitle(bank.name);
  const text =
    fields.length === 0 ? messages.loginElsewhere : messages[isUsual(fields) ? "credentialsText" : "detailsText"];
  return {
    title: titled(messages, title, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${title}</h1>
<p class="lead">${text}</p>
${!bank_fixed && termsOfChosen(context, terms)}
${howToMakeKey(context, terms)}
${stepForm(
  context,
  "credentials",
  html`${fieldControls(context, fields, problems)}
<button class="first" type="submit">${messages.continue}</button>`,
)}
${!bank_fixed && changeBankForm(context)}`,
  };
}
