import { html, renderDocument } from "@org/pages";
import { claimedAddress } from "./claimed-text.js";
import { type PageContext, withBreakOpportunities } from "./page-parts.js";
import type { NoticeView } from "./page-views.js";

/** Explains why a request cannot continue, and what to do. */
export function noticePage(
  { language, words: { notice: words, nameless } }: PageContext,
  { kind, detail, traceId, backTo, returnTo, again }: NoticeView,
): string {
  const { title, text, next } = words.kinds[kind];
  return renderDocument({
    language,
    title,
    ...(again ? { refresh: again } : {}),
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${backTo === null ? html`<p><b>${next}</b></p>` : html`<p><a class="more" href="${backTo}">${words.next}</a></p>`}
${
  returnTo !== undefined &&
  html`<p><a class="more" href="${returnTo.href}">${words.returnToApp}</a></p>
<p class="foot">${words.returnsTo(html`${withBreakOpportunities(claimedAddress(returnTo.address) ?? nameless.address)}`)}</p>
`
}${
  // The detail is for a program's author, always in English.
  detail !== null &&
  html`<section class="card" aria-label="${words.forDeveloper}">
<h2>${words.forDeveloper}</h2>
<p${language !== "en" && html` lang="en"`}>${detail}</p>
</section>
`
}${traceId !== null && html`<p class="foot">${words.reference(html`<code>${traceId}</code>`)}</p>`}`,
  });
}
