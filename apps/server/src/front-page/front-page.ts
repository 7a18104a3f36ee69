import type { SessionLanguage } from "@org/core";
import { type Html, html, renderDocument } from "@org/pages";
import { frontPageWords } from "./words.js";

/** What the front page shows of this server. */
interface FrontPageFacts {
  /** Issuer and base address, without trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
}

/** The page at `/`: what runs here, and where to go. It needs no JavaScript: a click selects the whole address. */
export function frontPage(language: SessionLanguage, { publicUrl, version }: FrontPageFacts): string {
  const words = frontPageWords[language];
  const { reference, document, console, grants } = words.places;
  const token = `curl -s ${publicUrl}/token -d grant_type=client_credentials -d client_id=… -d client_secret=…`;
  return renderDocument({
    language,
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<h2>${words.assistantHeading}</h2>
<p>${words.assistantText}</p>
<pre class="address"><code>${publicUrl}/mcp</code></pre>
<p>${words.assistantNext}</p>
<h2>${words.programHeading}</h2>
<p>${words.programText}</p>
<pre><code>${token}</code></pre>
<ul class="places">
${place(`${publicUrl}/reference`, reference)}
${place(`${publicUrl}/openapi.json`, document)}
</ul>
<h2>${words.accessHeading}</h2>
<ul class="places">
${place(`${publicUrl}/console`, console)}
${place(`${publicUrl}/grants`, grants)}
</ul>
<p class="foot">${words.version} ${version}</p>`,
  });
}

function place(address: string, [title, text]: readonly [string, string]): Html {
  return html`<li><a href="${address}">${title}</a><small>${text}</small></li>`;
}
