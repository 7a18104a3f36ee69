import { type Html, html, renderDocument } from "@org/pages";
import { MAX_GRANTED_CLIENTS } from "../ports/granted-clients.js";
import { displayName } from "./claimed-text.js";
import { accountCard, clientCard, postForm } from "./page-parts.js";
import type { ClientsView, ReviewView } from "./page-views.js";
import { permissionWords } from "./permission-words.js";

type Choice = ReviewView["scopes"][number];

/** Step 2: shows which client asks, for whose data, and what it may do; Approve or Deny. */
export function reviewPage(view: ReviewView): string {
  const title = "Review access";
  const isGrave = ({ scope }: Choice) => permissionWords(scope).isGrave;
  const grave = view.scopes.filter(isGrave);
  const others = view.scopes.filter((choice) => !isGrave(choice));
  return renderDocument({
    language: "en",
    title: view.problem === null ? title : `Error: ${title}`,
    body: html`${
      view.problem !== null &&
      html`<div class="problem" role="alert" id="problem"><p>${PROBLEMS[view.problem]}</p></div>`
    }
<p class="step">Step 2 of 2</p>
<h1>${title}</h1>
<p class="lead">An app wants to use your investment data. You decide what it may do.</p>
${clientCard(view.client)}
${accountCard(view, view.useDifferent, "Use different credentials")}${
  (view.person?.isLimited ?? false) &&
  html`
<p class="quiet">The app asked for more. What you can allow is limited by your own role.</p>`
}${
  (view.hasUnknownScopes ?? false) &&
  html`
<p class="quiet">The app also asked for permissions that do not exist here. They are left out.</p>`
}
${postForm(
  view.form,
  // Enter in a checkbox activates a form's first button, even a hidden one (HTML, implicit submission): this one only shows the
  // page again.
  html`<button type="submit" name="decision" value="review" hidden></button>
${others.length > 0 && allowed(others)}
${grave.length > 0 && setApart(grave)}
${view.clients ? clientChoice(view.clients) : ""}
<div class="actions">
<button class="first" type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="deny">Deny</button>
</div>`,
)}
<p class="foot">This access cannot be used to buy, sell or pay for anything. You can end it at any time at <code>${view.grantsAddress}</code>.</p>`,
  });
}

const PROBLEMS: Readonly<Record<NonNullable<ReviewView["problem"]>, string>> = {
  no_scope: "Choose at least one permission, or deny the access.",
  no_client: "Choose at least one client, or allow all clients.",
  too_many_clients: `Choose at most ${MAX_GRANTED_CLIENTS} clients, or allow all clients.`,
  client_gone: "A client that you chose is not there any more. Check below which ones are chosen.",
  other_credentials:
    "You have since signed in with different credentials. Check below whose data this is before you decide.",
};

function allowed(choices: readonly Choice[]): Html {
  return html`<fieldset><legend>What it may do</legend>
<div class="choices">
${choices.map(checkbox)}</div></fieldset>`;
}

/** A destructive permission is a decision of its own, not one line among others. */
function setApart(choices: readonly Choice[]): Html {
  return html`<fieldset class="apart" aria-describedby="grave"><legend>Deletion</legend>
<p id="grave">Deleted data cannot be recovered. Tick this only if the app needs it.</p>
${choices.map(checkbox)}</fieldset>`;
}

/** All clients, or some: the list shows where only some are allowed. Its search shows the page again with the current choice. */
function clientChoice({ isLimited, items, search }: ClientsView): Html {
  return html`<fieldset class="whose"><legend>Whose data it may use</legend>
<div class="choices">
<label class="choice"><input type="radio" name="clients" value="all"${!isLimited && html` checked`}><span><b>All clients</b> <small>Also those that you add later.</small></span></label>
<label class="choice"><input type="radio" name="clients" value="some"${isLimited && html` checked`}><span><b>Only some clients</b> <small>Of the others it sees nothing.</small></span></label>
</div>
<div class="some">${search && clientSearch(search)}
${items.length > 0 && html`<div class="choices">${items.map(clientBox)}</div>`}</div></fieldset>`;
}

function clientSearch({ text, total, shown }: NonNullable<ClientsView["search"]>): Html {
  return html`<label for="client-search">Search clients</label>
<input id="client-search" type="search" name="client_search" value="${text}" maxlength="80" autocomplete="off" aria-describedby="found">
<button class="whole" type="submit" name="decision" value="review">Search</button>
<p class="count" id="found">${total === 0 ? "No client has this in its name or reference." : total > shown ? `${shown} of ${total} clients are shown. Search for the others.` : `${total} found.`}</p>
`;
}

function clientBox({ client_ref, name, isChecked }: ClientsView["items"][number]): Html {
  return html`<label class="choice"><input type="checkbox" name="client_ref" value="${client_ref}"${isChecked && html` checked`}><span><b>${displayName(name ?? client_ref, client_ref)}</b>${name !== null && html` <small>${displayName(client_ref, "")}</small>`}</span></label>
`;
}

function checkbox({ scope, isChecked }: Choice): Html {
  const { title, allows } = permissionWords(scope);
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${isChecked && html` checked`}><span><b>${title}</b> <small>${allows}</small></span></label>
`;
}
