import { type Html, html } from "@org/pages";
import { nameOf } from "./name-of.js";
import { postForm } from "./page-form.js";
import type { PageForm } from "./page-views.js";

/** Whose data is at stake, and the way to somebody else's. */
export function accountCard(
  account: { readonly applicationName: string; readonly maskedClientId: string },
  leave: PageForm,
  label: string,
): Html {
  return html`<section class="card account" aria-label="Your credentials">
<p><small>Signed in as</small><b>${nameOf(account.applicationName, "An application")}</b> <code>${account.maskedClientId}</code></p>
${postForm(leave, html`<button class="plain" type="submit">${label}</button>`)}
</section>`;
}
