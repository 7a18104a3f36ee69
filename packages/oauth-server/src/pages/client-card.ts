import { type Html, html } from "@org/pages";
import { claimedAddress, claimedHost } from "./claimed-text.js";
import { nameOf } from "./name-of.js";
import type { ClientView } from "./page-views.js";

/** A client's name, apart from the text around it. It never leads a sentence of ours, which it could complete at will. */
export function clientName(name: string | null): Html {
  return nameOf(name ?? "", "An app without a name");
}

/** Who asks: its name and whether anybody vouches for it, where it is, and where control returns to. */
export function clientCard({ name, isVerified, host, returnsTo }: ClientView): Html {
  const badge = isVerified
    ? html`<span class="badge verified">Name verified</span>`
    : html`<span class="badge">Name not verified</span>`;
  const place = host === null ? "An app on this computer" : (claimedHost(host) ?? "Unknown");
  return html`<section class="card" aria-label="The app that asks">
<h2>${clientName(name)} ${badge}</h2>
<dl class="facts">
<dt>Where it is</dt><dd><bdi>${place}</bdi></dd>
<dt>Returns to</dt><dd><code><bdi>${breakable(claimedAddress(returnsTo) ?? "Unknown")}</bdi></code></dd>
</dl>
${
  !isVerified &&
  html`<p class="beneath">Anybody can choose this name. Go on only if you have just started this yourself.</p>
`
}</section>`;
}

/** An address that may go on in the next line after each slash, rather than within a word. */
function breakable(address: string): Html[] {
  return address.split(/(?<=[^:/][/?&])/).map((part) => html`${part}<wbr>`);
}
