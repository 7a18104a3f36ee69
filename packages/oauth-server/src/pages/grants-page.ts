import { type Html, html, renderDocument } from "@org/pages";
import { displayName } from "./claimed-text.js";
import { accountCard, clientName, formatMoment, type PageContext, postForm } from "./page-parts.js";
import type { GrantRowView, GrantsView } from "./page-views.js";
import { isGrave, permissionWords } from "./permission-words.js";
import type { PageWords } from "./words/page-words.js";

/** Shows who has access, to what and until when, with the buttons that end it. */
export function grantsPage(context: PageContext, view: GrantsView): string {
  const { language, words } = context;
  const { grants, hasEndedOne, next, back, signOut, maskedClientId, person } = view;
  const { title, ...own } = words.grants;
  return renderDocument({
    language,
    title,
    body: html`${
      hasEndedOne &&
      html`<p class="done" role="status">${own.ended}</p>
`
    }<h1>${title}</h1>
<p class="lead">${leadOf(words, view)}</p>
${accountCard(words, { applicationName: view.tenantApplicationName, maskedClientId, person }, signOut, own.signOut)}
${
  grants.length > 0
    ? html`<ul class="grants">${grants.map((grant) => grantCard(context, grant))}</ul>`
    : html`<div class="empty"><h2>${own.nobody}</h2>
<p>${own.nobodyHint}</p></div>`
}
${next !== null && html`<a class="more" href="${next}">${own.more}</a>`}${back !== null && html`<a class="more" href="${back}">${own.all}</a>`}`,
  });
}

function leadOf({ grants: words }: PageWords, { showsWholeTenant, person }: GrantsView): string {
  if (showsWholeTenant) return words.ofTenant;
  return person ? words.ofPerson : words.ofCredentials;
}

/** The clients of a limit, the first few by name. */
function onlyOf({ grants: words, nameless }: PageWords, clients: readonly string[]): Html {
  if (clients.length === 0) return html`${words.clientsGone}`;
  const named = clients
    .slice(0, NAMED)
    .map((name, index) => html`${index > 0 && ", "}${displayName(name, nameless.client)}`);
  return words.onlyOf(named, clients.length - NAMED);
}

const NAMED = 5;

function grantCard(
  { language, words }: PageContext,
  {
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
  }: GrantRowView,
): Html {
  const { grants: own, nameless } = words;
  const app = clientName(words, name);
  const permissions = scopes.map(
    (scope) => html`<li${isGrave(scope) && html` class="grave"`}>${permissionWords(words, scope).title}</li>`,
  );
  return html`<li class="card"><h2>${app}${!isVerified && html` <span class="badge">${words.client.notVerified}</span>`}</h2>
<small class="quiet">${own.flows[flow]}${count > 1 && ` ${own.times(count)}`} · ${personName === null ? displayName(applicationName, nameless.application) : displayName(personName, nameless.person)}</small>${each !== null && html`<a class="reach" href="${each}">${own.each(app)}</a>`}
<ul class="words" aria-label="${own.permissions}">${permissions}</ul>
<dl class="facts short">${
    clients !== null &&
    html`
<dt>${own.whose}</dt><dd>${onlyOf(words, clients)}</dd>`
  }
<dt>${own.since}</dt><dd>${formatMoment(language, at.createdAt)}</dd>
<dt>${own.lastUsed}</dt><dd>${formatMoment(language, at.lastIssuedAt)}</dd>
<dt>${own.validUntil}</dt><dd>${formatMoment(language, at.expiresAt)}</dd>
</dl>
${postForm(end, html`<button class="ends" type="submit">${own.end(app, count)}</button>`)}
</li>
`;
}
