import { type Html, html, renderDocument } from "@org/pages";
import { MAX_GRANTED_CLIENTS } from "../ports/granted-clients.js";
import { displayName } from "./claimed-text.js";
import { accountCard, clientCard, type PageContext, postForm } from "./page-parts.js";
import type { ClientsView, ReviewView } from "./page-views.js";
import { isGrave, permissionWords } from "./permission-words.js";
import type { PageWords } from "./words/page-words.js";

type Choice = ReviewView["scopes"][number];

/** Step 2: shows which client asks, for whose data, and what it may do; Approve or Deny. */
export function reviewPage({ language, words }: PageContext, view: ReviewView): string {
  const { title, ...own } = words.review;
  const grave = view.scopes.filter(({ scope }) => isGrave(scope));
  const others = view.scopes.filter(({ scope }) => !isGrave(scope));
  return renderDocument({
    language,
    title: view.problem === null ? title : `${words.error}${title}`,
    body: html`${
      view.problem !== null &&
      html`<div class="problem" role="alert" id="problem"><p>${problemInWords(words, view.problem)}</p></div>`
    }
<p class="step">${words.step(2)}</p>
<h1>${title}</h1>
<p class="lead">${own.lead}</p>
${clientCard(words, view.client)}
${accountCard(words, view, view.useDifferent, own.useDifferent)}${
  (view.person?.isLimited ?? false) &&
  html`
<p class="quiet">${own.limitedByRole}</p>`
}${
  (view.hasUnknownScopes ?? false) &&
  html`
<p class="quiet">${own.unknownScopes}</p>`
}
${postForm(
  view.form,
  // Enter in a checkbox activates a form's first button, even a hidden one (HTML, implicit submission): this one only shows the
  // page again.
  html`<button type="submit" name="decision" value="review" hidden></button>
${others.length > 0 && allowed(words, others)}
${grave.length > 0 && setApart(words, grave)}
${view.clients ? clientChoice(words, view.clients) : ""}
<div class="actions">
<button class="first" type="submit" name="decision" value="approve">${own.approve}</button>
<button type="submit" name="decision" value="deny">${own.deny}</button>
</div>`,
)}
<p class="foot">${own.foot(html`<code>${view.grantsAddress}</code>`)}</p>`,
  });
}

function problemInWords({ review }: PageWords, problem: NonNullable<ReviewView["problem"]>): string {
  return problem === "too_many_clients" ? review.tooManyClients(MAX_GRANTED_CLIENTS) : review.problems[problem];
}

function allowed(words: PageWords, choices: readonly Choice[]): Html {
  return html`<fieldset><legend>${words.review.allowed}</legend>
<div class="choices">
${choices.map((choice) => checkbox(words, choice))}</div></fieldset>`;
}

/** A destructive permission is a decision of its own, not one line among others. */
function setApart(words: PageWords, choices: readonly Choice[]): Html {
  return html`<fieldset class="apart" aria-describedby="grave"><legend>${words.review.deletion}</legend>
<p id="grave">${words.review.deletionHint}</p>
${choices.map((choice) => checkbox(words, choice))}</fieldset>`;
}

/** All clients, or some: the list shows where only some are allowed. Its search shows the page again with the current choice. */
function clientChoice({ review: words }: PageWords, { isLimited, items, search }: ClientsView): Html {
  return html`<fieldset class="whose"><legend>${words.whose}</legend>
<div class="choices">
<label class="choice"><input type="radio" name="clients" value="all"${!isLimited && html` checked`}><span><b>${words.allClients}</b> <small>${words.allClientsHint}</small></span></label>
<label class="choice"><input type="radio" name="clients" value="some"${isLimited && html` checked`}><span><b>${words.someClients}</b> <small>${words.someClientsHint}</small></span></label>
</div>
<div class="some">${search && clientSearch(words, search)}
${items.length > 0 && html`<div class="choices">${items.map(clientBox)}</div>`}</div></fieldset>`;
}

function clientSearch(words: PageWords["review"], { text, total, shown }: NonNullable<ClientsView["search"]>): Html {
  return html`<label for="client-search">${words.searchClients}</label>
<input id="client-search" type="search" name="client_search" value="${text}" maxlength="80" autocomplete="off" aria-describedby="found">
<button class="whole" type="submit" name="decision" value="review">${words.search}</button>
<p class="count" id="found">${words.found(total, shown)}</p>
`;
}

function clientBox({ client_ref, name, isChecked }: ClientsView["items"][number]): Html {
  return html`<label class="choice"><input type="checkbox" name="client_ref" value="${client_ref}"${isChecked && html` checked`}><span><b>${displayName(name ?? client_ref, client_ref)}</b>${name !== null && html` <small>${displayName(client_ref, "")}</small>`}</span></label>
`;
}

function checkbox(words: PageWords, { scope, isChecked }: Choice): Html {
  const { title, allows } = permissionWords(words, scope);
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${isChecked && html` checked`}><span><b>${title}</b> <small>${allows}</small></span></label>
`;
}
