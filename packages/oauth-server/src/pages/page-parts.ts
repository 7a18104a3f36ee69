import { type Html, html } from "@org/pages";
import { claimedAddress, claimedHost, claimedText, displayName } from "./claimed-text.js";
import type { ClientView, PageForm, SignedInPersonView } from "./page-views.js";

/** A form that posts its hidden fields and what the person fills in. */
export function postForm({ action, hidden }: PageForm, content: Html): Html {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  );
  return html`<form method="post" action="${action}" accept-charset="utf-8">
${fields}${content}</form>`;
}

/** Shows whose data is at stake, and a button to switch to another account. */
export function accountCard(
  account: {
    readonly applicationName: string;
    readonly maskedClientId: string;
    readonly person: SignedInPersonView | null;
  },
  leave: PageForm,
  label: string,
): Html {
  const { person } = account;
  if (person)
    return html`<section class="card account" aria-label="Who you are">
<p><small>Signed in as</small><b>${displayName(person.name, "A person")}</b> of ${displayName(person.organisation, "your organisation")}</p>
${postForm(leave, html`<button class="plain" type="submit">Sign in as somebody else</button>`)}
</section>`;
  return html`<section class="card account" aria-label="Your credentials">
<p><small>Signed in as</small><b>${displayName(account.applicationName, "An application")}</b> <code>${account.maskedClientId}</code></p>
${postForm(leave, html`<button class="plain" type="submit">${label}</button>`)}
</section>`;
}

/**
 * A client's name, separate from the surrounding text. It never starts one of the page's sentences, which it could otherwise
 * complete at will.
 */
export function clientName(name: string | null): Html {
  return displayName(name ?? "", "An app without a name");
}

/** Shows the requesting client: its name and whether it is verified, where it is, and where it returns to. */
export function clientCard({ name, isVerified, host, scheme, returnsTo }: ClientView): Html {
  const badge = isVerified
    ? html`<span class="badge verified">Name verified</span>`
    : html`<span class="badge">Name not verified</span>`;
  return html`<section class="card" aria-label="The app that asks">
<h2>${clientName(name)} ${badge}</h2>
<dl class="facts">
<dt>Where it is</dt><dd>${placeOf(host, scheme)}</dd>
<dt>Returns to</dt><dd><code><bdi>${withBreakOpportunities(claimedAddress(returnsTo) ?? "Unknown")}</bdi></code></dd>
</dl>
${
  !isVerified &&
  html`<p class="beneath">Anybody can choose this name. Continue only if you have just started this yourself.</p>
`
}</section>`;
}

/** Many programs on any kind of device can claim a scheme, and this server does not know which one opens. */
function placeOf(host: string | null, scheme: string | null): Html {
  if (host !== null) return html`<bdi>${claimedHost(host) ?? "Unknown"}</bdi>`;
  if (scheme === null) return html`An app on this computer`;
  return html`An app that opens <code><bdi>${claimedText(scheme, MAX_SCHEME_LENGTH) ?? "unknown"}:</bdi></code> links`;
}

/** An address that may wrap after each slash rather than within a word. */
export function withBreakOpportunities(address: string): Html[] {
  return address.split(/(?<=[^:/][/?&])/).map((part) => html`${part}<wbr>`);
}

const MAX_SCHEME_LENGTH = 40;

/** A time for people, in UTC because the server does not know the reader's time zone. */
export function formatMoment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${toTheMinute.format(at)} UTC</time>`;
}

/** How long to wait: `in 40 seconds`, `in 15 minutes`; rounded up, so that a retry is never too early. */
export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole <= 90) return `in ${whole} ${whole === 1 ? "second" : "seconds"}`;
  const minutes = Math.ceil(whole / 60);
  if (minutes <= 90) return `in ${minutes} minutes`;
  return `in ${Math.ceil(minutes / 60)} hours`;
}

const toTheMinute = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
