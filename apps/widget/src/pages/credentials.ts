import type { ConnectorView } from "@org/core";
import { type FieldProblem, html, problemSummary, textField } from "@org/pages";
import { cancelForm, type Page, type PageContext, postForm, titled } from "./page.js";

/** Where the customer types the user name and password of the bank. What was typed before is not shown again. */
export function credentialsPage(
  context: PageContext,
  session: { readonly connector: ConnectorView; readonly connector_fixed: boolean },
  problems: readonly FieldProblem[],
  status: number,
): Page {
  const { messages } = context;
  const title = messages.credentialsTitle(session.connector.name);
  return {
    status,
    title: titled(messages, title, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${title}</h1>
<p>${messages.credentialsText}</p>
${postForm(
  context,
  "credentials",
  html`${textField({ name: "username", label: messages.username, type: "text", autocomplete: "username" }, problems)}
${textField({ name: "password", label: messages.password, type: "password", autocomplete: "current-password" }, problems)}
<button class="first" type="submit">${messages.continue}</button>`,
)}
${
  !session.connector_fixed &&
  postForm(context, "change-bank", html`<button type="submit">${messages.chooseAnotherBank}</button>`)
}
${cancelForm(context)}`,
  };
}
