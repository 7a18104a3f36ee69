import { type Html, html } from "@org/pages";
import { claimedAddress, claimedHost, claimedText } from "./claimed-text.js";
import { nameOf } from "./name-of.js";
import type { ClientView } from "./page-views.js";

/** A client's name, apart from the text around it. It never leads a sentence of ours, which it could complete at will. */
export function clientName(name: string | null): Html {
  return nameOf(name ?? "", "An app without a name");
}

/** Who asks: its name and whether anybody vouches for it, where it is, and where control returns to. */
export function clientCard({ name, isVerified, host, scheme, returnsTo }: ClientView): Html {
  const badge = isVerified
    ? html`<span class="badge verified">Name verified</span>`
    : html`<span class="badge">Name not verified</span>`;
  return html`<section class="card" aria-label="The app that asks">
<h2>${clientName(name)} ${badge}</h2>
<dl class="facts">
<dt>Where it is</dt><dd>${placeOf(host, scheme)}</dd>
<dt>Returns to</dt><dd><code><bdi>${breakable(claimedAddress(returnsTo) ?? "Unknown")}</bdi></code></dd>
</dl>
${
  !isVerified &&
  html`<p class="beneath">Anybody can choose this name. Continue only if you have just started this yourself.</p>
`
}</section>`;
}

/** Many programs can claim a scheme, on any kind of device, and it is not known here which of them opens. */
function placeOf(host: string | null, scheme: string | null): Html {
  if (host !== null) return html`<bdi>${claimedHost(host) ?? "Unknown"}</bdi>`;
  if (scheme === null) return html`An app on this computer`;
  return html`An app that opens <code><bdi>${claimedText(scheme, LONGEST_SCHEME) ?? "unknown"}:</bdi></code> links`;
}

/** An address that may go on in the next line after each slash, rather than within a word. */
function breakable(address: string): Html[] {
  return address.split(/(?<=[^:/][/?&])/).map((part) => html`${part}<wbr>`);
}

const LONGEST_SCHEME = 40;
