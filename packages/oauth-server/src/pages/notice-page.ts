import { documentOf, html } from "@org/pages";
import type { NoticeKind, NoticeView } from "./page-views.js";

/** What is the matter with a request that cannot go on, and what to do. */
export function noticePage({ kind, detail, traceId, backTo }: NoticeView): string {
  const { title, text, next } = words[kind];
  return documentOf({
    language: "en",
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${backTo === null ? html`<p><b>${next}</b></p>` : html`<p><a class="more" href="${backTo}">Go on from here</a></p>`}
${
  detail !== null &&
  html`<section class="card" aria-label="For the developer of the app">
<h2>For the developer of the app</h2>
<p>${detail}</p>
</section>
`
}${traceId !== null && html`<p class="foot">Reference: <code>${traceId}</code></p>`}`,
  });
}

const words: Readonly<Record<NoticeKind, { readonly title: string; readonly text: string; readonly next: string }>> = {
  bad_request: {
    title: "This request cannot be read",
    text: "The app that sent you here asked in a way that this server does not understand. Nothing was shared.",
    next: "Go back to the app and start again. If that does not help, tell the people who make it.",
  },
  unknown_client: {
    title: "This app is not known here",
    text: "The app that sent you here is not registered with this server, or no longer. Nothing was shared.",
    next: "Remove this server from the app and add it again: the app then registers anew.",
  },
  bad_redirect: {
    title: "This app may not be answered",
    text: "The app wants the answer sent to an address that it has not registered. You were not sent there, and nothing was shared.",
    next: "Close this page. If you trust the app, tell the people who make it.",
  },
  expired: {
    title: "The time is up",
    text: "An authorization has to be finished within 10 minutes. Nothing was shared.",
    next: "Start again from the app.",
  },
  answered: {
    title: "This has been answered already",
    text: "Each request can be approved or denied once. This page does not change the answer.",
    next: "Go back to the app. If it has no access, start again from there.",
  },
  other_browser: {
    title: "This page belongs to another browser",
    text: "It was opened in another browser, or this one keeps no cookies for this site. Nothing was shared.",
    next: "Allow cookies for this site, then start again from the app, in this browser.",
  },
  too_large: {
    title: "This is too much",
    text: "The form that was sent is larger than this server takes. Nothing was shared.",
    next: "Go back and enter less, or start again from the app.",
  },
  busy: {
    title: "Too much at once",
    text: "This server has to look up the app that sent you here, and is looking up too many just now. Nothing was shared.",
    next: "Wait a minute, then start again from the app.",
  },
  defect: {
    title: "Something went wrong on our side",
    text: "The request could not be finished.",
    next: "Start again from the app. If it happens again, give the reference below to the people who run this server.",
  },
};
