import { html } from "@org/pages";
import { cancelForm, type Page, type PageContext, postForm } from "./page.js";

/** First page of a link: what is about to happen, and the Continue button that makes this browser the owner. */
export function landingPage(context: PageContext, privacyNotice: string | null): Page {
  const { messages } = context;
  return {
    status: 200,
    title: messages.landingTitle,
    body: html`<h1>${messages.landingTitle}</h1>
<p>${messages.landingText}</p>
<h2>${messages.privacyHeading}</h2>
<p class="notice">${privacyNotice ?? messages.defaultPrivacyNotice}</p>
${postForm(context, "continue", html`<button class="first" type="submit">${messages.continue}</button>`)}
${cancelForm(context)}`,
  };
}
