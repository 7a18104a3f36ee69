import { type SessionLanguage, sessionLanguages } from "@org/core";
import { type Html, html } from "@org/pages";
import { languageNames } from "../messages/languages.js";
import type { WidgetState } from "../widget-state.js";
import { type ScreenContext, stepForm } from "./screen.js";

/**
 * Top of every screen: the language switch and, while the session is open, the cancel button, which asks for confirmation. Both open
 * in place, with and without scripts, so nothing typed is lost.
 */
export function pageTop(context: ScreenContext, state: WidgetState): Html {
  return html`<div class="top">${!isReturnScreen(state) && languageSwitch(context)}
${state.screen !== "outcome" && state.screen !== "notice" && cancelForm(context, "relogin" in state && state.relogin)}</div>`;
}

/** Whether the page is at the callback address, which cannot be requested again in another language. */
function isReturnScreen(state: WidgetState): boolean {
  return state.screen === "notice" && (state.notice === "callbackElsewhere" || state.notice === "callbackUnknown");
}

/** Bottom of every screen: who asks for the data, and the support contact. */
export function pageFoot(context: ScreenContext, state: WidgetState): Html | null {
  const { requester, messages } = context;
  if (requester === null) return null;
  const { name, support_contact } = requester;
  return html`<div class="foot requested"><p>${messages.requestedBy(name)}</p>
${state.screen !== "landing" && privacyLink(context)}
${support_contact !== null && html`<p>${messages.questions} ${supportLink(support_contact)}</p>`}</div>`;
}

/** Link to the requester's privacy policy. It opens in a new tab, so the session stays open. */
export function privacyLink({ requester, messages }: ScreenContext): Html | null {
  if (!requester || requester.privacy_url === null) return null;
  return html`<p><a class="reach" href="${requester.privacy_url}" target="_blank" rel="noopener noreferrer">${messages.privacyPolicy}
<span class="spoken">${messages.opensNewTab}</span></a></p>`;
}

/** The requester's logo, shown next to its name. */
export function logoOf({ requester, site }: ScreenContext): Html | null {
  if (!requester || requester.logo === null) return null;
  const { path, width, height } = requester.logo;
  return html`<img src="${site}${path}" width="${width}" height="${height}" alt="">`;
}

function supportLink(contact: string): Html {
  return contact.startsWith("https://")
    ? html`<a class="reach" href="${contact}" target="_blank" rel="noopener noreferrer">${new URL(contact).host}</a>`
    : html`<a class="reach" href="mailto:${encodeURI(contact)}">${contact}</a>`;
}

/** Also shown on the notice of an invalid link: a customer who cannot read it needs another language. */
function languageSwitch({ messages, language, path }: ScreenContext): Html {
  const link = (each: SessionLanguage) =>
    html`<li><a href="${path}?language=${each}" lang="${each}" hreflang="${each}"${
      each === language && html` aria-current="true"`
    }>${languageNames[each]}</a></li>`;
  return html`<details class="languages" name="top"><summary><span class="spoken">${messages.language}: </span>${languageNames[language]}</summary>
<ul class="panel">${sessionLanguages.map(link)}</ul></details>`;
}

function cancelForm(context: ScreenContext, renews: boolean): Html {
  const { messages, path } = context;
  return html`<details class="cancel" name="top"><summary>${messages.cancel}</summary>
<div class="panel"><p><b>${messages.cancelQuestion}</b> ${messages.cancelText[renews ? "renew" : "connect"]}</p>
${stepForm(context, "cancel", html`<button class="ends whole" type="submit">${messages.cancelYes}</button>`)}
<a class="stay" href="${path}">${messages.cancelNo}</a></div></details>`;
}
