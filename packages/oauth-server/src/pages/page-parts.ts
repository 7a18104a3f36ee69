import { type Html, html, type PageLanguage } from "@org/pages";
import { claimedAddress, claimedHost, claimedText, displayName } from "./claimed-text.js";
import type { ClientView, PageForm, SignedInPersonView } from "./page-views.js";
import type { PageWords } from "./words/page-words.js";

/** The language of a page and its words. */
export interface PageContext {
  readonly language: PageLanguage;
  readonly words: PageWords;
}

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
  { account: words, nameless }: PageWords,
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
    return html`<section class="card account" aria-label="${words.person}">
<p><small>${words.signedInAs}</small>${words.ofOrganisation(displayName(person.name, nameless.person), displayName(person.organisation, nameless.organisation))}</p>
${postForm(leave, html`<button class="plain" type="submit">${words.somebodyElse}</button>`)}
</section>`;
  return html`<section class="card account" aria-label="${words.credentials}">
<p><small>${words.signedInAs}</small><b>${displayName(account.applicationName, nameless.application)}</b> <code>${account.maskedClientId}</code></p>
${postForm(leave, html`<button class="plain" type="submit">${label}</button>`)}
</section>`;
}

/**
 * A client's name, separate from the surrounding text. It never starts one of the page's sentences, which it could otherwise
 * complete at will.
 */
export function clientName({ nameless }: PageWords, name: string | null): Html {
  return displayName(name ?? "", nameless.app);
}

/** Shows the requesting client: its name and whether it is verified, where it is, and where it returns to. */
export function clientCard(words: PageWords, { name, isVerified, host, scheme, returnsTo }: ClientView): Html {
  const { client, nameless } = words;
  const badge = isVerified
    ? html`<span class="badge verified">${client.verified}</span>`
    : html`<span class="badge">${client.notVerified}</span>`;
  return html`<section class="card" aria-label="${client.label}">
<h2>${clientName(words, name)} ${badge}</h2>
<dl class="facts">
<dt>${client.place}</dt><dd>${placeOf(words, host, scheme)}</dd>
<dt>${client.returnsTo}</dt><dd><code><bdi>${withBreakOpportunities(claimedAddress(returnsTo) ?? nameless.place)}</bdi></code></dd>
</dl>
${
  !isVerified &&
  html`<p class="beneath">${client.anybody}</p>
`
}</section>`;
}

/** Many programs on any kind of device can claim a scheme, and this server does not know which one opens. */
function placeOf({ client, nameless }: PageWords, host: string | null, scheme: string | null): Html {
  if (host !== null) return html`<bdi>${claimedHost(host) ?? nameless.place}</bdi>`;
  if (scheme === null) return html`${client.onThisComputer}`;
  return client.opensLinks(html`<code><bdi>${claimedText(scheme, MAX_SCHEME_LENGTH) ?? nameless.place}:</bdi></code>`);
}

/** An address that may wrap after each slash rather than within a word. */
export function withBreakOpportunities(address: string): Html[] {
  return address.split(/(?<=[^:/][/?&])/).map((part) => html`${part}<wbr>`);
}

const MAX_SCHEME_LENGTH = 40;

/** A time for people, in UTC because the server does not know the reader's time zone. */
export function formatMoment(language: PageLanguage, at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${toTheMinute[language].format(at)} UTC</time>`;
}

/** How long to wait: `in 40 seconds`, `in 15 minutes`; rounded up, so that a retry is never too early. */
export function waitInWords(language: PageLanguage, seconds: number): string {
  const words = new Intl.RelativeTimeFormat(language);
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole <= 90) return words.format(whole, "second");
  const minutes = Math.ceil(whole / 60);
  if (minutes <= 90) return words.format(minutes, "minute");
  return words.format(Math.ceil(minutes / 60), "hour");
}

const minuteIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
  });
const toTheMinute = { en: minuteIn("en-GB"), de: minuteIn("de"), fr: minuteIn("fr"), es: minuteIn("es") };
