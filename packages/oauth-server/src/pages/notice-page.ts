import { html, renderDocument } from "@org/pages";
import { claimedAddress } from "./claimed-text.js";
import { withBreakOpportunities } from "./page-parts.js";
import type { NoticePageKind, NoticeView } from "./page-views.js";

/** Explains why a request cannot continue, and what to do. */
export function noticePage({ kind, detail, traceId, backTo, returnTo, again }: NoticeView): string {
  const { title, text, next } = words[kind];
  return renderDocument({
    language: "en",
    title,
    ...(again ? { refresh: again } : {}),
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${backTo === null ? html`<p><b>${next}</b></p>` : html`<p><a class="more" href="${backTo}">Continue</a></p>`}
${
  returnTo !== undefined &&
  html`<p><a class="more" href="${returnTo.href}">Return to the app</a></p>
<p class="foot">It is at ${withBreakOpportunities(claimedAddress(returnTo.address) ?? "an unknown address")}, and nobody has verified it.</p>
`
}${
  detail !== null &&
  html`<section class="card" aria-label="For the developer of the app">
<h2>For the developer of the app</h2>
<p>${detail}</p>
</section>
`
}${traceId !== null && html`<p class="foot">Reference: <code>${traceId}</code></p>`}`,
  });
}

const words: Readonly<
  Record<NoticePageKind, { readonly title: string; readonly text: string; readonly next: string }>
> = {
  bad_request: {
    title: "This request cannot be understood",
    text: "The app that sent you here made a request that this server does not understand. Nothing was shared.",
    next: "Go back to the app and start again. If that does not help, contact the app's makers.",
  },
  unknown_client: {
    title: "This server does not know the app",
    text: "The app that sent you here is not registered with this server, or is no longer registered. Nothing was shared.",
    next: "Remove this server from the app and add it again, so that the app registers once more.",
  },
  client_unreachable: {
    title: "This server cannot reach the app's description",
    text: "The app names itself by an address on the internet, and this server could not reach it. Nothing was shared.",
    next: "Tell whoever runs this server: adding it to the app again does not help until it can reach that address.",
  },
  bad_redirect: {
    title: "The answer cannot be sent to this app",
    text: "The app asked for the answer to be sent to an address it has not registered. You were not sent there, and nothing was shared.",
    next: "Close this page. If you trust the app, let its makers know.",
  },
  expired: {
    title: "Time is up",
    text: "A request has to be answered within 10 minutes. Nothing was shared.",
    next: "Start again from the app.",
  },
  answered: {
    title: "You have already answered this",
    text: "Each request can be approved or denied once. This page does not change the answer.",
    next: "Go back to the app. If it does not have access, start again from there.",
  },
  other_browser: {
    title: "This page belongs to another browser",
    text: "It was opened in another browser, or this one does not keep cookies for this site. Nothing was shared.",
    next: "Allow cookies for this site, then start again from the app in this browser.",
  },
  cancelled: {
    title: "You have cancelled this",
    text: "Nothing was shared. The app that sent you here may still be waiting for an answer.",
    next: "You can close this page.",
  },
  too_large: {
    title: "That is too much text",
    text: "The form is larger than this server accepts. Nothing was shared.",
    next: "Go back and enter less text, or start again from the app.",
  },
  busy: {
    title: "The server is busy",
    text: "This server has to look up the app that sent you here, and has too many look-ups under way. Nothing was shared.",
    next: "Wait a minute, then start again from the app.",
  },
  away: {
    title: "One moment, please",
    text: "This server cannot reach its database just now. Nothing was lost or shared.",
    next: "This page tries again by itself. If it was a form that you sent, go back and send it again.",
  },
  defect: {
    title: "Something went wrong on our side",
    text: "The request could not be completed.",
    next: "Start again from the app. If it happens again, give the reference below to whoever runs this server.",
  },
};
