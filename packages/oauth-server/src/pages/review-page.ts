import { type Html, html, renderDocument } from "@org/pages";
import { accountCard, clientCard, postForm } from "./page-parts.js";
import type { ReviewView } from "./page-views.js";
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

function checkbox({ scope, isChecked }: Choice): Html {
  const { title, allows } = permissionWords(scope);
  return html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${isChecked && html` checked`}><span><b>${title}</b> <small>${allows}</small></span></label>
`;
}
