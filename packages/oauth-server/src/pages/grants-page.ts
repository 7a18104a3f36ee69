import { type Html, html, renderDocument } from "@org/pages";
import { displayName } from "./claimed-text.js";
import { accountCard, clientName, formatMoment, postForm } from "./page-parts.js";
import type { GrantRowView, GrantsView } from "./page-views.js";
import { permissionWords } from "./permission-words.js";

const FLOWS: Readonly<Record<GrantRowView["flow"], string>> = {
  browser: "Approved in a browser",
  machine: "Signed in with a secret",
  asserted: "Signed in through your identity provider",
};

/** Shows who has access, to what and until when, with the buttons that end it. */
export function grantsPage(view: GrantsView): string {
  const { grants, hasEndedOne, next, back, signOut, maskedClientId, person } = view;
  const title = "Access to your investments";
  return renderDocument({
    language: "en",
    title,
    body: html`${
      hasEndedOne &&
      html`<p class="done" role="status">Access has ended.</p>
`
    }<h1>${title}</h1>
<p class="lead">${whose(view)}. Access is extended each time it is used. When you end it, it stops within seconds.</p>
${accountCard({ applicationName: view.tenantApplicationName, maskedClientId, person }, signOut, "Sign out")}
${grants.length > 0 ? html`<ul class="grants">${grants.map(grantCard)}</ul>` : nobody}
${next !== null && html`<a class="more" href="${next}">Show more</a>`}${back !== null && html`<a class="more" href="${back}">Show all apps and programs</a>`}`,
  });
}

function whose({ showsWholeTenant, person }: GrantsView): string {
  if (showsWholeTenant) return "These apps and programs can use your organisation's data now";
  if (person) return "You have let these apps use your organisation's data";
  return "These apps and programs can use your data now, through the credentials below";
}

const nobody = html`<div class="empty"><h2>Nobody has access</h2>
<p>Apps that you approve will be listed here.</p></div>`;

/** The clients of a limit, the first few by name. */
function onlyOf(clients: readonly string[]): Html {
  if (clients.length === 0) return html`Nobody’s: the clients that it was for are gone`;
  const named = clients
    .slice(0, NAMED)
    .map((name, index) => html`${index > 0 && ", "}${displayName(name, "A client")}`);
  const others = clients.length - NAMED;
  return html`Only of ${named}${others > 0 && ` and ${others} more`}`;
}

const NAMED = 5;

function grantCard({
  clientName: name,
  isVerified,
  applicationName,
  personName,
  flow,
  count,
  each,
  scopes,
  clients = null,
  end,
  ...at
}: GrantRowView): Html {
  const permissions = scopes.map(permissionWords).map(({ title, isGrave }) => {
    return html`<li${isGrave && html` class="grave"`}>${title}</li>`;
  });
  return html`<li class="card"><h2>${clientName(name)}${!isVerified && html` <span class="badge">Name not verified</span>`}</h2>
<small class="quiet">${FLOWS[flow]}${count > 1 && html` ${count} times`} · ${personName === null ? displayName(applicationName, "An application") : displayName(personName, "A person")}</small>${each !== null && html`<a class="reach" href="${each}">Show each<span class="spoken"> of ${clientName(name)}</span></a>`}
<ul class="words" aria-label="Permissions">${permissions}</ul>
<dl class="facts short">${
    clients !== null &&
    html`
<dt>Whose data</dt><dd>${onlyOf(clients)}</dd>`
  }
<dt>Since</dt><dd>${formatMoment(at.createdAt)}</dd>
<dt>Last used</dt><dd>${formatMoment(at.lastIssuedAt)}</dd>
<dt>Valid until</dt><dd>${formatMoment(at.expiresAt)}</dd>
</dl>
${postForm(end, html`<button class="ends" type="submit">${count > 1 ? "End all access" : "End access"}<span class="spoken"> of ${clientName(name)}</span></button>`)}
</li>
`;
}
