import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import type { CredentialField, Words } from "@org/provider-kit";
import type { WidgetState } from "../widget-state.js";
import { postForm, type Screen, type ScreenContext, scripted, titled } from "./screen.js";

/** Where the customer types what the bank asks for at login. What was typed before is not shown again. */
export function credentialsScreen(
  context: ScreenContext,
  { bank, bank_fixed, fields }: Extract<WidgetState, { screen: "credentials" }>,
  problems: readonly FieldProblem[],
): Screen {
  const { messages } = context;
  const title = messages.credentialsTitle(bank.name);
  return {
    title: titled(messages, title, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${title}</h1>
<p class="lead">${messages.credentialsText}</p>
${postForm(
  context,
  "credentials",
  html`${fields.map((field) => credentialField(context, field, problems))}
<button class="first" type="submit">${messages.continue}</button>`,
)}
${
  !bank_fixed &&
  postForm(context, "change-bank", html`<button class="whole" type="submit">${messages.chooseAnotherBank}</button>`)
}`,
  };
}

function credentialField(
  { messages, language }: ScreenContext,
  { name, label, hint }: CredentialField,
  problems: readonly FieldProblem[],
): Html {
  const secret = name === "password";
  const inLanguage = (words: Words | undefined) => (typeof words === "string" ? words : words?.[language]);
  const words = inLanguage(hint);
  const field = textField(
    {
      name,
      label: inLanguage(label) ?? (name === "username" || name === "password" ? messages[name] : name),
      type: secret ? "password" : "text",
      autocomplete: secret ? "current-password" : "username",
      ...(words === undefined ? {} : { hint: words }),
    },
    problems,
  );
  const reveal = html`<label class="reveal"><input type="checkbox" data-reveals="${name}">${messages.showPassword}</label>`;
  return html`${field}${secret && scripted(reveal)}`;
}
