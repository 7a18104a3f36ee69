import { type FieldProblem, type Html, html, problemSummary, textField } from "@org/pages";
import { type BankItem, type BankList, type BankQuery, searchOf, type WayItem } from "../bank-list.js";
import { requesterName, type Screen, type ScreenContext, scripted, stepForm, titled } from "./screen.js";

/** The banks that the session allows, to search and choose from. */
export function bankChoiceScreen(
  context: ScreenContext,
  query: BankQuery,
  banks: BankList,
  problems: readonly FieldProblem[],
): Screen {
  const { messages } = context;
  return {
    title: titled(messages, messages.bankTitle, problems),
    body: html`${problemSummary(messages.errorHeading, problems)}
<h1>${messages.bankTitle}</h1>
${searchForm(context, query, banks.countries)}
${foundBanks(context, query, banks)}`,
  };
}

function searchForm({ messages, path }: ScreenContext, query: BankQuery, countries: BankList["countries"]): Html {
  const options = countries.map(
    ({ code, name }) => html`<option value="${code}"${code === query.country && html` selected`}>${name}</option>`,
  );
  return html`<form class="search" method="get" action="${path}" role="search">
<div>${textField({ name: "name", label: messages.bankSearch, type: "search", autocomplete: "off", value: query.name ?? "" }, [])}</div>
<div><label for="country">${messages.bankCountry}</label>
<select id="country" name="country"><option value="">${messages.allCountries}</option>${options}</select></div>
<button class="whole" type="submit" data-unscripted>${messages.search}</button></form>`;
}

/** Search results. The client requests only this part while a name is typed, and appends the next page to the list instead of opening it. */
export function foundBanks(context: ScreenContext, query: BankQuery, banks: BankList): Html {
  const { messages } = context;
  const more = html`<button class="whole more-banks" type="button" data-page="${banks.page + 1}">${messages.moreBanks}</button>`;
  return html`<div class="found"><p class="count" role="status">${banks.total === 0 ? messages.noBanks : messages.banksFound(banks.total)}</p>
${banks.items.length > 0 && bankForm(context, banks.items)}
${banks.page < banks.pages && scripted(more)}
${banks.pages > 1 && pageLinks(context, query, banks.pages)}</div>`;
}

/** Each bank has an id, by which the client finds it again in the next result, so that one that is opened stays so. */
function bankForm(context: ScreenContext, banks: BankList["items"]): Html {
  const { messages } = context;
  const items = banks.map(
    (bank) => html`<li id="${bank.ways[0]?.id ?? ""}">${drawnBank(context, bank)}</li>
`,
  );
  return html`${scripted(html`<p class="spoken" id="list-keys">${messages.listKeys}</p>`)}
${stepForm(context, "bank", html`<ul class="banks" aria-label="${messages.bankList}">${items}</ul>`)}`;
}

/**
 * A bank with one login is a button. One with several ways opens and lists them, as does one without a login, which cannot be chosen and says
 * what to do instead.
 */
function drawnBank(context: ScreenContext, { name, detail, ways }: BankItem): Html {
  const [first, ...others] = ways;
  if (first === undefined) return html``;
  if (others.length === 0 && !first.by_letter) return chooseButton(first.id, name, detail);
  const opened =
    others.length === 0
      ? letterText(context)
      : html`<ul class="ways">${ways.map((way) => html`<li>${drawnWay(context, way)}</li>`)}</ul>`;
  return html`<details><summary>${name}<small>${detail}</small></summary>
${opened}</details>`;
}

function drawnWay(context: ScreenContext, { id, title, detail, by_letter }: WayItem): Html {
  if (!by_letter) return chooseButton(id, title, detail);
  return html`<div class="letter"><strong>${title}</strong>${letterText(context)}</div>`;
}

function chooseButton(id: string, name: string, detail: string): Html {
  return html`<button type="submit" name="connector_id" value="${id}">${name}<small>${detail}</small></button>`;
}

function letterText(context: ScreenContext): Html {
  return html`<p>${context.messages.byLetterText(requesterName(context))}</p>`;
}

function pageLinks({ messages, path }: ScreenContext, query: BankQuery, pages: number): Html {
  const link = (page: number, label: string) =>
    page >= 1 && page <= pages && html`<a href="${path}?${searchOf({ ...query, page })}">${label}</a>`;
  return html`<nav aria-label="${messages.pagesLabel}" data-unscripted>${link(query.page - 1, messages.previousPage)}
<span>${messages.pageOf(query.page, pages)}</span>
${link(query.page + 1, messages.nextPage)}</nav>`;
}
